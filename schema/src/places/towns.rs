//! The towns of a generation in memory, to be found by the beginning of any of their names.

use std::sync::Arc;

use super::fuzzy::{Typo, shared};
use super::table::split;
use crate::{fold, squash, word_starts};

/// A town by its place in the order of weight: 0 is the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TownNumber(pub(super) u32);

impl TownNumber {
    /// Stands where there is no town.
    pub(super) const NONE: Self = Self(u32::MAX);
}

/// A town.
#[derive(Debug, Clone)]
pub struct Town {
    /// Woonplaats as the register spells it.
    pub name: Arc<str>,
    /// Municipality on the stand day.
    pub municipality: Arc<str>,
    /// Province on the stand day.
    pub province: Arc<str>,
    /// How many addresses it has.
    pub addresses: u64,
    /// Whether another town bears the same name.
    pub shares_name: bool,
    pub(super) forms: Arc<str>,
}

/// How what was typed fits the name of a town. Better ones order first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It is one of the town's names.
    Whole,
    /// One of its names begins so.
    Beginning,
    /// One of its names goes on so from a later word.
    Inner,
    /// Its municipality or province begins so.
    Area,
}

/// A town that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TownHit {
    /// Which one.
    pub town: TownNumber,
    /// How it fits.
    pub fit: Fit,
    /// Letters that had to be taken as mistyped.
    pub edits: u8,
}

/// Some of the towns.
#[derive(Debug, Clone, Default)]
pub struct TownSet {
    pub(super) few: Vec<TownNumber>,
    bits: Vec<u64>,
}

/// All towns.
pub struct Towns {
    all: Vec<Town>,
    /// What a town can be found by, squashed, in the order of the text.
    keys: Vec<Key>,
    /// The first bytes of each key: nearly all of the way to a key is found without a look at its text.
    heads: Vec<u64>,
}

struct Key {
    text: Box<str>,
    town: TownNumber,
    /// The fit of a beginning of it.
    fit: Fit,
    /// Bytes that it begins with like the key before it.
    shared: usize,
}

impl Towns {
    pub(super) fn new(mut all: Vec<Town>) -> Self {
        let mut keys: Vec<Key> = (0..)
            .zip(&all)
            .flat_map(|(n, town)| keys(TownNumber(n), town))
            .collect();
        keys.sort_unstable_by(|a, b| (&a.text, a.town, a.fit).cmp(&(&b.text, b.town, b.fit)));
        for at in 1..keys.len() {
            keys[at].shared = shared(&keys[at - 1].text, &keys[at].text);
        }
        let mut names: Vec<Arc<str>> = all.iter().map(|town| town.name.clone()).collect();
        names.sort_unstable();
        for town in &mut all {
            let end = names.partition_point(|name| *name <= town.name);
            town.shares_name = end >= 2 && names[end - 2] == town.name;
        }
        let heads = keys.iter().map(|key| head(&key.text)).collect();
        Self { all, keys, heads }
    }

    /// The town of this number.
    #[must_use]
    pub fn get(&self, town: TownNumber) -> Option<&Town> {
        self.all.get(town.0 as usize)
    }

    /// Every town, the largest first.
    pub fn iter(&self) -> impl Iterator<Item = (TownNumber, &Town)> {
        (0..).map(TownNumber).zip(&self.all)
    }

    /// The towns that folded words may mean, the best fit first, then the largest: those whose name begins so, or those of
    /// that name in a municipality or province that is named behind it (`hengelo gelderland`).
    #[must_use]
    pub fn named<W: AsRef<str>>(&self, words: &[W]) -> Vec<TownHit> {
        // Whatever town is meant, a key begins with the first word.
        let mut hits = match words {
            [] => return Vec::new(),
            [only] if only.as_ref().is_empty() => return Vec::new(),
            [only] => return best_first(self.beginning_with(only.as_ref())),
            [first, ..] if !self.has_beginning(first.as_ref()) => return Vec::new(),
            _ => self.beginning_with(&squash(words.iter().map(W::as_ref))),
        };
        if hits.iter().all(|hit| hit.fit == Fit::Area) {
            hits.extend(self.in_named_area(words));
        }
        if hits.is_empty() {
            hits = self.with_each_word(words);
        }
        best_first(hits)
    }

    fn has_beginning(&self, word: &str) -> bool {
        let key = self.keys.get(self.from(word));
        !word.is_empty() && key.is_some_and(|key| key.text.starts_with(word))
    }

    /// The place of the first key that does not order before a text.
    fn from(&self, text: &str) -> usize {
        let head = head(text);
        let first = self.heads.partition_point(|&other| other < head);
        let alike = self.heads[first..].partition_point(|&other| other == head);
        let alike = &self.keys[first..first + alike];
        first + alike.partition_point(|key| *key.text < *text)
    }

