//! Catches panics while a store is read. On some damaged pages, redb panics before it checks the page.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use super::error::{RegisterError, RegisterResult};

thread_local! {
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Runs `read`, and turns a panic into [`RegisterError::Damaged`] without a message on standard error.
pub(super) fn catch_store_panic<T>(
    path: &Path,
    read: impl FnOnce() -> RegisterResult<T>,
) -> RegisterResult<T> {
    silence_caught_panics();
    IS_CATCHING.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(read));
    IS_CATCHING.set(false);
    outcome.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref().copied());
        Err(RegisterError::Damaged {
            path: path.to_owned(),
            place: format!(
                "a page that cannot be read ({})",
                message.unwrap_or("no reason")
            ),
        })
    })
}

/// Installs a panic hook that prints nothing for the panics that are caught here. All other panics go to the previous hook.
fn silence_caught_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_CATCHING.get() {
                hook(panic);
            }
        }));
    });
}
