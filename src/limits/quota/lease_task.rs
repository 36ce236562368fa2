//! The keeper: the one task of a process that takes leases, reports and gives back.
//!
//! It is woken by an account that needs a refill; each second it reports what was used, sees new accounts and new periods; and
//! in between it works off what can wait, a chunk at a time, so that it holds up no refill.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::Bundles;
use super::account_quota::Entry;
use crate::accounts::directory::LiveKeys;
use crate::accounts::{AccountId, Admission, KeyDirectory, Ledger};
use crate::limits::metrics;

/// How often it reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Accounts in one transaction: enough that a hundred thousand take seconds, few enough that SQLite's only connection is soon
/// free again.
pub(super) const CHUNK: usize = 200;

/// Accounts looked at before other tasks get their turn.
const STRIDE: usize = 1_000;

/// How often accounts with something in hand are looked at: do they still call?
const IDLE_CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// How long giving back may take when the process ends. With what is under way then it stays below the time after which a
/// service manager kills, unless the road to the database falls silent just then; what nobody can hear is not waited for.
const FAREWELL_TIMEOUT: Duration = Duration::from_secs(8);

/// The pause between attempts to give back while the database is away.
const FAREWELL_PAUSE: Duration = Duration::from_millis(250);

impl Bundles {
    /// Keeps the bundles until `stop` is cancelled; then reports what was used and gives back what is in hand, in bounded time.
    /// Requests should have ended by then: what is taken afterwards is refused, and what is kept afterwards is not reported.
    ///
    /// An account gets its first lease with its first call, and gives back what it has in hand when nobody calls for long: so a
    /// node that dies takes nothing from those who did not call. While the database is away calls go on from what is in
    /// hand. That is logged once when it begins and once when it ends, and each failed attempt is counted in
    /// `postduif_leases_failures_total`.
    pub async fn keep(&self, ledger: &Ledger, directory: &KeyDirectory, stop: &CancellationToken) {
        let mut keeper = Keeper::new(self, ledger, directory);
        let mut ticks = interval(REPORT_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            // While the database is away only the tick tries it.
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                _ = ticks.tick() => keeper.tick().await,
                () = self.desk.wake.notified(), if !keeper.away => keeper.refill().await,
                () = std::future::ready(()), if keeper.has_backlog() => keeper.work_off().await,
            }
        }
        keeper.finish().await;
    }
}

/// What the keeper remembers between rounds.
pub(crate) struct Keeper<'a> {
    pub(super) bundles: &'a Bundles,
    pub(super) ledger: &'a Ledger,
    directory: &'a KeyDirectory,
    /// The directory as it was when it was read last.
    seen: Option<LiveKeys>,
    /// When each account's period ends.
    turns: BTreeSet<(Timestamp, AccountId)>,
    /// Accounts that can wait until nothing else is to be done: when many periods turn at once, or after an outage.
    backlog: Vec<Arc<Entry>>,
    /// Accounts whose settlement failed.
    pub(super) owed: Vec<Arc<Entry>>,
    /// Accounts with something in hand.
    pub(super) holding: HashMap<AccountId, Arc<Entry>>,
    /// Accounts for which calls wait that are in other nodes' hands.
    pub(super) recalling: Vec<Arc<Entry>>,
    last_idle_check: Duration,
    /// Calls in hand, as each account had them when it was settled last.
    pub(super) in_hand: u64,
    /// Calls on credit, counted likewise.
    pub(super) on_credit: u64,
    pub(super) away: bool,
    /// Whether it was told that the database takes no writes.
    pub(super) told_read_only: bool,
}

impl<'a> Keeper<'a> {
    pub(crate) fn new(
        bundles: &'a Bundles,
        ledger: &'a Ledger,
        directory: &'a KeyDirectory,
    ) -> Self {
        bundles.desk.set_closed(false);
        Self {
            bundles,
            ledger,
            directory,
            seen: None,
            turns: BTreeSet::new(),
            backlog: Vec::new(),
            owed: Vec::new(),
            holding: bundles
                .all()
                .into_iter()
                .map(|entry| (entry.account, entry))
                .collect(),
            recalling: Vec::new(),
            last_idle_check: bundles.passed(),
            in_hand: 0,
            on_credit: 0,
            away: false,
            told_read_only: false,
        }
    }

    /// The work of each second.
    pub(crate) async fn tick(&mut self) {
        self.follow_directory().await;
        self.follow_periods();
        let mut work = std::mem::take(&mut self.owed);
        self.backlog.extend(work.drain(CHUNK.min(work.len())..));
        work.extend(self.bundles.desk.refills());
        work.extend(self.bundles.desk.reports());
        work.append(&mut self.recalling);
        work.extend(self.idle());
        self.settle_all(work).await;
        if !self.holding.is_empty() && !self.away {
            let wanted = self.wanted().await;
            self.settle_all(wanted).await;
        }
        if self.away && self.owed.is_empty() {
            self.probe().await;
        }
        self.gauge();
    }

