//! Prints the table of goals: the limit, the measured value, and whether the goal is reached.

use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;
use serde_json::Value;

use crate::goal::{Goal, Limit};
use crate::machine::Machine;
use crate::print_line;
use crate::turns::ScenarioResults;

/// One goal, with the measured value of each round.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Row {
    goal: Goal,
    #[serde(flatten)]
    limit: Limit,
    median: f64,
    reached: bool,
    rounds: Vec<f64>,
}

/// The results of a run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Table {
    machine: Machine,
    addresses: u64,
    load_average_before: String,
    load_average_after: String,
    goals: Vec<Row>,
    pub(crate) turns: Vec<ScenarioResults>,
    /// Results that belong to no goal, by name.
    pub(crate) details: serde_json::Map<String, Value>,
    /// Lines about such results for the printed report.
    #[serde(skip)]
    notes: Vec<String>,
    /// Failures that make the results invalid, such as failed requests.
    pub(crate) failures: Vec<String>,
}

impl Row {
    pub(crate) fn new(goal: Goal, limit: Limit, rounds: Vec<f64>) -> Self {
        let median = median(&rounds);
        Self {
            goal,
            limit,
            median,
            // If a value could not be measured (NaN), the comparison is false and the goal is not reached.
            reached: median <= limit.most,
            rounds,
        }
    }

    fn line(&self) -> String {
        let Limit {
            quantity,
            most,
            unit,
        } = self.limit;
        let figure = |value: f64| match unit {
            "x" => format!("{value:.2}x"),
            "" => format!("{value:.0}"),
            _ => format!("{value:.*} {unit}", if value < 10.0 { 2 } else { 1 }),
        };
        let spread = |pick: fn(f64, f64) -> f64, from| self.rounds.iter().copied().fold(from, pick);
        let [least, most_seen] = [
            spread(f64::min, f64::INFINITY),
            spread(f64::max, f64::NEG_INFINITY),
        ];
        let spread = match self.rounds.len() {
            0 | 1 => String::new(),
            _ => format!("{}-{}", figure(least), figure(most_seen)),
        };
        let reached = if self.reached { "yes" } else { "NO" };
        format!(
            "{quantity:<44} {:>10} {:>10} {reached:>8} {:>6} {spread:>22}",
            figure(most),
            figure(self.median),
            self.rounds.len()
        )
    }
}

impl Table {
    pub(crate) fn new(addresses: u64) -> Self {
        Self {
            machine: Machine::read(),
            addresses,
            load_average_before: crate::resources::load_average(),
            load_average_after: String::new(),
            goals: Vec::new(),
            turns: Vec::new(),
            details: serde_json::Map::new(),
            notes: Vec::new(),
            failures: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, goal: Goal, limit: Limit, rounds: Vec<f64>) {
        self.goals.push(Row::new(goal, limit, rounds));
    }

    /// Adds a result that belongs to no goal, with a line for the printed report.
    pub(crate) fn add_detail(
        &mut self,
        name: &str,
        value: &impl Serialize,
        line: String,
    ) -> anyhow::Result<()> {
        self.notes.push(line);
        self.details
            .insert(name.to_owned(), serde_json::to_value(value)?);
        Ok(())
    }

    pub(crate) fn print(&mut self, json: Option<&Path>) -> anyhow::Result<()> {
        self.load_average_after = crate::resources::load_average();
        print_line(&self.machine.line())?;
        print_line(&format!(
            "{} addresses, load average {} before and {} after; medians over the rounds\n",
            self.addresses, self.load_average_before, self.load_average_after
        ))?;
        print_line(&format!(
            "{:<44} {:>10} {:>10} {:>8} {:>6} {:>22}",
            "goal", "limit", "measured", "reached", "rounds", "spread"
        ))?;
        for row in &self.goals {
            print_line(&row.line())?;
        }
        self.print_turns()?;
        for line in &self.notes {
            print_line(line)?;
        }
        for failure in &self.failures {
            print_line(&format!("FAILED: {failure}"))?;
        }
        if let Some(path) = json {
            let text = serde_json::to_vec_pretty(self)?;
            std::fs::write(path, text).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }

    fn print_turns(&self) -> anyhow::Result<()> {
        if !self.turns.is_empty() {
            print_line(&format!(
                "\n{:<12} {:>20} {:>12} {:>20}",
                "requests to", "server CPU us/request", "requests/s", "different requests"
            ))?;
        }
        for turn in &self.turns {
            let name = turn
                .goal
                .map_or("Bare".to_owned(), |goal| format!("{goal:?}"));
            print_line(&format!(
                "{name:<12} {:>20.2} {:>12.0} {:>20}",
                median(&turn.cpu_us),
                median(&turn.per_second),
                turn.different_requests
            ))?;
        }
        print_line("")
    }
}

/// The median of the values; NaN if there are none.
pub(crate) fn median(rounds: &[f64]) -> f64 {
    let mut sorted = rounds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.get(half) {
        Some(upper) if sorted.len().is_multiple_of(2) => f64::midpoint(sorted[half - 1], *upper),
        Some(middle) => *middle,
        None => f64::NAN,
    }
}
