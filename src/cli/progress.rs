//! Shows the progress of long commands. On a terminal it shows bars; otherwise it prints one line per step.

use std::collections::HashMap;
use std::io::{IsTerminal, Write as _};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use postduif_schema::{IndexProgress, IndexStep};

pub(super) const COUNT_TEMPLATE: &str =
    "{wide_bar} {human_pos}/{human_len} ({per_sec}, {eta} left)";
pub(super) const BYTES_TEMPLATE: &str =
    "{wide_bar} {bytes}/{total_bytes} ({bytes_per_sec}, {eta} left)";
pub(super) const SPINNER_TEMPLATE: &str = "{spinner} {elapsed}";
pub(super) const TICK_INTERVAL: Duration = Duration::from_millis(200);

/// Shows the progress of builds, applies, uploads and downloads on standard error.
#[derive(Default)]
pub(super) struct TerminalProgress {
    multi: MultiProgress,
    bars: Mutex<HashMap<IndexStep, ProgressBar>>,
}

impl TerminalProgress {
    fn bars(&self) -> MutexGuard<'_, HashMap<IndexStep, ProgressBar>> {
        self.bars
            .lock()
            .expect("no thread panics while it holds the lock")
    }
}

impl IndexProgress for TerminalProgress {
    fn begin(&self, step: IndexStep, total: u64) {
        // A further delivery has the same steps, so its steps use the bars that exist already.
        if let Some(bar) = self.bars().get(&step)
            && !bar.is_hidden()
        {
            bar.reset();
            bar.set_length(total);
            return;
        }
        let bar = match step {
            _ if total == 0 => new_bar(step_label(step), SPINNER_TEMPLATE),
            IndexStep::Read | IndexStep::Upload | IndexStep::Download => {
                new_bar(step_label(step), BYTES_TEMPLATE)
            }
            IndexStep::Index
            | IndexStep::Register
            | IndexStep::Verify
            | IndexStep::VerifyBeforeUpload => new_bar(step_label(step), COUNT_TEMPLATE),
        };
        let bar = self.multi.add(bar);
        bar.set_length(total);
        bar.enable_steady_tick(TICK_INTERVAL);
        self.bars().insert(step, bar);
    }

    fn advance(&self, step: IndexStep, count: u64) {
        if let Some(bar) = self.bars().get(&step) {
            bar.inc(count);
        }
    }

    fn end(&self, step: IndexStep) {
        if let Some(bar) = self.bars().get(&step) {
            bar.finish();
        }
    }
}

fn step_label(step: IndexStep) -> &'static str {
    match step {
        IndexStep::Read => "reading the delivery",
        IndexStep::Index => "writing the index",
        IndexStep::Register => "writing the register",
        IndexStep::Verify => "checking and publishing",
        IndexStep::VerifyBeforeUpload => "checking",
        IndexStep::Upload => "uploading",
        IndexStep::Download => "downloading",
    }
}

/// Returns a bar. If standard error is not a terminal, the bar is hidden and one line is printed instead.
pub(super) fn new_bar(name: &'static str, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        // Progress is optional, so ignore an error of standard error.
        writeln!(std::io::stderr(), "{name} …").ok();
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{prefix:24}} {template}"));
    let style = style.expect("the template is a valid constant");
    ProgressBar::no_length().with_style(style).with_prefix(name)
}