    /// Tops up the accounts that asked, and works off a chunk of the backlog, so that it never waits for long.
    pub(crate) async fn refill(&mut self) {
        let work = self.bundles.desk.refills();
        self.settle_all(work).await;
        if self.has_backlog() {
            self.work_off().await;
        }
    }

    fn has_backlog(&self) -> bool {
        !self.away && !self.backlog.is_empty()
    }

    /// Works off a chunk of the backlog.
    pub(crate) async fn work_off(&mut self) {
        let rest = self.backlog.len().saturating_sub(CHUNK);
        let chunk = self.backlog.split_off(rest);
        self.settle_all(chunk).await;
    }

    /// Sees new accounts, and accounts that lost their last live key.
    async fn follow_directory(&mut self) {
        let live = self.directory.live_keys();
        if self.seen.as_ref().is_some_and(|seen| seen.is(&live)) {
            return;
        }
        let mut accounts = HashSet::new();
        for (number, admission) in live.admissions().enumerate() {
            if number % STRIDE == 0 {
                tokio::task::yield_now().await;
            }
            if accounts.insert(admission.account) {
                self.see(admission);
            }
        }
        for (number, entry) in self.bundles.all().into_iter().enumerate() {
            if number % STRIDE == 0 {
                tokio::task::yield_now().await;
            }
            let mut hand = entry.hand();
            hand.gone = hand.followed && !accounts.contains(&entry.account);
            if hand.gone && hand.in_hand() > 0 {
                entry.list(&mut hand);
            }
        }
        self.seen = Some(live);
    }

    fn see(&mut self, admission: &Admission) {
        let entry = self.bundles.entry(admission);
        let mut hand = entry.hand();
        hand.obey(admission.plan.limits());
        let back_again = std::mem::take(&mut hand.gone);
        if back_again {
            entry.ask(&mut hand);
        }
        if !std::mem::replace(&mut hand.followed, true) {
            self.turns.insert((hand.period().end(), entry.account));
        }
    }

    /// Sees the accounts whose period has ended.
    fn follow_periods(&mut self) {
        let (now, passed) = (self.bundles.clock.now(), self.bundles.passed());
        while self.turns.first().is_some_and(|(end, _)| *end <= now) {
            let Some((_, account)) = self.turns.pop_first() else {
                return;
            };
            let Some(entry) = self.bundles.find(account) else {
                continue;
            };
            let mut hand = entry.hand();
            hand.turn(now);
            self.turns.insert((hand.period().end(), account));
            if hand.needs_first_lease(passed) {
                self.backlog.push(entry.clone());
            }
        }
    }

    /// Accounts that have something in hand and no calls: at times, because looking at them costs.
    fn idle(&mut self) -> Vec<Arc<Entry>> {
        let passed = self.bundles.passed();
        let early = passed.saturating_sub(self.last_idle_check) < IDLE_CHECK_INTERVAL;
        if early || self.away {
            return Vec::new();
        }
        self.last_idle_check = passed;
        self.holding.retain(|_, entry| entry.hand().in_hand() > 0);
        let idle = self.holding.values();
        idle.filter(|entry| entry.hand().is_idle(passed))
            .cloned()
            .collect()
    }

    fn gauge(&self) {
        metrics::in_hand(self.in_hand);
        metrics::on_credit_outstanding(self.on_credit);
        metrics::accounts(self.bundles.len());
    }

    /// Reports all that was used and gives back all that is in hand.
    pub(crate) async fn finish(&mut self) {
        // From here on nobody waits for a refill, nor gets credit that would never be booked.
        self.bundles.desk.set_closed(true);
        let deadline = Instant::now() + FAREWELL_TIMEOUT;
        let mut left = self.bundles.all();
        left.sort_unstable_by_key(|entry| entry.account);
        loop {
            let farewell = self.settle_rest(&mut left);
            let in_time = tokio::time::timeout_at(deadline, farewell).await.is_ok();
            if left.is_empty() {
                return;
            }
            if !in_time || Instant::now() + FAREWELL_PAUSE >= deadline {
                break;
            }
            tokio::time::sleep(FAREWELL_PAUSE).await;
        }
        tracing::error!(
            accounts = left.len(),
            "calls in hand could not be given back, and calls used not be reported: the accounts database is away"
        );
    }

    async fn settle_rest(&mut self, left: &mut Vec<Arc<Entry>>) {
        while !left.is_empty() {
            let rest = left.len().saturating_sub(CHUNK);
            if !self.settle(&left[rest..], true).await {
                return;
            }
            left.truncate(rest);
        }
    }
}
