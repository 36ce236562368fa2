//! Defines the metrics of notices to account holders.

use super::mailer::NoticeSendError;
use crate::metric::{CounterMetric, LabeledCounter};

pub(super) const SENT: CounterMetric = CounterMetric::new(
    "postduif_notices_sent_total",
    "Notices that the mail server accepted",
);
/// Failed attempts to send a notice. The label is the [cause](NoticeSendError::cause).
pub(super) const FAILURES: LabeledCounter = LabeledCounter::new(
    "postduif_notices_failed_total",
    "cause",
    "Attempts to send a notice that failed, by cause: no mail server answers or accepts the login (unreachable), it asks to try later (deferred), it refuses the recipient (rejected), or the account's e-mail address is not usable (invalid_email)",
);

/// Registers every metric at 0.
pub fn register() {
    SENT.register();
    FAILURES.register(&NoticeSendError::CAUSES);
}
