//! Sends e-mail notices to account holders. Two notices are about the quota, each sent once per billing period: one when 80 % of the quota
//! is used, and one when all of it is used. The others are about changes: a key was rotated, or the e-mail address was changed.
//!
//! There are two outboxes, which are tables of the accounts database. The code that counts a quota or makes a change puts a notice into an
//! outbox. [`run`] sends the notices through a mail server; no request waits for the mail server. A node claims a notice before it sends
//! it, so only one of several nodes sends the notice. A notice is marked as sent or deleted only after the server has accepted it, so no
//! notice is lost. Notices wait while the server cannot be used.
//!
//! A notice is sent twice if the process dies or the connection breaks after the server accepted the message and before the notice is
//! marked. SMTP cannot avoid that. Both messages have the same `Message-ID`, so a mailbox can drop the duplicate. The clocks of the nodes
//! must differ by less than the duration of a claim. Source: RFC 1047.

mod change_text;
mod mailer;
pub mod metrics;
#[cfg(test)]
mod tests;
mod text;

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use crate::accounts::{
    AccountStore, AccountStoreError, Notice, claim_notice, count_due_notices, mark_notice_sent,
    postpone_notice,
};
use crate::clock::Clock;
use mailer::NoticeSendError;
pub use mailer::{Mailer, can_receive_notices};

/// How often the outboxes are read.
const OUTBOX_POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The time limit of a database query.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(10);

/// The pause before another attempt to mark a notice as sent.
const MARK_RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// The delay after the first failed attempt to send a notice. Each further failure doubles the delay.
const FIRST_RETRY_DELAY: Duration = Duration::from_secs(5);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(3600);

/// A mail server may refuse a recipient only for a while. So a rejected notice is given up only if it is at least this old and was
/// attempted this many times.
const REJECTED_MIN_AGE: Duration = Duration::from_secs(24 * 3600);
const REJECTED_MIN_ATTEMPTS: u32 = 5;

/// Sends the notices in the outboxes until `stop` is cancelled; the current message is finished first. Without a mailer, notices stay in
/// the outboxes, and due notices are logged once.
pub async fn run(
    store: AccountStore,
    mailer: Option<Mailer>,
    clock: Clock,
    stop: CancellationToken,
) {
    let Some(mailer) = mailer else {
        return log_due_notices(&store, clock.now()).await;
    };
    let mut sender = OutboxSender {
        store,
        mailer,
        clock,
        server_unavailable: false,
        database_unreachable: false,
    };
    let mut ticks = interval(OUTBOX_POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        while !stop.is_cancelled() && sender.send_next(&stop).await {}
    }
}

async fn log_due_notices(store: &AccountStore, now: Timestamp) {
    match with_timeout(count_due_notices(store, now)).await {
        Ok(0) => {}
        Ok(notices) => {
            tracing::warn!(
                notices,
                "notices are due, but smtp_url is empty, so they are not sent; a quota notice expires when its billing period ends, any other notice after 7 days or, if later, when the rotated key expires"
            );
        }
        Err(error) => tracing::warn!(error, "cannot read the outbox of notices"),
    }
}

struct OutboxSender {
    store: AccountStore,
    mailer: Mailer,
    clock: Clock,
    server_unavailable: bool,
    database_unreachable: bool,
}

impl OutboxSender {
    /// Sends the next notice. Returns true if the caller should try another notice at once.
    async fn send_next(&mut self, stop: &CancellationToken) -> bool {
        let claimed = with_timeout(claim_notice(&self.store, self.clock.now())).await;
        let notice = match claimed {
            Ok(notice) => notice,
            Err(error) => {
                self.on_database_failure(&error);
                return false;
            }
        };
        self.on_database_success();
        let Some(notice) = notice else {
            return false;
        };
        match self.mailer.send(&notice).await {
            Ok(()) => {
                self.on_server_success();
                metrics::SENT.add(1);
                self.mark_sent(&notice, stop).await;
                true
            }
            Err(error) => self.reschedule(&notice, &error).await,
        }
    }

    /// Marks a notice as sent. Retries until the mark is stored, because an unmarked notice would be sent again.
    async fn mark_sent(&mut self, notice: &Notice, stop: &CancellationToken) {
        loop {
            match with_timeout(mark_notice_sent(&self.store, notice, self.clock.now())).await {
                Ok(()) => return self.on_database_success(),
                Err(error) => self.on_database_failure(&error),
            }
            if stop.is_cancelled() {
                tracing::error!(account = %notice.account_id, "stopped before a notice was marked as sent; it will be sent again");
                return;
            }
            sleep(MARK_RETRY_INTERVAL).await;
        }
    }

    /// Sets the time of the next attempt. Returns true if the server may accept other notices.
    async fn reschedule(&mut self, notice: &Notice, error: &NoticeSendError) -> bool {
        metrics::FAILURES.counter(error.cause()).increment(1);
        let now = self.clock.now();
        let mut retry_at = now + retry_delay(notice.attempts);
        if is_final(error, notice, now) {
            retry_at = notice.give_up_at;
            let (account, attempts) = (notice.account_id, notice.attempts);
            tracing::warn!(%account, attempts, "notice cannot be sent and is not retried: {error}");
        }
        // If postponing fails, the notice is tried again when its claim expires.
        if let Err(failure) = with_timeout(postpone_notice(&self.store, notice, retry_at)).await {
            self.on_database_failure(&failure);
        }
        if let NoticeSendError::ServerUnavailable(cause) = error {
            self.on_server_failure(cause);
            return false;
        }
        self.on_server_success();
        true
    }

    fn on_server_failure(&mut self, error: &str) {
        if !std::mem::replace(&mut self.server_unavailable, true) {
            tracing::error!(error, "mail server cannot be used; notices wait");
        }
    }

    fn on_server_success(&mut self) {
        if std::mem::take(&mut self.server_unavailable) {
            tracing::info!("mail server can be used again");
        }
    }

    fn on_database_failure(&mut self, error: &str) {
        if !std::mem::replace(&mut self.database_unreachable, true) {
            tracing::error!(error, "outbox of notices is unreachable");
        }
    }

    fn on_database_success(&mut self) {
        if std::mem::take(&mut self.database_unreachable) {
            tracing::info!("outbox of notices is reachable again");
        }
    }
}

/// True if the notice should not be attempted again.
fn is_final(error: &NoticeSendError, notice: &Notice, now: Timestamp) -> bool {
    match error {
        NoticeSendError::ServerUnavailable(_) | NoticeSendError::Deferred(_) => false,
        NoticeSendError::InvalidEmail => true,
        NoticeSendError::Rejected(_) => {
            now >= notice.created_at + REJECTED_MIN_AGE && notice.attempts >= REJECTED_MIN_ATTEMPTS
        }
    }
}

/// The delay before the next attempt, if this many attempts were made.
fn retry_delay(attempts: u32) -> Duration {
    let doubled = 2_u32.saturating_pow(attempts.saturating_sub(1));
    FIRST_RETRY_DELAY
        .saturating_mul(doubled)
        .min(MAX_RETRY_DELAY)
}

/// Runs a query with a time limit. Returns its result, or the error as a text.
async fn with_timeout<T>(
    query: impl Future<Output = Result<T, AccountStoreError>>,
) -> Result<T, String> {
    let result = crate::accounts::with_timeout(DATABASE_TIMEOUT, query).await;
    result.map_err(|error| format!("{:#}", anyhow::Error::from(error)))
}
