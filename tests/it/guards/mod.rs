//! Tests refusals that keep mistakes of an operator away from customers: a build of another area, a missing data folder, an
//! accounts database without keys, and a special file in place of a regular one.

mod areas;
mod data_paths;
mod keys;
mod special_files;

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::{KillOnDrop, postduif, wait_until};

/// Waits until a command ends; returns its exit code and its standard error. The wait has a time limit, because a service that
/// wrongly starts would never end.
#[track_caller]
fn end_of(mut command: Command) -> (Option<i32>, String) {
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = KillOnDrop(child.expect("the binary starts"));
    let mut status = None;
    wait_until(&format!("it ends: {command:?}"), || {
        status = child.0.try_wait().expect("a child");
        status.is_some()
    });
    let mut message = String::new();
    let mut stderr = child.0.stderr.take().expect("piped");
    stderr.read_to_string(&mut message).expect("UTF-8");
    (status.and_then(|status| status.code()), message)
}

/// Runs a command on a data folder, checks its exit code, and returns its standard error.
#[track_caller]
fn stderr_of(arguments: &[&str], data: &Path, code: i32) -> String {
    let mut command = postduif();
    command.args(arguments).arg("--data").arg(data);
    let (found, message) = end_of(command);
    assert_eq!(found, Some(code), "{arguments:?}: {message}");
    message
}
