//! Shows the progress of long work: a bar if standard error is a terminal, otherwise one line at the start.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

const TEMPLATE: &str = "{prefix:24} {wide_bar} {human_pos}/{human_len} ({per_sec}, {eta} left)";
const TICK: Duration = Duration::from_millis(200);

/// Starts a bar on standard error. If standard error is no terminal, prints the name of the work and returns a hidden bar.
pub(crate) fn progress_bar(name: &'static str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        // Ignore an error, because the line is only for information and standard error may be closed.
        writeln!(std::io::stderr(), "{name} …").ok();
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(TEMPLATE).expect("a fixed, valid template");
    let bar = ProgressBar::no_length().with_style(style).with_prefix(name);
    bar.enable_steady_tick(TICK);
    bar
}
