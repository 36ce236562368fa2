//! Computes the score of a class: how often the expected place is first or among the first five suggestions, how many letters must
//! be typed for it, and how often it vanishes while correct letters are typed.

use std::fmt;
use std::time::{Duration, Instant};

use super::class::{CLASSES, Case, Class};
use super::sample::draw;
use super::tested_index::{SearchSuggestion, TestedIndex};

/// The number of suggestions that are visible without scrolling.
pub(crate) const VISIBLE: usize = 5;

/// The minimum length of a query in the contract.
const MIN_LETTERS: usize = 2;

/// The queries to run.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// The maximum number of queries per class.
    pub(crate) queries: usize,
    pub(crate) seed: u64,
    /// The number of first suggestions among which the expected place counts as found.
    pub(crate) within: usize,
    /// Only classes whose name contains this text are run. An empty text selects all classes.
    pub(crate) class: String,
}

/// The results of one class.
#[derive(Debug)]
pub(crate) struct Score {
    pub(crate) class: &'static str,
    pub(crate) queries: usize,
    /// The number of queries whose first suggestion is the expected place.
    pub(crate) first: usize,
    /// The number of queries with the expected place among the first five suggestions.
    pub(crate) five: usize,
    /// The results of typing letter by letter; `None` for a class with typos.
    pub(crate) letters: Option<Letters>,
    /// The duration of each search.
    pub(crate) durations: Vec<Duration>,
    /// The queries without the expected place among the first five suggestions, in order.
    pub(crate) misses: Vec<Miss>,
    /// The queries in which the expected place vanished while correct letters were typed.
    pub(crate) vanished: Vec<Miss>,
}

/// The results of typing letter by letter.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Letters {
    /// The sum, over all queries, of the share of letters that must be typed until the expected place is visible. A query that
    /// never shows the place counts as 1.
    shares: f64,
    /// How often the expected place was visible and vanished when the next letter was typed.
    pub(crate) vanished: usize,
    /// The number of queries in which the expected place vanished at least once.
    pub(crate) unsteady: usize,
}

/// A query that did not show the expected place among the first five suggestions, and the suggestions that it showed.
#[derive(Debug)]
pub(crate) struct Miss {
    pub(crate) typed: String,
    pub(crate) expected: String,
    /// The labels of the suggestions, best first.
    pub(crate) suggestions: Vec<String>,
}

impl Score {
    /// Two shares of queries, from 0 to 1: with the expected place first, and with it among the first five suggestions. Both are 1
    /// if there are no queries.
    pub(crate) fn hit_rates(&self) -> [f64; 2] {
        [
            share(self.first, self.queries),
            share(self.five, self.queries),
        ]
    }

    /// Two values from 0 to 1: the mean share of letters that must be typed, and the share of queries in which the expected place
    /// never vanished. `None` for a class with typos.
    pub(crate) fn typing_rates(&self) -> Option<[f64; 2]> {
        let letters = self.letters.as_ref()?;
        let needed = letters.shares / count(self.queries.max(1));
        Some([needed, share(self.queries - letters.unsteady, self.queries)])
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 1.0;
    }
    count(part) / count(whole)
}

fn count(queries: usize) -> f64 {
    f64::from(u32::try_from(queries).expect("fewer than 2³²"))
}

/// Runs the queries of the chosen classes.
pub(crate) fn run(tested: &TestedIndex, plan: &Plan) -> Vec<Score> {
    let named = |class: &&Class| class.name.contains(&plan.class);
    let classes: Vec<&Class> = CLASSES.iter().filter(named).collect();
    let drawn = draw(&tested.addresses, &classes, plan.queries, plan.seed);
    let scores = drawn.iter().map(|(class, cases)| {
        let letters = class.by_letter.then(Letters::default);
        scored(tested, (class.name, cases), letters, plan.within)
    });
    scores.collect()
}

fn scored(
    tested: &TestedIndex,
    (class, cases): (&'static str, &[Case]),
    letters: Option<Letters>,
    within: usize,
) -> Score {
    let mut score = Score {
        class,
        queries: cases.len(),
        first: 0,
        five: 0,
        durations: Vec::new(),
        letters,
        misses: Vec::new(),
        vanished: Vec::new(),
    };
    for case in cases {
        let started = Instant::now();
        let suggestions = tested.suggest(&case.typed);
        score.durations.push(started.elapsed());
        let found = rank(tested, case, &suggestions).filter(|&rank| rank < within);
        match found {
            Some(rank) => {
                score.five += 1;
                score.first += usize::from(rank == 0);
            }
            None => score
                .misses
                .push(Miss::new(&case.typed, case, &suggestions)),
        }
        if let Some(letters) = &mut score.letters {
            letters.follow(tested, case, &mut score.vanished);
        }
    }
    score
}

/// The rank of the expected place among the first five suggestions.
fn rank(tested: &TestedIndex, case: &Case, suggestions: &[SearchSuggestion<'_>]) -> Option<usize> {
    let met =
        |suggestion: &SearchSuggestion<'_>| case.expected.is_met_by(suggestion, &tested.addresses);
    suggestions.iter().take(VISIBLE).position(met)
}

impl Letters {
    /// Types a query letter by letter. Skips texts that end in a space, because the service trims the text.
    fn follow(&mut self, tested: &TestedIndex, case: &Case, vanished: &mut Vec<Miss>) {
        let ends: Vec<usize> = case
            .typed
            .char_indices()
            .map(|(at, c)| at + c.len_utf8())
            .collect();
        let (mut visible, mut first, mut lost) = (false, None, 0);
        for (letters, &end) in (1..).zip(&ends) {
            let typed = &case.typed[..end];
            if typed.ends_with(char::is_whitespace) || letters < MIN_LETTERS {
                continue;
            }
            let suggestions = tested.suggest(typed);
            let now = rank(tested, case, &suggestions).is_some();
            if visible && !now {
                lost += 1;
                vanished.push(Miss::new(typed, case, &suggestions));
            }
            first = first.or(now.then_some(letters));
            visible = now;
        }
        self.shares += share(first.unwrap_or(ends.len()), ends.len());
        self.vanished += lost;
        self.unsteady += usize::from(lost > 0);
    }
}

impl Miss {
    fn new(typed: &str, case: &Case, suggestions: &[SearchSuggestion<'_>]) -> Self {
        Self {
            typed: typed.to_owned(),
            expected: case.expected.to_string(),
            suggestions: suggestions
                .iter()
                .map(|one| one.label().to_owned())
                .collect(),
        }
    }
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {:?} → {}", self.typed, self.expected)?;
        for label in self.suggestions.iter().take(VISIBLE) {
            writeln!(f, "      {label}")?;
        }
        if self.suggestions.is_empty() {
            writeln!(f, "      no suggestions")?;
        }
        Ok(())
    }
}
