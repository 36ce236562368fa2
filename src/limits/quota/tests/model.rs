//! Compares random histories of several nodes with a model that only counts. No period serves more than its allowance, no call is lost
//! without a crash, and the database reports exactly the committed calls as used.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use jiff::Timestamp;
use proptest::prelude::*;

use super::Refusal;
use super::{ManualNode, account, account_ref, notices, row};
use crate::accounts::tests::{plan, sql, test_time};
use crate::accounts::{AccountStore, BillingPeriod, KeyGrant, PlanName, set_plan};
use crate::clock::Clock;
use crate::expect_ok::expect_ok;
use crate::limits::QuotaPermit;

#[derive(Clone, Debug)]
enum Step {
    /// Reserves calls and leaves them pending.
    Take { node: usize, calls: u32 },
    /// Commits or drops the oldest pending permit.
    End { node: usize, committed: bool },
    /// A refill wakes the lease task.
    Wake { node: usize },
    /// The lease task ticks.
    Tick { node: usize },
    /// The node dies and a new one starts.
    Crash { node: usize },
    /// The node stops in an orderly way, and starts again.
    Restart { node: usize },
    /// The next tick of every lease task fails, and the tick after that succeeds. Between the ticks each node gets two requests, and
    /// grants credit.
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
        30 => (0..nodes, prop::bool::weighted(0.8)).prop_map(|(node, committed)| Step::End { node, committed }),
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

/// The counts of one billing period.
#[derive(Debug, Default)]
struct PeriodModel {
    committed: u64,
    pending: u64,
    /// The highest allowance that applied in this period.
    allowed: u64,
    /// Calls served on credit.
    credit: u64,
    /// True if a node started in this period. Such a node may grant credit before it knows the row.
    restarted: bool,
    crashed: bool,
    changed: bool,
}

/// Pending permits, each with its number of calls.
type Pending = Vec<(QuotaPermit, u64)>;

struct World {
    store: AccountStore,
    clock: Clock,
    grant: KeyGrant,
    nodes: Vec<(Rc<ManualNode>, Pending)>,
    /// The counts of each period. The key is the end of the period, which every permit has.
    periods: BTreeMap<Timestamp, PeriodModel>,
}

impl World {
    async fn new(nodes: usize) -> Self {
        let store = expect_ok(AccountStore::open("sqlite::memory:")).await;
        let store = if nodes > 1 {
            store.with_shared_leases()
        } else {
            store
        };
        let grant = account(&store, "kees@example.nl", PlanName::Starter).await;
        let clock = Clock::fake(test_time(0));
        let mut made = Vec::new();
        for _ in 0..nodes {
            made.push((ManualNode::new(&store, &clock).await.into(), Vec::new()));
        }
        Self {
            store,
            clock,
            grant,
            nodes: made,
            periods: BTreeMap::new(),
        }
    }

    fn current_period(&mut self) -> &mut PeriodModel {
        let period = BillingPeriod::from_anchor(self.grant.billing_anchor, Clock::now(&self.clock));
        let allowance = self.grant.plan.limits().allowance();
        let model = self.periods.entry(period.end()).or_default();
        model.allowed = model.allowed.max(allowance);
        model
    }

    async fn step(&mut self, step: &Step) {
        let model = self.current_period();
        match *step {
            Step::Take { node, calls } => drop(self.take(node, calls).await),
            Step::End { node, committed } => self.end_oldest_permit(node, committed),
            Step::Wake { node } => self.nodes[node].0.lease_task().refill().await,
            Step::Tick { node } => self.nodes[node].0.lease_task().tick().await,
            Step::Crash { node } => {
                model.restarted = true;
                // Unreported calls of earlier periods are lost too, so all periods count as crashed.
                for model in self.periods.values_mut() {
                    model.crashed = true;
                }
                let new = ManualNode::new(&self.store, &self.clock).await;
                let (_, pending) =
                    std::mem::replace(&mut self.nodes[node], (new.into(), Vec::new()));
                self.drop_permits(pending);
            }
            Step::Restart { node } => {
                model.restarted = true;
                while !self.nodes[node].1.is_empty() {
                    self.end_oldest_permit(node, true);
                }
                self.nodes[node].0.lease_task().shut_down().await;
                self.nodes[node].0 = ManualNode::new(&self.store, &self.clock).await.into();
            }
            Step::Outage { calls } => self.outage(calls).await,
            Step::Pass { minutes } => self.clock.advance(Duration::from_secs(60) * minutes),
            Step::Change { name } => {
                model.changed = true;
                self.change(name).await;
                self.current_period();
            }
        }
    }

