//! Notices to account holders: most of the bundle is used, all of it is used. One e-mail each per billing period.
//!
//! Whoever counts a bundle puts a notice into the outbox, in the ledger. [`run`] takes one after the other out of it and gives
//! it to a mail server; no request waits for that. A notice is marked once the server has accepted it, so none is lost, and is
//! claimed before it is sent, so of several nodes one sends it. While the mail server is away notices wait.
//!
//! One window stays open, as for everybody who speaks SMTP: when the process dies, or the connection breaks, after the server
//! accepted a message and before the mark is made, the notice goes out again some minutes later. Its `Message-ID` is then the
//! same, so that a mailbox can tell. The clocks of the nodes may be apart by less than a claim lasts. Source: RFC 1047.

mod mailer;
pub mod metrics;
#[cfg(test)]
mod tests;
mod text;

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::accounts::{AccountStore, AccountStoreError, Notice, NoticeId};
use crate::clock::Clock;
pub use mailer::Mailer;
use mailer::NoticeSendError;

/// How often the outbox is looked at.
const OUTBOX_POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How long the database may take for one answer.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a mark that was not made rests before the next try.
const MARK_RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// How long a notice rests after its first failure; twice as long after every further one.
const FIRST_RETRY_DELAY: Duration = Duration::from_secs(5);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(3600);

/// An address that is refused this long after the notice was made, and not just once or twice, is given up.
const REJECTED_MIN_AGE: Duration = Duration::from_secs(24 * 3600);
const REJECTED_MIN_ATTEMPTS: u32 = 5;

/// Sends what the outbox holds until `stop` is cancelled; a message that is under way then is finished first. Without a mailer
/// nothing is taken out; one line says so where notices are due.
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
        server_unreachable: false,
        database_unreachable: false,
    };
    let mut ticks = interval(OUTBOX_POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        while !stop.is_cancelled() && sender.send_next(&stop).await {}
    }
}

async fn log_due_notices(store: &AccountStore, now: Timestamp) {
    match with_timeout(store.count_due_notices(now)).await {
        Ok(0) => {}
        Ok(notices) => {
            tracing::warn!(
                notices,
                "notices are due, but smtp_url is empty; they wait until their period ends"
            );
        }
        Err(error) => tracing::warn!(error, "the outbox of notices cannot be looked at"),
    }
}

struct OutboxSender {
    store: AccountStore,
    mailer: Mailer,
    clock: Clock,
    server_unreachable: bool,
    database_unreachable: bool,
}

impl OutboxSender {
    /// Tries to send one notice, and says whether it is worth trying another one at once.
    async fn send_next(&mut self, stop: &CancellationToken) -> bool {
        let claimed = with_timeout(self.store.claim_notice(self.clock.now())).await;
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
                metrics::count_sent();
                self.mark_sent(notice.id, stop).await;
                true
            }
            Err(unsent) => self.reschedule(&notice, &unsent).await,
        }
    }

    /// Goes on until the mark is made: without it the notice would be sent again.
    async fn mark_sent(&mut self, id: NoticeId, stop: &CancellationToken) {
        loop {
            match with_timeout(self.store.mark_notice_sent(id, self.clock.now())).await {
                Ok(()) => return self.on_database_success(),
                Err(error) => self.on_database_failure(&error),
            }
            if stop.is_cancelled() {
                tracing::error!(account = %id.account_id, "stopped before a notice was marked as sent; it will be sent again");
                return;
            }
            sleep(MARK_RETRY_INTERVAL).await;
        }
    }

    /// Puts the notice off and says whether the server may take others.
    async fn reschedule(&mut self, notice: &Notice, unsent: &NoticeSendError) -> bool {
        metrics::count_failure(unsent);
        let now = self.clock.now();
        let mut retry_at = now + retry_delay(notice.attempts);
        if unsent.is_final(notice, now) {
            retry_at = notice.period_end;
            let (account, attempts) = (notice.id.account_id, notice.attempts);
            tracing::warn!(%account, attempts, "notice given up: {unsent}");
        }
        // Where this fails, the notice comes back when the claim is over.
        if let Err(error) = with_timeout(self.store.postpone_notice(notice.id, retry_at)).await {
            self.on_database_failure(&error);
        }
        if let NoticeSendError::ServerUnavailable(error) = unsent {
            self.on_server_failure(error);
            return false;
        }
        self.on_server_success();
        true
    }

    fn on_server_failure(&mut self, error: &str) {
        if !std::mem::replace(&mut self.server_unreachable, true) {
            tracing::error!(error, "mail server is away; notices wait");
        }
    }

    fn on_server_success(&mut self) {
        if std::mem::take(&mut self.server_unreachable) {
            tracing::info!("mail server is back");
        }
    }

    fn on_database_failure(&mut self, error: &str) {
        if !std::mem::replace(&mut self.database_unreachable, true) {
            tracing::error!(error, "the outbox of notices is away");
        }
    }

    fn on_database_success(&mut self) {
        if std::mem::take(&mut self.database_unreachable) {
            tracing::info!("the outbox of notices is back");
        }
    }
}

impl NoticeSendError {
    /// Whether trying again is of no use.
    fn is_final(&self, notice: &Notice, now: Timestamp) -> bool {
        match self {
            Self::ServerUnavailable(_) | Self::Deferred(_) => false,
            Self::InvalidEmail => true,
            Self::Rejected(_) => {
                now >= notice.created_at + REJECTED_MIN_AGE
                    && notice.attempts >= REJECTED_MIN_ATTEMPTS
            }
        }
    }
}

/// How long a notice rests after this many attempts.
fn retry_delay(attempts: u32) -> Duration {
    let doubled = 2_u32.saturating_pow(attempts.saturating_sub(1));
    FIRST_RETRY_DELAY
        .saturating_mul(doubled)
        .min(MAX_RETRY_DELAY)
}

/// What the ledger answers, or why it does not, for a log.
async fn with_timeout<T>(
    answer: impl Future<Output = Result<T, AccountStoreError>>,
) -> Result<T, String> {
    match timeout(DATABASE_TIMEOUT, answer).await {
        Ok(answer) => answer.map_err(|error| format!("{:#}", anyhow::Error::from(error))),
        Err(elapsed) => Err(elapsed.to_string()),
    }
}
