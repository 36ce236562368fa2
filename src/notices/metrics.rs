//! Defines the metrics of notices to account holders.

use metrics::{counter, describe_counter};

use super::mailer::NoticeSendError;

const SENT: &str = "postduif_notices_sent_total";
const FAILURES: &str = "postduif_notices_failed_total";

/// Registers every metric at 0, so that an alert can distinguish a value of 0 from a process that is not running.
pub fn register() {
    describe_counter!(SENT, "Notices that the mail server accepted");
    describe_counter!(
        FAILURES,
        "Attempts to send a notice that failed, by cause: no mail server answers or accepts the login (unreachable), it asks to try later (deferred), it refuses the recipient (rejected), or the account's e-mail address is not usable (invalid_email)"
    );
    counter!(SENT).increment(0);
    for cause in NoticeSendError::CAUSES {
        counter!(FAILURES, "cause" => cause).increment(0);
    }
}

pub(super) fn count_sent() {
    counter!(SENT).increment(1);
}

pub(super) fn count_failure(error: &NoticeSendError) {
    counter!(FAILURES, "cause" => error.cause()).increment(1);
}