    async fn change(&mut self, name: PlanName) {
        self.grant.plan = plan(name);
        let account = account_ref(&self.grant);
        expect_ok(set_plan(&self.store, &account, plan(name))).await;
        for (node, _) in &self.nodes {
            let refreshed = node.directory.refresh(&self.store).await;
            assert!(refreshed.expect("the store answers"));
        }
    }

    async fn outage(&mut self, calls: u32) {
        let nodes: Vec<Rc<ManualNode>> = self.nodes.iter().map(|(node, _)| node.clone()).collect();
        let mut tasks: Vec<_> = nodes.iter().map(|node| node.lease_task()).collect();
        sql(&self.store, "ALTER TABLE bundles RENAME TO away").await;
        // If the account is idle by now, it should return its unused calls, but the outage prevents that.
        self.clock.advance(Duration::from_secs(599));
        let most = self.grant.plan.limits().allowance() / 4;
        for (number, node) in nodes.iter().enumerate() {
            tasks[number].tick().await;
            let mut credit = 0;
            for committed in [false, true] {
                let permit = node.reserve_until_timeout(&self.grant, calls).await;
                let Ok(permit) = permit else { continue };
                credit += permit.calls_on_credit();
                self.record_reservation(number, calls, permit);
                if committed {
                    self.end_oldest_permit(number, true);
                }
            }
            assert!(credit <= most, "{credit} of {most}");
        }
        sql(&self.store, "ALTER TABLE away RENAME TO bundles").await;
        for lease_task in &mut tasks {
            lease_task.tick().await;
        }
    }

    async fn take(&mut self, node: usize, calls: u32) -> Result<(), Refusal> {
        let nodes = self.nodes.iter().enumerate();
        let others: Vec<&ManualNode> = nodes
            .filter(|(other, _)| *other != node)
            .map(|(_, (node, _))| node.as_ref())
            .collect();
        let permit = self.nodes[node]
            .0
            .reserve_among(&self.grant, calls, &others);
        let permit = permit.await?;
        self.record_reservation(node, calls, permit);
        Ok(())
    }

    fn record_reservation(&mut self, node: usize, calls: u32, permit: QuotaPermit) {
        let alone = self.nodes.len() == 1;
        let limits = self.grant.plan.limits();
        let status = permit.status();
        let model = self.current_period();
        // After an outage, calls can go on credit until the lease task reads the row again. In this test the lease task reads the row only
        // in a step.
        model.credit += permit.calls_on_credit();
        model.pending += u64::from(calls);
        let spent = model.committed + model.pending;
        let sees_all = alone && !model.crashed && !(model.restarted && model.credit > 0);
        // The calls may exceed the allowance by at most the credit. They may not exceed it if a single node knows of all calls.
        let unseen = if sees_all { 0 } else { model.credit };
        assert!(spent <= model.allowed + unseen, "{model:?}");
        let left = u64::from(limits.calls_per_month.get()).saturating_sub(spent);
        if sees_all {
            assert!(spent <= limits.allowance(), "{limits:?} {model:?}");
            assert_eq!(status.remaining, left, "{model:?}");
        }
        self.nodes[node].1.push((permit, calls.into()));
    }

