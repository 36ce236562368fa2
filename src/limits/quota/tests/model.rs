//! Anything that nodes do in any order, against a model that only counts: no period serves more than its allowance, nothing is
//! lost without a crash, and what the database says was used is what was kept.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use jiff::Timestamp;
use proptest::prelude::*;

use super::{Still, account, account_ref, notices, row};
use crate::accounts::tests::{at, plan, sql};
use crate::accounts::{AccountStore, BillingPeriod, KeyGrant, PlanName};
use crate::clock::Clock;
use crate::limits::{QuotaPermit, TryReserveError};

#[derive(Clone, Debug)]
enum Step {
    /// Takes calls and leaves them pending.
    Take { node: usize, calls: u32 },
    /// Ends the call that has been pending longest.
    End { node: usize, kept: bool },
    /// The keeper is woken.
    Wake { node: usize },
    /// The keeper's second.
    Tick { node: usize },
    /// The node dies and another takes its place.
    Crash { node: usize },
    /// The node is stopped in order, and started again.
    Restart { node: usize },
    /// Every keeper's second fails; the database is back in the next one, and in between each node is called twice, and so
    /// gives credit.
    Outage { calls: u32 },
    /// Time passes.
    Pass { minutes: u32 },
    /// The account's plan changes.
    Change { name: PlanName },
}

fn step(nodes: usize, crashes: u32, changes: u32) -> impl Strategy<Value = Step> {
    let plans = [PlanName::Free, PlanName::Starter, PlanName::Klein];
    let credit = prop_oneof![3 => 1_u32..30, 1 => 30_u32..300];
    let calls = prop_oneof![4 => 1_u32..4, 2 => 4_u32..60, 1 => 60_u32..600];
    prop_oneof![
        40 => (0..nodes, calls).prop_map(|(node, calls)| Step::Take { node, calls }),
        30 => (0..nodes, prop::bool::weighted(0.8)).prop_map(|(node, kept)| Step::End { node, kept }),
        15 => (0..nodes).prop_map(|node| Step::Wake { node }),
        10 => (0..nodes).prop_map(|node| Step::Tick { node }),
        3 => (0..nodes).prop_map(|node| Step::Restart { node }),
        4 => credit.prop_map(|calls| Step::Outage { calls }),
        crashes => (0..nodes).prop_map(|node| Step::Crash { node }),
        3 => (0_u32..30).prop_map(|minutes| Step::Pass { minutes }),
        2 => (0_u32..50_000).prop_map(|minutes| Step::Pass { minutes }),
        changes => prop::sample::select(plans.to_vec()).prop_map(|name| Step::Change { name }),
    ]
}

/// What one period has seen.
#[derive(Debug, Default)]
struct Month {
    kept: u64,
    pending: u64,
    /// The highest allowance that was in force.
    allowed: u64,
    /// What may have been served on credit: what the nodes could not serve from their hands while the database was away.
    credit: u64,
    /// A node began anew in it, and may give credit before it has seen the row.
    restarted: bool,
    crashed: bool,
    changed: bool,
}

/// Calls that were taken, and how many each is for.
type Pending = Vec<(QuotaPermit, u64)>;

struct World {
    ledger: AccountStore,
    clock: Clock,
    whose: KeyGrant,
    nodes: Vec<(Rc<Still>, Pending)>,
    /// By the end of the period, which every taken call knows.
    months: BTreeMap<Timestamp, Month>,
}

impl World {
    async fn new(nodes: usize) -> Self {
        let ledger = AccountStore::open("sqlite::memory:")
            .await
            .expect("it opens");
        let ledger = if nodes > 1 { ledger.shared() } else { ledger };
        let whose = account(&ledger, "kees@example.nl", PlanName::Starter).await;
        let clock = Clock::fake(at(0));
        let mut made = Vec::new();
        for _ in 0..nodes {
            made.push((Still::new(&ledger, &clock).await.into(), Vec::new()));
        }
        Self {
            ledger,
            clock,
            whose,
            nodes: made,
            months: BTreeMap::new(),
        }
    }

    fn month(&mut self) -> &mut Month {
        let period = BillingPeriod::from_anchor(self.whose.billing_anchor, Clock::now(&self.clock));
        let allowance = self.whose.plan.limits().allowance();
        let month = self.months.entry(period.end()).or_default();
        month.allowed = month.allowed.max(allowance);
        month
    }

