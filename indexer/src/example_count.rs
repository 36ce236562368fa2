//! Counts things and keeps a few examples, for reports.

use std::fmt;

use crate::day::Day;
use crate::objects::Voorkomen;

/// A count, and the first few of the counted things as examples.
#[derive(Debug, Default, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ExampleCount {
    /// How many.
    pub count: u64,
    /// The first few: an id, or for a version id and voorkomenidentificatie.
    pub examples: Vec<String>,
}

impl ExampleCount {
    const MAX_EXAMPLES: usize = 5;

    pub(crate) fn add(&mut self, example: impl fmt::Display) {
        self.count += 1;
        if self.examples.len() < Self::MAX_EXAMPLES {
            self.examples.push(example.to_string());
        }
    }

    pub(crate) fn add_version(&mut self, id: &impl fmt::Display, number: u32) {
        self.add(format_args!("{id}/{number}"));
    }

    /// Appends a later count.
    pub(crate) fn append(&mut self, next: &Self) {
        self.count += next.count;
        self.examples.extend(next.examples.iter().cloned());
        self.examples.truncate(Self::MAX_EXAMPLES);
    }

    /// Adds the versions of an object that hold on a day together with a later version.
    pub(crate) fn add_overlaps<'a, T: 'a>(
        &mut self,
        id: &impl fmt::Display,
        versions: impl IntoIterator<Item = &'a Voorkomen<T>>,
        day: Day,
    ) {
        let holding = versions
            .into_iter()
            .filter(|version| !version.annulled && version.period.holds_on(day));
        let mut numbers: Vec<u32> = holding.map(|version| version.number).collect();
        numbers.sort_unstable();
        numbers.pop();
        numbers
            .into_iter()
            .for_each(|number| self.add_version(id, number));
    }
}

impl fmt::Display for ExampleCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} versions ({})", self.count, self.examples.join(", "))
    }
}
