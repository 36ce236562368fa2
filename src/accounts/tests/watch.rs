//! Tests the directory: denials look the same for every cause, changes arrive without a restart, and keys stay valid while the database is
//! unavailable.

use std::io::{self, Write};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::Dispatch;
use tracing::instrument::WithSubscriber;
use tracing::subscriber::NoSubscriber;

use super::{add_account, client, directory, sql, sqlite, test_time};
use crate::accounts::{
    AcceptedKeys, AccessDenied, AccountRef, AccountStore, AccountTag, ApiKey, CreatedAccount,
    Environment, KEY_POLL_INTERVAL, KeyDirectory, KeyGrant, NewKey, Restrictions, close_account,
    create_key, list_keys, revoke_key,
};
use crate::expect_ok::expect_ok;

/// How long a test waits for an event. The limit only keeps a test from hanging; it is longer than a busy machine needs.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// A directory that follows a store, with the log of the directory.
pub(super) struct Follower {
    pub(super) directory: Arc<KeyDirectory>,
    log: Log,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Follower {
    /// Starts following, at the interval that the service uses.
    pub(super) async fn start(store: &AccountStore) -> Self {
        Self::start_with_interval(KEY_POLL_INTERVAL, store).await
    }

    /// Starts following, at another interval.
    pub(super) async fn start_with_interval(period: Duration, store: &AccountStore) -> Self {
        let directory = Arc::new(directory(store).await);
        let (log, stop) = (Log::default(), CancellationToken::new());
        let (watched, store, stopped) = (directory.clone(), store.clone(), stop.clone());
        let subscriber = log.subscriber();
        let watch = async move { watched.watch(&store, period, &stopped).await };
        let task = tokio::spawn(watch.with_subscriber(subscriber));
        Self {
            directory,
            log,
            stop,
            task,
        }
    }

    /// Waits until the log contains `text`.
    pub(super) async fn until_log(&self, text: &str) {
        wait_until(text, || self.log.text().contains(text)).await;
    }

    /// Waits until the directory refuses `key`.
    pub(super) async fn until_refused(&self, key: &ApiKey) {
        wait_until("the key is refused", || !is_accepted(&self.directory, key)).await;
    }

    /// Stops following, and returns the log.
    pub(super) async fn stop(self) -> String {
        self.stop.cancel();
        self.task.await.expect("the watch does not panic");
        self.log.text()
    }
}

/// True if the directory accepts a key of either environment.
pub(super) fn is_accepted(directory: &KeyDirectory, key: &ApiKey) -> bool {
    try_grant(directory, key).is_ok()
}

/// The grant of a key of either environment.
pub(super) fn try_grant(
    directory: &KeyDirectory,
    key: &ApiKey,
) -> Result<Arc<KeyGrant>, AccessDenied> {
    directory.authenticate(key.reveal().as_bytes(), AcceptedKeys::Any, &client())
}

/// Waits until a condition is true.
pub(crate) async fn wait_until(condition: &str, holds: impl Fn() -> bool) {
    let wait = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(LIMIT, wait)
        .await
        .unwrap_or_else(|_| panic!("waited {LIMIT:?} in vain: {condition}"));
}

/// The value of a counter without labels.
pub(crate) fn counter(metrics: &PrometheusHandle, name: &str) -> u64 {
    let rendered = metrics.render();
    let value = rendered
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.map_or(0, |value| value.parse().expect("a whole number"))
}

/// A log that is kept in memory.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// A tracing subscriber that writes into this log.
    pub(crate) fn subscriber(&self) -> impl tracing::Subscriber + Send + Sync + 'static {
        // With only one subscriber, tracing asks only the current thread whether a log line is enabled, and caches the answer for all
        // threads. A test without a subscriber would then silence this log. With two subscribers, tracing asks all threads.
        static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));
        LazyLock::force(&SECOND);
        let writer = self.clone();
        tracing_subscriber::fmt()
            .with_writer(move || writer.clone())
            .with_ansi(false)
            .finish()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn every_change_reaches_the_directory() {
    // Changes must arrive within a second. How long one takes depends on the machine, so the test checks only the polling interval.
    assert!(KEY_POLL_INTERVAL * 2 < Duration::from_secs(1));
    let (_folder, store) = sqlite::new_store().await;
    // The directory logs a warning if no key is live.
    add_account(&store, "mia@example.nl").await;
    let opened = add_account(&store, "kees@example.nl").await;
    let follower = Follower::start(&store).await;
    let account = AccountRef::Id(opened.account.id);

    let new = NewKey {
        account_ref: account.clone(),
        environment: Environment::Live,
        restrictions: Restrictions::default(),
    };
    let (record, key) = expect_ok(create_key(&store, new, test_time(1))).await;
    wait_until("the new key is accepted", || {
        is_accepted(&follower.directory, &key)
    })
    .await;
    expect_ok(revoke_key(&store, record.id, test_time(2))).await;
    follower.until_refused(&key).await;
    assert!(is_accepted(&follower.directory, &opened.live_key));
    expect_ok(close_account(&store, &account, test_time(3))).await;
    follower.until_refused(&opened.live_key).await;
    assert_eq!(follower.directory.len(), 2, "the other account's keys");
    assert_eq!(follower.stop().await, "", "changes are not logged");
}

