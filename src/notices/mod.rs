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

use crate::accounts::{Ledger, LedgerError, Notice, NoticeId};
use crate::clock::Clock;
pub use mailer::Mailer;
use mailer::Unsent;

/// How often the outbox is looked at.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How long the database may take for one answer.
const DATABASE_PATIENCE: Duration = Duration::from_secs(10);

/// How long a mark that was not made rests before the next try.
const MARK_REST: Duration = Duration::from_millis(500);

/// How long a notice rests after its first failure; twice as long after every further one.
const FIRST_REST: Duration = Duration::from_secs(5);
const LONGEST_REST: Duration = Duration::from_secs(3600);

/// An address that is refused this long after the notice was made, and not just once or twice, is given up.
const REFUSED_FOR: Duration = Duration::from_secs(24 * 3600);
const REFUSED_TIMES: u32 = 5;

/// Sends what the outbox holds until `stop` is cancelled; a message that is under way then is finished first. Without a mailer
/// nothing is taken out; one line says so where notices are due.
pub async fn run(ledger: Ledger, mailer: Option<Mailer>, clock: Clock, stop: CancellationToken) {
    let Some(mailer) = mailer else {
        return tell_waiting(&ledger, clock.now()).await;
    };
    let mut sender = Sender {
        ledger,
        mailer,
        clock,
        server_away: false,
        database_away: false,
    };
    let mut ticks = interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        while !stop.is_cancelled() && sender.deliver_one(&stop).await {}
    }
}

async fn tell_waiting(ledger: &Ledger, now: Timestamp) {
    match in_time(ledger.notices_due(now)).await {
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

struct Sender {
    ledger: Ledger,
    mailer: Mailer,
    clock: Clock,
    server_away: bool,
    database_away: bool,
}

impl Sender {
    /// Tries to send one notice, and says whether it is worth trying another one at once.
    async fn deliver_one(&mut self, stop: &CancellationToken) -> bool {
        let claimed = in_time(self.ledger.claim_notice(self.clock.now())).await;
        let notice = match claimed {
            Ok(notice) => notice,
            Err(error) => {
                self.database_failed(&error);
                return false;
            }
        };
        self.database_answered();
        let Some(notice) = notice else {
            return false;
        };
        match self.mailer.send(&notice).await {
            Ok(()) => {
                self.server_answered();
                metrics::sent();
                self.mark(notice.id, stop).await;
                true
            }
            Err(unsent) => self.not_sent(&notice, &unsent).await,
        }
    }

    /// Goes on until the mark is made: without it the notice would be sent again.
    async fn mark(&mut self, id: NoticeId, stop: &CancellationToken) {
        loop {
            match in_time(self.ledger.mark_notice_sent(id, self.clock.now())).await {
                Ok(()) => return self.database_answered(),
                Err(error) => self.database_failed(&error),
            }
            if stop.is_cancelled() {
                tracing::error!(account = %id.account, "stopped before a notice was marked as sent; it will be sent again");
                return;
            }
            sleep(MARK_REST).await;
        }
    }

    /// Puts the notice off and says whether the server may take others.
    async fn not_sent(&mut self, notice: &Notice, unsent: &Unsent) -> bool {
        metrics::failed(unsent);
        let now = self.clock.now();
        let mut until = now + rest(notice.attempts);
        if unsent.is_final(notice, now) {
            until = notice.period_end;
            let (account, attempts) = (notice.id.account, notice.attempts);
            tracing::warn!(%account, attempts, "notice given up: {unsent}");
        }
        // Where this fails, the notice comes back when the claim is over.
        if let Err(error) = in_time(self.ledger.put_off_notice(notice.id, until)).await {
            self.database_failed(&error);
        }
        if let Unsent::Away(error) = unsent {
            self.server_failed(error);
            return false;
        }
        self.server_answered();
        true
    }

    fn server_failed(&mut self, error: &str) {
        if !std::mem::replace(&mut self.server_away, true) {
            tracing::error!(error, "mail server is away; notices wait");
        }
    }

    fn server_answered(&mut self) {
        if std::mem::take(&mut self.server_away) {
            tracing::info!("mail server is back");
        }
    }

    fn database_failed(&mut self, error: &str) {
        if !std::mem::replace(&mut self.database_away, true) {
            tracing::error!(error, "the outbox of notices is away");
        }
    }

    fn database_answered(&mut self) {
        if std::mem::take(&mut self.database_away) {
            tracing::info!("the outbox of notices is back");
        }
    }
}

impl Unsent {
    /// Whether trying again is of no use.
    fn is_final(&self, notice: &Notice, now: Timestamp) -> bool {
        match self {
            Self::Away(_) | Self::Later(_) => false,
            Self::NoAddress => true,
            Self::Refused(_) => {
                now >= notice.created_at + REFUSED_FOR && notice.attempts >= REFUSED_TIMES
            }
        }
    }
}

/// How long a notice rests after this many attempts.
fn rest(attempts: u32) -> Duration {
    let doubled = 2_u32.saturating_pow(attempts.saturating_sub(1));
    FIRST_REST.saturating_mul(doubled).min(LONGEST_REST)
}

/// What the ledger answers, or why it does not, for a log.
async fn in_time<T>(answer: impl Future<Output = Result<T, LedgerError>>) -> Result<T, String> {
    match timeout(DATABASE_PATIENCE, answer).await {
        Ok(answer) => answer.map_err(|error| format!("{:#}", anyhow::Error::from(error))),
        Err(elapsed) => Err(elapsed.to_string()),
    }
}
