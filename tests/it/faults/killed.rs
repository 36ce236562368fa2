//! Kills `serve` under load. The data needs no repair, and only calls of the last moments are missing in the counts.
#![expect(clippy::print_stdout, reason = "the seed repeats a failure")]

use std::path::Path;
use std::time::{Duration, Instant};

use super::{PATH, counted_calls, publish_village};
use crate::chance::{Chance, tries};
use crate::nodes::load::{CallResult, Load};
use crate::process::{Service, open_enterprise, run_json, wait_until};
use crate::scratch;

const QUOTA: u32 = 1_000_000;
const CLIENTS: usize = 4;

/// How long the clients make calls in each round of the long form.
const LONG_LOAD: Duration = Duration::from_secs(5);

/// With at least this number of kills, the test runs its long form.
const LONG: usize = 10;

/// The largest lease is a fiftieth of the quota, grace included, plus a call for each waiting client. Source: src/http/README.md,
/// section Plans and limits.
const LEASE: u64 = (QUOTA as u64 + QUOTA as u64 / 10) / 50 + CLIENTS as u64;

/// Totals of all earlier rounds.
#[derive(Default)]
struct Totals {
    answered: u64,
    /// The calls in the accounts database after the last kill. Calls that an earlier kill lost are not among them.
    counted_calls: u64,
    /// The calls that a kill interrupted. The client does not know whether the service answered them.
    cut: u64,
    slowest_start: Duration,
    longest_lag: Duration,
}

#[test]
fn a_killed_service_restarts_with_consistent_counts() {
    let folder = scratch::folder();
    publish_village(folder.path());
    let [live, _] = open_enterprise(folder.path(), QUOTA);
    let (mut sum, mut chance, tries) = (Totals::default(), Chance::new(), tries(3));
    println!("seed {}", chance.seed);
    for number in 0..tries as u64 {
        let began = Instant::now();
        let service = Service::start(folder.path(), &[]);
        let first = service.get("live", PATH, Some(&live));
        assert_eq!(first.status, 200, "{}", first.body);
        sum.slowest_start = sum.slowest_start.max(began.elapsed());
        sum.answered += 1;
        let gone = u64::from(QUOTA) - u64::try_from(first.quota_remaining()).expect("not below 0");
        let most = sum.answered + sum.cut + number * LEASE;
        assert!(
            sum.answered <= gone && gone <= most,
            "{} <= {gone} <= {most}",
            sum.answered
        );
        round(
            &mut sum,
            service,
            folder.path(),
            &live,
            &mut chance,
            tries >= LONG,
        );
        let copy = folder.path().join(format!("copy-{number}.db"));
        let copy = copy.to_str().expect("UTF-8");
        run_json(
            folder.path(),
            &["accounts", "backup", "--json", "--to", copy],
        );
    }
    let Totals {
        answered,
        cut,
        slowest_start,
        longest_lag,
        ..
    } = sum;
    println!(
        "{tries} kills, {answered} calls answered and {cut} cut; slowest start {slowest_start:?}, longest lag of usage {longest_lag:?}"
    );
}

/// Makes calls until some of them are stored, kills the service at a random moment, and checks the counts.
fn round(
    sum: &mut Totals,
    service: Service,
    folder: &Path,
    live: &str,
    chance: &mut Chance,
    long: bool,
) {
    let load_for = if long { LONG_LOAD } else { Duration::ZERO };
    let load = Load {
        callers: vec![(service.address("live"), live); CLIENTS],
        pause: Duration::from_millis(2),
        posts: 0,
    };
    let (mut seen, mut killed) = (0, Instant::now());
    let outcomes = load.run_during(|| {
        wait_until("calls are counted", || {
            seen = counted_calls(folder);
            seen > sum.counted_calls + 1
        });
        // The service stores calls once a second. Wait for a random moment of a second.
        std::thread::sleep(load_for + Duration::from_millis(chance.below(1_000) as u64));
        seen = counted_calls(folder);
        killed = Instant::now();
        service.kill();
    });
    let found = outcomes.iter().filter(|outcome| outcome.is_found());
    let mut found: Vec<Instant> = found.map(answered_at).collect();
    found.sort_unstable();
    // One call came before the load. At most one call of each client was running when the service ended.
    let before = sum.counted_calls + 1;
    let (least, most) = (seen, before + (found.len() + CLIENTS) as u64);
    let now = counted_calls(folder);
    assert!(least <= now && now <= most, "{least} <= {now} <= {most}");
    // Calls are stored in the order of their answers. So the first missing call waited longest to be stored.
    let first_missing = usize::try_from(now - before).expect("few");
    let lag = found
        .get(first_missing)
        .map(|at| killed.saturating_duration_since(*at));
    sum.longest_lag = sum.longest_lag.max(lag.unwrap_or_default());
    sum.answered += found.len() as u64;
    sum.counted_calls = now;
    sum.cut += CLIENTS as u64;
}

/// Returns the time of the answer.
fn answered_at(outcome: &CallResult) -> Instant {
    outcome.began + outcome.duration
}
