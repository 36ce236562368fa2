//! Creates the runtimes of commands.

use anyhow::Context as _;
use tokio::runtime::{Builder, Runtime};

/// A runtime for a command that waits for one thing at a time.
pub(super) fn new_current_thread_runtime() -> anyhow::Result<Runtime> {
    build(&mut Builder::new_current_thread())
}

/// A runtime with two threads, for commands that transfer files or watch a folder.
pub(super) fn new_two_thread_runtime() -> anyhow::Result<Runtime> {
    build(Builder::new_multi_thread().worker_threads(2))
}

/// The runtime of a service. It has a thread for each processor core.
pub(super) fn new_service_runtime() -> anyhow::Result<Runtime> {
    build(&mut Builder::new_multi_thread())
}

fn build(builder: &mut Builder) -> anyhow::Result<Runtime> {
    builder.enable_all().build().context("starting the runtime")
}