    async fn step(&mut self, step: &Step) {
        let month = self.month();
        match *step {
            Step::Take { node, calls } => drop(self.take(node, calls).await),
            Step::End { node, kept } => self.end(node, kept),
            Step::Wake { node } => self.nodes[node].0.keeper().refill().await,
            Step::Tick { node } => self.nodes[node].0.keeper().tick().await,
            Step::Crash { node } => {
                month.restarted = true;
                // What was used of earlier months and not yet reported dies with it too.
                for month in self.months.values_mut() {
                    month.crashed = true;
                }
                let new = Still::new(&self.ledger, &self.clock).await;
                let (_, pending) =
                    std::mem::replace(&mut self.nodes[node], (new.into(), Vec::new()));
                self.forget(pending);
            }
            Step::Restart { node } => {
                month.restarted = true;
                while !self.nodes[node].1.is_empty() {
                    self.end(node, true);
                }
                self.nodes[node].0.keeper().shut_down().await;
                self.nodes[node].0 = Still::new(&self.ledger, &self.clock).await.into();
            }
            Step::Outage { calls } => self.outage(calls).await,
            Step::Pass { minutes } => self.clock.advance(Duration::from_secs(60) * minutes),
            Step::Change { name } => {
                month.changed = true;
                self.change(name).await;
                self.month();
            }
        }
    }

    async fn change(&mut self, name: PlanName) {
        self.whose.plan = plan(name);
        let account = account_ref(&self.whose);
        let changed = self.ledger.set_plan(&account, plan(name)).await;
        changed.expect("it is open");
        for (node, _) in &self.nodes {
            let refreshed = node.directory.refresh(&self.ledger).await;
            assert!(refreshed.expect("the ledger answers"));
        }
    }

    async fn outage(&mut self, calls: u32) {
        let nodes: Vec<Rc<Still>> = self.nodes.iter().map(|(node, _)| node.clone()).collect();
        let mut keepers: Vec<_> = nodes.iter().map(|node| node.keeper()).collect();
        sql(&self.ledger, "ALTER TABLE bundles RENAME TO away").await;
        // What is idle goes back, but cannot.
        self.clock.advance(Duration::from_secs(599));
        let most = self.whose.plan.limits().allowance() / 4;
        for (node, still) in nodes.iter().enumerate() {
            keepers[node].tick().await;
            let mut credit = 0;
            for kept in [false, true] {
                let taken = still
                    .bundles
                    .reserve_until(&self.whose, calls, async {})
                    .await;
                let Ok(taken) = taken else { continue };
                credit += taken.calls_on_credit();
                self.taken(node, calls, taken);
                if kept {
                    self.end(node, true);
                }
            }
            assert!(credit <= most, "{credit} of {most}");
        }
        sql(&self.ledger, "ALTER TABLE away RENAME TO bundles").await;
        for keeper in &mut keepers {
            keeper.tick().await;
        }
    }

    async fn take(&mut self, node: usize, calls: u32) -> Result<(), TryReserveError> {
        let nodes = self.nodes.iter().enumerate();
        let others: Vec<&Still> = nodes
            .filter(|(other, _)| *other != node)
            .map(|(_, (still, _))| still.as_ref())
            .collect();
        let taken = self.nodes[node].0.take_among(&self.whose, calls, &others);
        let taken = taken.await?;
        self.taken(node, calls, taken);
        Ok(())
    }

    fn taken(&mut self, node: usize, calls: u32, taken: QuotaPermit) {
        let alone = self.nodes.len() == 1;
        let limits = self.whose.plan.limits();
        let standing = taken.status();
        let month = self.month();
        // Also after an outage, until the keeper has seen the row again: here it does so when it is told to, not at once.
        month.credit += taken.calls_on_credit();
        month.pending += u64::from(calls);
        let spent = month.kept + month.pending;
        let sees_all = alone && !month.crashed && !(month.restarted && month.credit > 0);
        // What is on credit and not seen by all who serve is exceeded by; nothing else.
        let unseen = if sees_all { 0 } else { month.credit };
        assert!(spent <= month.allowed + unseen, "{month:?}");
        let left = u64::from(limits.calls_per_month.get()).saturating_sub(spent);
        if sees_all {
            assert!(spent <= limits.allowance(), "{limits:?} {month:?}");
            assert_eq!(standing.remaining, left, "{month:?}");
        }
        self.nodes[node].1.push((taken, calls.into()));
    }

    fn end(&mut self, node: usize, kept: bool) {
        let pending = &mut self.nodes[node].1;
        if pending.is_empty() {
            return;
        }
        let (taken, calls) = pending.remove(0);
        let reset = taken.status().reset;
        let month = self.months.get_mut(&reset).expect("it was taken in it");
        month.pending -= calls;
        if kept {
            month.kept += calls;
            taken.commit();
        }
    }