    fn beginning_with(&self, squashed: &str) -> Vec<TownHit> {
        let first = self.from(squashed);
        let keys = self.keys[first..].iter();
        let fitting = keys.take_while(|key| key.text.starts_with(squashed));
        let hit = |key: &Key| {
            let whole = key.fit == Fit::Beginning && key.text.len() == squashed.len();
            TownHit {
                town: key.town,
                fit: if whole { Fit::Whole } else { key.fit },
                edits: 0,
            }
        };
        fitting.map(hit).collect()
    }

    fn in_named_area<W: AsRef<str>>(&self, words: &[W]) -> Vec<TownHit> {
        let of_split = |split: usize| {
            let (name, area) = words.split_at(split);
            let [name, area] = [name, area].map(|words| squash(words.iter().map(W::as_ref)));
            let mut hits = self.beginning_with(&name);
            hits.retain(|hit| hit.fit == Fit::Whole && self.lies_in(hit.town, &area));
            hits
        };
        (1..words.len()).rev().flat_map(of_split).collect()
    }

    fn lies_in(&self, town: TownNumber, area: &str) -> bool {
        let begins =
            |name: &str| word_starts(&fold(name)).any(|rest| squash([rest]).starts_with(area));
        let town = self.get(town);
        town.is_some_and(|town| begins(&town.municipality) || begins(&town.province))
    }

    /// Some leave out what stands between or shorten it: `alphen rijn`, `capelle a d ijssel`.
    fn with_each_word<W: AsRef<str>>(&self, words: &[W]) -> Vec<TownHit> {
        let Some((first, rest)) = words.split_first().filter(|(_, rest)| !rest.is_empty()) else {
            return Vec::new();
        };
        let in_order = |form: &str| {
            let mut known = form.split(' ');
            let mut next = |word: &W| known.any(|known| known.starts_with(word.as_ref()));
            next(first) && rest.iter().all(next)
        };
        let mut hits = self.beginning_with(first.as_ref());
        hits.retain(|hit| {
            let town = self.get(hit.town).filter(|_| hit.fit <= Fit::Beginning);
            town.is_some_and(|town| town.forms().any(in_order))
        });
        for hit in &mut hits {
            hit.fit = Fit::Inner;
        }
        hits
    }

    /// The towns whose name begins nearly so, the least mistyped first.
    #[must_use]
    pub fn nearly_named(&self, typo: &Typo) -> Vec<TownHit> {
        let mut hits = Vec::new();
        let texts = self.keys.iter().map(|key| (&*key.text, key.shared));
        typo.each_beginning(texts, |at, edits| {
            let key = &self.keys[at];
            if key.fit != Fit::Area {
                let whole = key.fit == Fit::Beginning && typo.is(&key.text).is_some();
                let fit = if whole { Fit::Whole } else { key.fit };
                hits.push(TownHit {
                    town: key.town,
                    fit,
                    edits,
                });
            }
        });
        best_first(hits)
    }
}

/// The first bytes of a text as a number that orders as they do.
fn head(text: &str) -> u64 {
    let mut head = [0; 8];
    for (place, byte) in head.iter_mut().zip(text.bytes()) {
        *place = byte;
    }
    u64::from_be_bytes(head)
}

/// Each town once, with its best fit.
fn best_first(mut hits: Vec<TownHit>) -> Vec<TownHit> {
    if hits.len() < 2 {
        return hits;
    }
    hits.sort_unstable_by_key(|hit| (hit.town, hit.edits, hit.fit));
    hits.dedup_by_key(|hit| hit.town);
    hits.sort_by_key(|hit| (hit.edits, hit.fit));
    hits
}

fn keys(number: TownNumber, town: &Town) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut add = |text: String, fit| {
        let text = text.into_boxed_str();
        keys.push(Key {
            text,
            town: number,
            fit,
            shared: 0,
        });
    };
    for form in town.forms() {
        for (at, rest) in word_starts(form).enumerate() {
            let fit = if at == 0 { Fit::Beginning } else { Fit::Inner };
            add(squash([rest]), fit);
        }
    }
    for area in [&town.municipality, &town.province] {
        for rest in word_starts(&fold(area)) {
            add(squash([rest]), Fit::Area);
        }
    }
    keys
}

impl Town {
    /// The folded forms of its name, the register's first.
    pub fn forms(&self) -> impl Iterator<Item = &str> {
        split(&self.forms)
    }

    pub(super) fn all_forms(&self) -> &str {
        &self.forms
    }
}

impl FromIterator<TownNumber> for TownSet {
    fn from_iter<I: IntoIterator<Item = TownNumber>>(towns: I) -> Self {
        let mut set = Self::default();
        for town in towns {
            let (word, bit) = (town.0 as usize / 64, town.0 % 64);
            if set.bits.len() <= word {
                set.bits.resize(word + 1, 0);
            }
            if set.bits[word] & 1 << bit == 0 {
                set.few.push(town);
            }
            set.bits[word] |= 1 << bit;
        }
        set
    }
}

impl TownSet {
    pub(super) fn contains(&self, TownNumber(town): TownNumber) -> bool {
        let word = self.bits.get(town as usize / 64);
        word.is_some_and(|bits| bits >> (town % 64) & 1 == 1)
    }

    /// How many they are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.few.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.few.is_empty()
    }
}
