//! Converts measurements to rows of the table. Each row has a goal's limit and the value to compare with it.

use crate::build::Built;
use crate::day::Day;
use crate::goal::{Goal, limit, times};
use crate::swap::Days;
use crate::table::Table;
use crate::turns::ScenarioResults;

/// The limit of the type-ahead's 99th percentile, in seconds.
const TYPE_AHEAD_S: f64 = 1e-3;

/// Adds the results of the turns.
pub(crate) fn add_turns(table: &mut Table, turns: Vec<ScenarioResults>) -> anyhow::Result<()> {
    for turn in &turns {
        let Some(goal) = turn.goal else { continue };
        let ratio = turn.ratio.clone();
        match goal {
            Goal::V3 => {
                table.add(
                    goal,
                    times("v3 look-up, over bare axum", 2.0),
                    ratio.clone(),
                );
                table.add(
                    goal,
                    times("v3 look-up, the next, stricter goal", 1.6),
                    ratio,
                );
            }
            Goal::Number => table.add(goal, times("v1 by number", 2.2), ratio),
            Goal::Id => table.add(goal, times("v1 by id", 2.2), ratio),
            Goal::Postcode => table.add(goal, times("v1 whole postcode", 3.5), ratio),
            Goal::TypeAhead => type_ahead(table, turn)?,
            Goal::TypeAheadSlip => {
                let slip = times("v1 type-ahead, slip in the street + number + town", 8.0);
                table.add(goal, slip, ratio);
            }
            Goal::TypeAheadTraffic => {
                table.add(goal, times("v1 type-ahead, realistic traffic", 3.0), ratio);
            }
            Goal::Reverse => table.add(goal, times("v1 reverse, dense, 10 in 1,000 m", 3.5), ratio),
            Goal::Validate => table.add(goal, times("v1 validate, wrong postcode", 4.0), ratio),
            Goal::Bulk => {
                let a_line = limit("v1 bulk, per line, 1,000 lines in a request", 12.0, "us");
                table.add(goal, a_line, turn.line_us());
            }
            Goal::Start | Goal::Memory | Goal::Disk | Goal::Build | Goal::Delivery => {}
        }
    }
    table.turns.extend(turns);
    Ok(())
}

/// Adds the results of the type-ahead. The time comes from the server's histogram, in which one bucket ends exactly at the limit.
fn type_ahead(table: &mut Table, turn: &ScenarioResults) -> anyhow::Result<()> {
    let goal = Goal::TypeAhead;
    table.add(
        goal,
        times("v1 type-ahead, without the cache", 5.0),
        turn.ratio.clone(),
    );
    let p99 = turn.latencies_one_by_one.quantile(0.99) * 1e3;
    let in_server = limit("v1 type-ahead, p99 in the server", 1.0, "ms");
    table.add(goal, in_server, vec![p99]);
    let within = [&turn.latencies_one_by_one, &turn.latencies]
        .map(|latencies| latencies.share_within(TYPE_AHEAD_S));
    let [one_by_one, saturated] = within;
    let shares = [one_by_one? * 100.0, saturated? * 100.0];
    let line = format!(
        "type-ahead, share of requests within 1 ms in the server: {:.2}% one by one, {:.2}% under saturation",
        shares[0], shares[1]
    );
    table.add_detail("typeAheadPercentWithin1Ms", &shares, line)
}

/// Adds the disk usage of a generation.
pub(crate) fn add_disk(table: &mut Table, bytes: u64, addresses: u64) {
    let an_address = limit("disk, bytes an address of the generation", 150.0, "B");
    table.add(
        Goal::Disk,
        an_address,
        vec![bytes as f64 / addresses as f64],
    );
}

/// Adds the results of a build.
pub(crate) fn add_build(built: &Built, table: &mut Table) -> anyhow::Result<()> {
    let Built {
        build,
        baseline,
        baseline_counts,
    } = built;
    let ratio = build.cpu_seconds / baseline.cpu_seconds;
    let over = times("full build, CPU over inflate + quick-xml", 2.5);
    table.add(Goal::Build, over, vec![ratio]);
    let peak = build.peak_bytes as f64 / 1e9;
    table.add(
        Goal::Build,
        limit("full build, peak memory", 6.0, "GB"),
        vec![peak],
    );
    let minutes = build.seconds / 60.0;
    table.add(
        Goal::Build,
        limit("full build, wall", 6.0, "min"),
        vec![minutes],
    );
    let line = format!(
        "build: {:.1} s of CPU in {:.1} s; the baseline {:.1} s in {:.1} s, over {} documents of {:.2} GB",
        build.cpu_seconds,
        build.seconds,
        baseline.cpu_seconds,
        baseline.seconds,
        baseline_counts.documents,
        baseline_counts.bytes as f64 / 1e9
    );
    table.add_detail("build", built, line)
}

/// Adds the results of the days. Ignores a day with less than half of the changes of the largest day, because such a day says
/// nothing about the goal.
pub(crate) fn add_days(days: Days, table: &mut Table) -> anyhow::Result<()> {
    let most = days.days.iter().map(|day| day.changed_addresses).max();
    let full = |day: &&Day| day.changed_addresses * 2 >= most.unwrap_or_default();
    let full: Vec<&Day> = days.days.iter().filter(full).collect();
    let figures = |figure: fn(&Day) -> f64| full.iter().map(|day| figure(day)).collect();
    let served = limit("a day's delivery, dropped to served", 5.0, "s");
    table.add(Goal::Delivery, served, figures(|day| day.seconds.served));
    let over_quiet = times("p99 during a delivery over p99 before it", 3.0);
    let p99 = figures(|day| day.during.p99_ms / day.quiet.p99_ms);
    table.add(Goal::Delivery, over_quiet, p99);
    let failed = |day: &Day| day.quiet.failed + day.during.failed + day.after.failed;
    table.add(
        Goal::Delivery,
        limit("failed requests, over all days", 0.0, ""),
        vec![days.days.iter().map(failed).sum::<usize>() as f64],
    );
    let lines = days.days.iter().map(|day| {
        format!(
            "{}: {} addresses changed, {:+.1} MB; p99 {:.2} ms before, {:.2} ms during, {:.2} ms after",
            day.generation,
            day.changed_addresses,
            day.generations_added_bytes as f64 / 1e6,
            day.quiet.p99_ms,
            day.during.p99_ms,
            day.after.p99_ms
        )
    });
    let lines: Vec<String> = lines.collect();
    table.add_detail("days", &days.days, lines.join("\n"))?;
    table.failures.extend(days.failures);
    Ok(())
}
