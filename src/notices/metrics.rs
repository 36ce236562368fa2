//! The figures of notices to account holders.

use metrics::{counter, describe_counter};

use super::mailer::NoticeSendError;

const SENT: &str = "postduif_notices_sent_total";
const FAILURES: &str = "postduif_notice_failures_total";

/// Shows every figure from the start, so that an alarm can tell nothing from nobody.
pub fn begin() {
    describe_counter!(SENT, "Notices that the mail server accepted");
    describe_counter!(
        FAILURES,
        "Attempts to send a notice that failed, by cause: the mail server is away, it wants it later, it refused, or the account has no usable address"
    );
    counter!(SENT).increment(0);
    for cause in NoticeSendError::CAUSES {
        counter!(FAILURES, "cause" => cause).increment(0);
    }
}

pub(super) fn sent() {
    counter!(SENT).increment(1);
}

pub(super) fn failed(unsent: &NoticeSendError) {
    counter!(FAILURES, "cause" => unsent.cause()).increment(1);
}