    /// Calls that were pending when their node died: nobody answered them.
    fn forget(&mut self, pending: Pending) {
        for (taken, calls) in pending {
            let reset = taken.status().reset;
            let month = self.months.get_mut(&reset).expect("it was taken in it");
            month.pending -= calls;
            drop(taken);
        }
    }

    /// Ends what is pending, and calls on all nodes until they all refuse.
    async fn use_up(&mut self) {
        for node in 0..self.nodes.len() {
            while !self.nodes[node].1.is_empty() {
                self.end(node, node % 2 == 0);
            }
        }
        let mut refusals = 0;
        while refusals < 2 * self.nodes.len() {
            refusals = 0;
            // What one node has given back another may ask for a second later.
            self.clock.advance(Duration::from_secs(1));
            for node in (0..self.nodes.len()).chain(0..self.nodes.len()) {
                let mut served = false;
                for calls in [100, 10, 1] {
                    while self.take(node, calls).await.is_ok() {
                        self.end(node, true);
                        served = true;
                    }
                    self.nodes[node].0.keeper().tick().await;
                }
                refusals += usize::from(!served);
            }
        }
    }

    /// Stops all nodes, and compares the database with what was counted.
    async fn check(mut self) {
        let last = *self.months.keys().last().expect("this month");
        for (node, pending) in &mut self.nodes {
            assert!(pending.is_empty());
            node.keeper().shut_down().await;
        }
        let crashed = self.months.values().any(|month| month.crashed);
        for (end, month) in &self.months {
            let period = BillingPeriod::from_anchor(
                self.whose.billing_anchor,
                *end - Duration::from_secs(1),
            );
            let (leased, used) = row(&self.ledger, &self.whose, period.start()).await;
            let [leased, used] = [leased, used].map(|calls| u64::try_from(calls).expect("calls"));
            assert!(leased <= month.allowed + month.credit, "{leased} {month:?}");
            let died = if month.crashed { month.credit } else { 0 };
            assert!(
                used <= month.kept && month.kept <= leased + died,
                "{leased} {used} {month:?}"
            );
            if crashed {
                continue;
            }
            assert_eq!(used, month.kept, "{month:?}");
            if *end == last {
                assert_eq!(leased, used, "all that was in hand went back");
                if !month.changed {
                    assert!(used >= month.allowed, "every call could be used: {month:?}");
                }
            }
        }
        if !crashed {
            let all = notices(&self.ledger, &self.whose).await;
            assert!(all.ends_with(&[80, 100]), "{all:?}");
        }
    }
}

fn run(nodes: usize, steps: &[Step]) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let mut world = World::new(nodes).await;
        for step in steps {
            world.step(step).await;
        }
        // So that the period does not turn while it is used up.
        let soon = Clock::now(&world.clock) + Duration::from_secs(7_200);
        let period =
            BillingPeriod::from_anchor(world.whose.billing_anchor, Clock::now(&world.clock));
        if !period.contains(soon) {
            world.clock.advance(Duration::from_secs(7_200));
        }
        world.month();
        world.use_up().await;
        world.check().await;
    });
}

/// How many histories each test tries: `POSTDUIF_TEST_TRIES` or 30, others in each run.
fn histories() -> u32 {
    let tries = std::env::var("POSTDUIF_TEST_TRIES").ok();
    let tries = tries.and_then(|tries| tries.parse().ok());
    tries.unwrap_or(30).max(1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(histories()))]

    #[test]
    fn one_node_counts_exactly(steps in prop::collection::vec(step(1, 0, 2), 0..120)) {
        run(1, &steps);
    }

    #[test]
    fn several_nodes_use_up_every_call(steps in prop::collection::vec(step(3, 0, 0), 0..120)) {
        run(3, &steps);
    }

    #[test]
    fn crashes_and_changes_exceed_no_allowance(steps in prop::collection::vec(step(3, 5, 3), 0..120)) {
        run(3, &steps);
    }
}

#[test]
fn the_same_account_on_another_plan_keeps_its_row() {
    let steps = [
        Step::Take {
            node: 0,
            calls: 590,
        },
        Step::End {
            node: 0,
            kept: true,
        },
        Step::Change {
            name: PlanName::Free,
        },
        Step::Take { node: 0, calls: 1 },
        Step::Change {
            name: PlanName::Klein,
        },
        Step::Take {
            node: 0,
            calls: 4_000,
        },
        Step::Restart { node: 0 },
    ];
    run(1, &steps);
}
