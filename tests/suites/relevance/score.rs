//! Scores of a class: how often the right one comes first, or among the first five, how many letters it takes, and how often
//! it vanishes while the right letters are typed.

use std::fmt;

use super::class::{CLASSES, Case, Class};
use super::sample::draw;
use super::subject::{SearchSuggestion, Subject};

/// The place up to which a suggestion is seen without scrolling.
const SEEN: usize = 5;

/// Letters that the contract asks for.
const LEAST_LETTERS: usize = 2;

/// How much is asked.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// Queries per class, at most.
    pub(crate) queries: usize,
    pub(crate) seed: u64,
    /// What a class's name must contain; empty for all.
    pub(crate) class: String,
}

/// What one class came to.
#[derive(Debug)]
pub(crate) struct Score {
    pub(crate) class: &'static str,
    pub(crate) asked: usize,
    /// Queries with the right one first.
    pub(crate) first: usize,
    /// Queries with the right one among the first five.
    pub(crate) five: usize,
    /// None for a class with typos.
    pub(crate) letters: Option<Letters>,
    /// Queries that are not in `five`, in the order in which they were asked.
    pub(crate) misses: Vec<Miss>,
    /// Where the right one went away while right letters were typed.
    pub(crate) went: Vec<Miss>,
}

/// What typing letter by letter showed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Letters {
    /// Letters until the right one was first seen, as shares of each query's length, summed; a miss counts as 1.
    shares: f64,
    /// How often the right one was seen and went away at the next letter.
    pub(crate) vanished: usize,
    /// In how many queries that happened.
    pub(crate) unsteady: usize,
}

/// A query that did not bring up the right one. Shown with what came instead.
#[derive(Debug)]
pub(crate) struct Miss {
    pub(crate) typed: String,
    pub(crate) expected: String,
    /// The labels that came instead, best first.
    pub(crate) came: Vec<String>,
}

impl Score {
    /// The shares of queries, 0 to 1, with the right one first and among the first five; 1 when none was asked.
    pub(crate) fn found(&self) -> [f64; 2] {
        [share(self.first, self.asked), share(self.five, self.asked)]
    }

    /// The share of its letters that a query needed, 0 to 1, and the share of queries in which the right one never went
    /// away; none for a class with typos.
    pub(crate) fn typing(&self) -> Option<[f64; 2]> {
        let letters = self.letters.as_ref()?;
        let needed = letters.shares / count(self.asked.max(1));
        Some([needed, share(self.asked - letters.unsteady, self.asked)])
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 1.0;
    }
    count(part) / count(whole)
}

fn count(queries: usize) -> f64 {
    f64::from(u32::try_from(queries).expect("fewer than four thousand million"))
}

/// Asks the queries of every class whose name has a text in it.
pub(crate) fn run(subject: &Subject, plan: &Plan) -> Vec<Score> {
    let named = |class: &&Class| class.name.contains(&plan.class);
    let classes: Vec<&Class> = CLASSES.iter().filter(named).collect();
    let drawn = draw(&subject.addresses, &classes, plan.queries, plan.seed);
    let scores = drawn.iter().map(|(class, cases)| {
        let letters = class.by_letter.then(Letters::default);
        scored(subject, class.name, cases, letters)
    });
    scores.collect()
}

fn scored(
    subject: &Subject,
    class: &'static str,
    cases: &[Case],
    letters: Option<Letters>,
) -> Score {
    let mut score = Score {
        class,
        asked: cases.len(),
        first: 0,
        five: 0,
        letters,
        misses: Vec::new(),
        went: Vec::new(),
    };
    for case in cases {
        let came = subject.suggest(&case.typed);
        match place(subject, case, &came) {
            Some(place) => {
                score.five += 1;
                score.first += usize::from(place == 0);
            }
            None => score.misses.push(Miss::of(&case.typed, case, &came)),
        }
        if let Some(letters) = &mut score.letters {
            letters.follow(subject, case, &mut score.went);
        }
    }
    score
}

/// The place of the right one among the first five.
fn place(subject: &Subject, case: &Case, came: &[SearchSuggestion<'_>]) -> Option<usize> {
    let met =
        |suggestion: &SearchSuggestion<'_>| case.expected.is_met_by(suggestion, &subject.addresses);
    came.iter().take(SEEN).position(met)
}

impl Letters {
    /// Types a query letter by letter. A space at the end changes nothing, as the service trims.
    fn follow(&mut self, subject: &Subject, case: &Case, went: &mut Vec<Miss>) {
        let ends: Vec<usize> = case
            .typed
            .char_indices()
            .map(|(at, c)| at + c.len_utf8())
            .collect();
        let (mut seen, mut first, mut lost) = (false, None, 0);
        for (letters, &end) in (1..).zip(&ends) {
            let typed = &case.typed[..end];
            if typed.ends_with(char::is_whitespace) || letters < LEAST_LETTERS {
                continue;
            }
            let came = subject.suggest(typed);
            let now = place(subject, case, &came).is_some();
            if seen && !now {
                lost += 1;
                went.push(Miss::of(typed, case, &came));
            }
            first = first.or(now.then_some(letters));
            seen = now;
        }
        self.shares += share(first.unwrap_or(ends.len()), ends.len());
        self.vanished += lost;
        self.unsteady += usize::from(lost > 0);
    }
}

impl Miss {
    fn of(typed: &str, case: &Case, came: &[SearchSuggestion<'_>]) -> Self {
        Self {
            typed: typed.to_owned(),
            expected: case.expected.to_string(),
            came: came.iter().map(|one| one.label().to_owned()).collect(),
        }
    }
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {:?} → {}", self.typed, self.expected)?;
        for label in self.came.iter().take(SEEN) {
            writeln!(f, "      {label}")?;
        }
        if self.came.is_empty() {
            writeln!(f, "      nothing came")?;
        }
        Ok(())
    }
}
