//! The command line: arguments, output and exit codes (0 done, 1 failed, 2 refused, 64 usage).

mod arguments;
mod command;
mod failure;
mod output;
mod progress_bar;

pub(crate) use arguments::Arguments;
pub(crate) use command::run;
pub(crate) use failure::report_usage;