#[tokio::test]
async fn a_store_without_a_live_key_is_logged_once() {
    let (folder, store) = sqlite::new_store().await;
    let (directory, log) = (KeyDirectory::new_unloaded(), Log::default());
    let refresh = || async {
        let refresh = directory.refresh(&store).with_subscriber(log.subscriber());
        refresh.await.expect("the store answers")
    };
    let lines = || {
        let text = log.text();
        let lines = text.lines().map(|line| line.split_whitespace().nth(1));
        lines
            .map(|level| level.map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let level = |level: &str| Some(level.to_owned());
    assert!(!directory.has_live_environment_key());
    assert!(refresh().await);
    assert!(!refresh().await, "the keys have not changed");
    assert_eq!(lines(), [level("WARN")]);
    let file = folder.path().join("accounts.db");
    assert!(
        log.text().contains(&*file.to_string_lossy()),
        "{}",
        log.text()
    );

    let opened = add_account(&store, "kees@example.nl").await;
    refresh().await;
    assert!(directory.has_live_environment_key());
    assert_eq!(lines(), [level("WARN"), level("INFO")]);

    // The account's test key stays in force, but the service does not serve customers with a test key.
    let keys = expect_ok(list_keys(&store, Some(opened.account.id))).await;
    let live = keys.iter().find(|key| key.environment == Environment::Live);
    let live = live.expect("each account has a live key").id;
    revoke_key(&store, live, test_time(1)).await.expect("known");
    refresh().await;
    assert!(is_accepted(&directory, &opened.test_key));
    assert!(!directory.has_live_environment_key());
    // Makes another change, after which there is still no live revoke_key(&key.store, live, test_time(2)).await.expect("known");
    let account = AccountRef::Id(opened.account.id);
    expect_ok(close_account(&store, &account, test_time(3))).await;
    refresh().await;
    assert_eq!(lines(), [level("WARN"), level("INFO"), level("WARN")]);
}

#[tokio::test]
async fn keys_stay_valid_while_the_database_is_unavailable() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let (_folder, store) = sqlite::new_store().await;
    let opened = add_account(&store, "kees@example.nl").await;
    let follower = Follower::start(&store).await;
    for outage in 1..=2 {
        sql(&store, "ALTER TABLE revision RENAME TO away").await;
        let failures = || counter(&metrics, "postduif_accounts_poll_failures_total");
        let before = failures();
        wait_until("three polls fail", || failures() >= before + 3).await;
        assert!(
            is_accepted(&follower.directory, &opened.live_key)
                && is_accepted(&follower.directory, &opened.test_key)
        );
        sql(&store, "ALTER TABLE away RENAME TO revision").await;
        wait_until("the database is available again", || {
            follower.log.text().matches("is available again").count() == outage
        })
        .await;
    }
    let key = list_keys(&store, None).await.expect("a list")[0].id;
    revoke_key(&store, key, test_time(1)).await.expect("known");
    follower.until_refused(&opened.live_key).await;
    assert!(is_accepted(&follower.directory, &opened.test_key));

    let log = follower.stop().await;
    assert_eq!(
        log.matches("accounts database is unavailable").count(),
        2,
        "logged once per outage: {log}"
    );
    assert!(
        log.contains("no such table: revision"),
        "the log names the cause: {log}"
    );
}

#[tokio::test]
async fn all_causes_of_a_denial_look_the_same_and_are_counted_separately() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let (_folder, store) = sqlite::new_store().await;
    let CreatedAccount {
        account,
        live_key,
        test_key,
    } = add_account(&store, "kees@example.nl").await;
    let revoked = list_keys(&store, None).await.expect("a list")[0].id;
    expect_ok(revoke_key(&store, revoked, test_time(1))).await;
    let bound = |restrictions: Restrictions| NewKey {
        account_ref: AccountRef::Id(account.id),
        environment: Environment::Test,
        restrictions,
    };
    let elsewhere = Restrictions {
        networks: "198.51.100.0/24".parse().expect("a network"),
        ..Restrictions::default()
    };
    let in_pages = Restrictions {
        origins: "https://shop.example.org".parse().expect("an origin"),
        ..Restrictions::default()
    };
    let (_, elsewhere) = expect_ok(create_key(&store, bound(elsewhere), test_time(1))).await;
    let (_, in_pages) = expect_ok(create_key(&store, bound(in_pages), test_time(1))).await;
    let directory = directory(&store).await;
    let never_made = ApiKey::generate(Environment::Live, account.tag).expect("randomness");
    let other_account =
        ApiKey::generate(Environment::Test, AccountTag::random().expect("randomness"))
            .expect("randomness");
    let mistyped = test_key.reveal().replace("pd_test_", "pd_live_");

    let case = |sent: &[u8], allowed| {
        assert_eq!(
            directory.authenticate(sent, allowed, &client()),
            Err(AccessDenied)
        )
    };
    case(b"", AcceptedKeys::Any);
    case(b"\xff\x00", AcceptedKeys::Any);
    case(mistyped.as_bytes(), AcceptedKeys::Any);
    case(never_made.reveal().as_bytes(), AcceptedKeys::Live);
    case(other_account.reveal().as_bytes(), AcceptedKeys::Test);
    case(live_key.reveal().as_bytes(), AcceptedKeys::Live);
    case(test_key.reveal().as_bytes(), AcceptedKeys::Live);
    // This text begins with a key in force and has the same digest, because a digest covers only as many bytes as a key has.
    case(
        format!("{}0", test_key.reveal()).as_bytes(),
        AcceptedKeys::Test,
    );
    case(elsewhere.reveal().as_bytes(), AcceptedKeys::Test);
    case(in_pages.reveal().as_bytes(), AcceptedKeys::Test);
    assert!(
        directory
            .authenticate(test_key.reveal().as_bytes(), AcceptedKeys::Test, &client())
            .is_ok()
    );
    assert!(
        directory
            .authenticate(test_key.reveal().as_bytes(), AcceptedKeys::Any, &client())
            .is_ok()
    );
    assert_eq!(
        (format!("{AccessDenied}"), size_of::<AccessDenied>()),
        ("invalid API key".to_owned(), 0)
    );

    let counted = metrics.render();
    for (cause, times) in [
        ("missing", 1),
        ("malformed", 3),
        ("unknown", 3),
        ("environment", 1),
        ("ip", 1),
        ("origin", 1),
    ] {
        let line = format!(r#"postduif_keys_denied_total{{cause="{cause}"}} {times}"#);
        assert!(counted.contains(&line), "{line} in {counted}");
    }
}

#[tokio::test]
async fn debug_output_shows_no_secret() {
    let (_folder, store) = sqlite::new_store().await;
    let opened = add_account(&store, "kees@example.nl").await;
    let directory = directory(&store).await;
    let grant = directory
        .authenticate(
            opened.live_key.reveal().as_bytes(),
            AcceptedKeys::Live,
            &client(),
        )
        .expect("live");
    let keys = list_keys(&store, None).await.expect("a list");
    let shown = format!("{directory:?} {grant:?} {opened:?} {keys:?} {store:?}");
    for key in [&opened.live_key, &opened.test_key] {
        assert!(
            !shown.contains(&key.reveal()[16..40]) && !shown.contains(&key.digest().to_hex()),
            "{shown}"
        );
    }
}

#[test]
fn a_directory_of_fixed_keys_needs_no_store() {
    let key = ApiKey::generate(Environment::Live, AccountTag::random().expect("randomness"))
        .expect("randomness");
    assert!(!is_accepted(&KeyDirectory::from_keys([]), &key));
    let grant = super::grant_for(&key);
    let directory = KeyDirectory::from_keys([(key.digest(), grant.clone())]);
    assert_eq!(
        directory.authenticate(key.reveal().as_bytes(), AcceptedKeys::Live, &client()),
        Ok(grant.into())
    );
}
