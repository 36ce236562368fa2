//! Defines the metrics of notices to account holders.

use super::mailer::NoticeSendError;
use crate::metric::{CounterMetric, LabeledCounter, define_metrics};

define_metrics! {
    pub fn register() {}

    pub(super) const SENT = CounterMetric::new("postduif_notices_sent_total", "Notices that the mail server accepted");
    pub(super) const FAILURES = LabeledCounter::new(
        "postduif_notices_failed_total",
        "cause",
        "Attempts to send a notice that failed, by cause: no mail server answers or accepts the login (unreachable), it asks to try later (deferred), it refuses the recipient (rejected), or the account's e-mail address is not usable (invalid_email)",
    ) for &NoticeSendError::CAUSES;
}