    fn end_oldest_permit(&mut self, node: usize, committed: bool) {
        let pending = &mut self.nodes[node].1;
        if pending.is_empty() {
            return;
        }
        let (permit, calls) = pending.remove(0);
        let reset = permit.status().reset;
        let model = self
            .periods
            .get_mut(&reset)
            .expect("the call was reserved in this period");
        model.pending -= calls;
        if committed {
            model.committed += calls;
            permit.commit();
        }
    }

    /// Drops permits that were pending when their node died.
    fn drop_permits(&mut self, pending: Pending) {
        for (permit, calls) in pending {
            let reset = permit.status().reset;
            let model = self
                .periods
                .get_mut(&reset)
                .expect("the call was reserved in this period");
            model.pending -= calls;
            drop(permit);
        }
    }

    /// Ends all pending permits, and reserves calls on all nodes until all nodes refuse.
    async fn use_up(&mut self) {
        for node in 0..self.nodes.len() {
            while !self.nodes[node].1.is_empty() {
                self.end_oldest_permit(node, node % 2 == 0);
            }
        }
        let mut refusals = 0;
        while refusals < 2 * self.nodes.len() {
            refusals = 0;
            // After this second, another node may lease calls that were returned.
            self.clock.advance(Duration::from_secs(1));
            for node in (0..self.nodes.len()).chain(0..self.nodes.len()) {
                let mut served = false;
                for calls in [100, 10, 1] {
                    while self.take(node, calls).await.is_ok() {
                        self.end_oldest_permit(node, true);
                        served = true;
                    }
                    self.nodes[node].0.lease_task().tick().await;
                }
                refusals += usize::from(!served);
            }
        }
    }

    /// Stops all nodes, and compares the database with the model.
    async fn check(mut self) {
        let last = *self.periods.keys().last().expect("this period");
        for (node, pending) in &mut self.nodes {
            assert!(pending.is_empty());
            node.lease_task().shut_down().await;
        }
        let crashed = self.periods.values().any(|model| model.crashed);
        for (end, model) in &self.periods {
            let period = BillingPeriod::from_anchor(
                self.grant.billing_anchor,
                *end - Duration::from_secs(1),
            );
            let (leased, used) = row(&self.store, &self.grant, period.start()).await;
            let [leased, used] = [leased, used].map(|calls| u64::try_from(calls).expect("calls"));
            assert!(leased <= model.allowed + model.credit, "{leased} {model:?}");
            let died = if model.crashed { model.credit } else { 0 };
            assert!(
                used <= model.committed && model.committed <= leased + died,
                "{leased} {used} {model:?}"
            );
            if crashed {
                continue;
            }
            assert_eq!(used, model.committed, "{model:?}");
            if *end == last {
                assert_eq!(leased, used, "all unused calls were returned");
                if !model.changed {
                    assert!(used >= model.allowed, "every call could be used: {model:?}");
                }
            }
        }
        if !crashed {
            let all = notices(&self.store, &self.grant).await;
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
        // The billing period must not end while the test uses up its calls.
        let soon = Clock::now(&world.clock) + Duration::from_secs(7_200);
        let period =
            BillingPeriod::from_anchor(world.grant.billing_anchor, Clock::now(&world.clock));
        if !period.contains(soon) {
            world.clock.advance(Duration::from_secs(7_200));
        }
        world.current_period();
        world.use_up().await;
        world.check().await;
    });
}

/// How many random histories each test tries: `POSTDUIF_TEST_TRIES`, or 30. Each run of the tests tries different histories.
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
    fn no_allowance_is_exceeded_despite_crashes_and_plan_changes(steps in prop::collection::vec(step(3, 5, 3), 0..120)) {
        run(3, &steps);
    }
}

#[test]
fn an_account_keeps_its_row_when_its_plan_changes() {
    #[rustfmt::skip]
    let steps = [
        Step::Take { node: 0, calls: 590 },
        Step::End { node: 0, committed: true },
        Step::Change { name: PlanName::Free },
        Step::Take { node: 0, calls: 1 },
        Step::Change { name: PlanName::Klein },
        Step::Take { node: 0, calls: 4_000 },
        Step::Restart { node: 0 },
    ];
    run(1, &steps);
}
