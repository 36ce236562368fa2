//! Remembers why the register cannot be used, logs this once, and sets a metric.

use super::metrics;

/// Why the register cannot be used; `None` if it can.
#[derive(Default)]
pub(super) struct RegisterFault(Option<String>);

impl RegisterFault {
    /// Sets the reason and the metric, and logs a change.
    pub(super) fn set(&mut self, reason: Option<String>) {
        metrics::REGISTER_UNUSABLE.set_flag(reason.is_some());
        if self.0 == reason {
            return;
        }
        match &reason {
            Some(reason) => {
                let remedy = "put the newest extract into the inbox, and the later mutations from applied/; until the mutations are applied again, the addresses of the extract are served";
                tracing::error!(reason, remedy, "the register cannot be used any more");
            }
            None => tracing::info!("the register can be used again"),
        }
        self.0 = reason;
    }

    pub(super) fn reason(&self) -> Option<&String> {
        self.0.as_ref()
    }
}
