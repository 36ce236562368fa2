//! Ends the process when its main thread panics.
//!
//! Without this hook the process could hang: the panic drops a tokio runtime or a thread scope, which then waits for its threads,
//! and these threads wait for the main thread. The usual cause of such a panic is that the system refuses to start more threads. If
//! another thread panics, the code that waits for its result handles the panic.

use std::io::Write as _;
use std::{panic, process, thread};

use anyhow::anyhow;

use super::outcome::with_advice;

/// The exit code of a command that failed.
const FAILED: i32 = 1;

/// Texts in the panic messages of libraries that cannot start a thread: two forms of `EAGAIN`, and the word `spawn`.
const NO_THREAD: [&str; 3] = ["os error 11)", "code: 11,", "spawn"];

const NO_THREAD_ADVICE: &str = "the system starts no more threads: raise its limits of processes and memory (ulimit -u, ulimit -v, TasksMax=)";

/// Extends the current panic hook, so that a panic of the calling thread ends the process. Call this function on the main thread,
/// and call it again after another hook was set.
pub(super) fn exit_on_main_panic() {
    let (report, main) = (panic::take_hook(), thread::current().id());
    panic::set_hook(Box::new(move |panic| {
        report(panic);
        if thread::current().id() == main {
            let message = panic.payload_as_str().unwrap_or("no message");
            // If standard error is closed, the exit code still reports the failure.
            writeln!(std::io::stderr(), "postduif: {}", describe(message)).ok();
            process::exit(FAILED);
        }
    }));
}

fn describe(message: &str) -> String {
    let error = with_advice(&anyhow!("stopped by an internal error: {message}"));
    match NO_THREAD.iter().any(|text| message.contains(text)) {
        true => format!("{error}; {NO_THREAD_ADVICE}"),
        false => error,
    }
}
