//! What the program refuses so that a mistake of an operator does not reach customers: another area in place of the served
//! one, a data folder that does not exist, and an accounts database without keys.

mod areas;
mod data_paths;
mod keys;

use std::path::Path;

use crate::process::run;

/// Runs a command on a data folder, checks its exit code, and returns its standard error.
#[track_caller]
fn stderr_of(arguments: &[&str], data: &Path, code: i32) -> String {
    let data = data.to_str().expect("a temporary path is UTF-8");
    let output = run(&[arguments, &["--data", data]].concat());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    message
}
