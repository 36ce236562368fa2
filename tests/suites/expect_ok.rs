//! Awaits results that a test expects to be `Ok`.

use std::fmt::Debug;
use std::panic::Location;

/// Awaits a result and returns its value. An error fails the test at the line of the caller.
#[track_caller]
pub(crate) fn expect_ok<T, E: Debug>(
    work: impl Future<Output = Result<T, E>>,
) -> impl Future<Output = T> {
    let caller = Location::caller();
    async move {
        let outcome = work.await;
        outcome.unwrap_or_else(|error| panic!("{caller}: {error:?}"))
    }
}
