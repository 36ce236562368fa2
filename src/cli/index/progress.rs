//! How far a build is: bars on a terminal, a line per step elsewhere.

use std::collections::HashMap;
use std::io::{IsTerminal, Write as _};
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use postduif_indexer::{Progress, Step};

/// Shows a build on standard error.
pub(super) struct Shown {
    all: MultiProgress,
    bars: Mutex<HashMap<Step, ProgressBar>>,
    terminal: bool,
}

impl Default for Shown {
    fn default() -> Self {
        let terminal = std::io::stderr().is_terminal();
        Self { all: MultiProgress::new(), bars: Mutex::default(), terminal }
    }
}

impl Progress for Shown {
    fn begin(&self, step: Step, total: u64) {
        let mut bars = self.bars.lock().expect("no thread panics while it holds the lock");
        if let Some(bar) = bars.get(&step) {
            bar.inc_length(total);
            return;
        }
        if self.terminal {
            bars.insert(step, self.all.add(bar(step, total)));
        } else {
            // Where nobody reads the progress, nobody misses it.
            writeln!(std::io::stderr(), "{} …", name(step)).ok();
            bars.insert(step, ProgressBar::hidden());
        }
    }

    fn advance(&self, step: Step, count: u64) {
        let bars = self.bars.lock().expect("no thread panics while it holds the lock");
        if let Some(bar) = bars.get(&step) {
            bar.inc(count);
        }
    }

    fn end(&self, step: Step) {
        let bars = self.bars.lock().expect("no thread panics while it holds the lock");
        if let Some(bar) = bars.get(&step).filter(|bar| Some(bar.position()) >= bar.length()) {
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
    }
}

fn bar(step: Step, total: u64) -> ProgressBar {
    let counted = match step {
        Step::Read => "{bytes}/{total_bytes} ({bytes_per_sec}, {eta} left)",
        Step::Index | Step::Register => "{human_pos}/{human_len} ({per_sec}, {eta} left)",
        Step::Verify => "",
    };
    let template = format!("{{prefix:24}} {{wide_bar}} {counted}");
    let style = ProgressStyle::with_template(&template).expect("a fixed, valid template");
    let bar = ProgressBar::new(total).with_style(style).with_prefix(name(step));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
