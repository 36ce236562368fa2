//! Tests that each notice is delivered once per period through a real SMTP server, despite crashes, outages and several nodes.

mod changes;
mod outages;
mod sending;
mod sink;

use std::time::Duration;

use jiff::Timestamp;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::instrument::WithSubscriber as _;

use super::{Mailer, run};
use crate::accounts::tests::watch::{LIMIT, Log};
use crate::accounts::tests::{add_account, notices};
use crate::accounts::{Account, AccountStore};
use crate::clock::Clock;

/// The start of the billing period in every test. The period has thirty days.
fn period_start() -> Timestamp {
    "2026-11-01T00:00:00Z".parse().expect("a timestamp")
}

/// A clock that shows a time ten days after the start of the period.
fn clock() -> Clock {
    let clock = Clock::fake(period_start());
    clock.advance(Duration::from_secs(10 * 86_400));
    clock
}

/// Opens an account and puts its notice of 80 percent into the outbox.
async fn insert_due_notice(store: &AccountStore, email: &str) -> Account {
    let account = add_account(store, email).await.account;
    notices::insert(store, account.id, 80, period_start()).await;
    account
}

fn mailer(url: &str) -> Mailer {
    let server = lettre::AsyncSmtpTransport::<lettre::Tokio1Executor>::from_url(url);
    let from = "postduif <notices@example.org>";
    Mailer::new(server.expect("a URL"), from.parse().expect("a mailbox"))
}

/// A running sender, with its log.
struct Node {
    log: Log,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Node {
    fn start(store: &AccountStore, url: &str, clock: &Clock) -> Self {
        Self::start_with_mailer(store, Some(mailer(url)), clock)
    }

    fn start_with_mailer(store: &AccountStore, mailer: Option<Mailer>, clock: &Clock) -> Self {
        let (log, stop) = (Log::default(), CancellationToken::new());
        let subscriber = log.subscriber();
        let run = run(store.clone(), mailer, clock.clone(), stop.clone());
        let task = tokio::spawn(run.with_subscriber(subscriber));
        Self { log, stop, task }
    }

    /// Stops the sender in an orderly way, and returns the log.
    async fn stop(self) -> String {
        self.stop.cancel();
        self.task.await.expect("no task panics");
        self.log.text()
    }

    /// Ends the node like a kill of its process.
    async fn kill(self) {
        self.task.abort();
        let ended = self.task.await.expect_err("the task was running");
        assert!(ended.is_cancelled());
    }
}

/// Waits until `expected` notices are marked as sent.
async fn until_sent(store: &AccountStore, expected: usize) {
    let wait = async {
        while notices::sent(store).await.len() != expected {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let seen = tokio::time::timeout(LIMIT, wait).await;
    seen.unwrap_or_else(|_| panic!("never saw {expected} notices marked as sent"));
}

/// Advances the clock until there have been `expected` attempts.
async fn until_tried(store: &AccountStore, clock: &Clock, expected: i64) {
    let wait = async {
        while notices::attempts(store).await != expected {
            clock.advance(Duration::from_secs(1));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let seen = tokio::time::timeout(LIMIT, wait).await;
    seen.unwrap_or_else(|_| panic!("never saw {expected} attempts"));
}
