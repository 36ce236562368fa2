//! How far long work is: bars on a terminal, a line per step elsewhere.

use std::collections::HashMap;
use std::io::{IsTerminal, Write as _};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use postduif_schema::{Progress, Step};

const COUNTED: &str = "{wide_bar} {human_pos}/{human_len} ({per_sec}, {eta} left)";
const BYTES: &str = "{wide_bar} {bytes}/{total_bytes} ({bytes_per_sec}, {eta} left)";
const TIMED: &str = "{spinner} {elapsed}";
const TICK: Duration = Duration::from_millis(200);

/// Shows builds, and mutations that are applied, on standard error.
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
        // One delivery after another goes through the same steps.
        if let Some(bar) = self.bars().get(&step)
            && !bar.is_hidden()
        {
            bar.reset();
            bar.set_length(total);
            return;
        }
        let bar = match step {
            _ if total == 0 => bar(name(step), TIMED),
            Step::Read | Step::Upload => bar(name(step), BYTES),
            Step::Index | Step::Register | Step::Verify | Step::Check => bar(name(step), COUNTED),
        };
        let bar = self.all.add(bar);
        bar.set_length(total);
        bar.enable_steady_tick(TICK);
        self.bars().insert(step, bar);
    }

    fn advance(&self, step: Step, count: u64) {
        if let Some(bar) = self.bars().get(&step) {
            bar.inc(count);
        }
    }

    fn end(&self, step: Step) {
        if let Some(bar) = self.bars().get(&step) {
            bar.finish();
        }
    }
}

fn name(step: Step) -> &'static str {
    match step {
        Step::Read => "reading the delivery",
        Step::Index => "writing the index",
        Step::Register => "writing the register",
        Step::Verify => "checking and publishing",
        Step::Check => "checking",
        Step::Upload => "uploading",
    }
}

/// A bar on a terminal; elsewhere one line says what begins.
fn bar(name: &'static str, counted: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        // Where nobody reads it, nobody misses it.
        writeln!(std::io::stderr(), "{name} …").ok();
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{prefix:24}} {counted}"));
    let style = style.expect("a fixed, valid template");
    ProgressBar::no_length().with_style(style).with_prefix(name)
}
