//! Runs blocking work on a new thread that ends when the work is done.
//!
//! An allocator with a heap for each thread keeps memory that the thread has freed, and returns this memory to the system only
//! when the thread ends. Tokio reuses its blocking threads, so they would keep the memory of every generation that they opened.
//! Source: mimalloc 3, `mi_theap_collect_ex` in theap.c and `mi_arenas_try_purge` in arena.c.

use std::io;
use std::thread;

use tokio::sync::oneshot;

/// Why the work has no result.
#[derive(Debug, thiserror::Error)]
pub(super) enum ThreadError {
    #[error("cannot start a thread: {0}")]
    NotStarted(#[from] io::Error),
    #[error(
        "the thread panicked, which is a bug in postduif; the log names the line of the source code"
    )]
    Panicked,
}

/// Runs the work to its end, even if the caller stops waiting.
pub(super) async fn run_on_own_thread<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ThreadError> {
    let (sender, result) = oneshot::channel();
    // Sending fails if the caller has stopped waiting; the result is then dropped.
    let work = move || sender.send(work()).map_or((), drop);
    thread::Builder::new().name(name.to_owned()).spawn(work)?;
    result.await.map_err(|_| ThreadError::Panicked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_result_or_a_panic_is_returned() {
        let sum = run_on_own_thread("sum", || 1 + 1).await;
        assert_eq!(sum.expect("no panic"), 2);
        let panicked = run_on_own_thread("panic", || assert!(thread::panicking(), "a bug")).await;
        let error = panicked.expect_err("the work panicked").to_string();
        assert!(error.contains("panicked"), "{error}");
    }
}
