//! How far long work is: bars on a terminal, a line per step elsewhere.

use std::collections::HashMap;
use std::io::{IsTerminal, Write as _};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use postduif_indexer::{Progress, Step};

const COUNTED: &str = "{human_pos}/{human_len} ({per_sec}, {eta} left)";
const BYTES: &str = "{bytes}/{total_bytes} ({bytes_per_sec}, {eta} left)";

/// Shows a build on standard error.
#[derive(Default)]
pub(super) struct BuildProgress {
    all: MultiProgress,
    bars: Mutex<HashMap<Step, ProgressBar>>,
}

impl BuildProgress {
    fn bars(&self) -> MutexGuard<'_, HashMap<Step, ProgressBar>> {
        self.bars
            .lock()
            .expect("no thread panics while it holds the lock")
    }
}

impl Progress for BuildProgress {
    fn begin(&self, step: Step, total: u64) {
        let new = || {
            let counted = if step == Step::Read { BYTES } else { COUNTED };
            let bar = if total > 0 {
                bar(name(step), total, counted)
            } else {
                spinner(name(step))
            };
            self.all.add(bar)
        };
        match self.bars().entry(step) {
            std::collections::hash_map::Entry::Occupied(bar) => bar.get().inc_length(total),
            std::collections::hash_map::Entry::Vacant(none) => drop(none.insert(new())),
        }
    }

    fn advance(&self, step: Step, count: u64) {
        if let Some(bar) = self.bars().get(&step) {
            bar.inc(count);
        }
    }

    fn end(&self, step: Step) {
        // Reading ends once per object type and begins again; its bar is done when all bytes are.
        if let Some(bar) = self
            .bars()
            .get(&step)
            .filter(|bar| step != Step::Read || bar.length() == Some(bar.position()))
        {
            bar.finish();
        }
    }
}

/// A bar that counts pieces of one long work.
pub(super) fn counted(name: &'static str, total: u64) -> ProgressBar {
    bar(name, total, COUNTED)
}

fn name(step: Step) -> &'static str {
    match step {
        Step::Read => "reading the delivery",
        Step::Index => "writing the index",
        Step::Register => "writing the register",
        Step::Verify => "checking and publishing",
    }
}

fn bar(name: &'static str, total: u64, counted: &str) -> ProgressBar {
    let Some(bar) = on_terminal(name) else {
        return ProgressBar::hidden();
    };
    let style = ProgressStyle::with_template(&format!("{{prefix:24}} {{wide_bar}} {counted}"));
    bar.set_length(total);
    bar.with_style(style.expect("a fixed, valid template"))
        .with_prefix(name)
}

fn spinner(name: &'static str) -> ProgressBar {
    let Some(bar) = on_terminal(name) else {
        return ProgressBar::hidden();
    };
    let style = ProgressStyle::with_template("{prefix:24} {spinner} {elapsed}");
    bar.with_style(style.expect("a fixed, valid template"))
        .with_prefix(name)
}

/// A bar on a terminal; elsewhere one line says what begins.
fn on_terminal(name: &str) -> Option<ProgressBar> {
    if !std::io::stderr().is_terminal() {
        // Where nobody reads it, nobody misses it.
        writeln!(std::io::stderr(), "{name} …").ok();
        return None;
    }
    let bar = ProgressBar::no_length();
    bar.enable_steady_tick(Duration::from_millis(200));
    Some(bar)
}
