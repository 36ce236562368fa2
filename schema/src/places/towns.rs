//! Keeps the towns of a generation in memory, and finds them by prefixes of their names.

use std::collections::HashSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::fuzzy::{FuzzyMatcher, shared_prefix_len};
use super::layout::split_forms;
use crate::{fold, is_province_code, squash, squashed, villages_of_town, word_suffixes};

/// Maximum length, in characters, of the prefixes for which the hits are computed when the index is opened. For longer prefixes, each
/// search computes them.
const MAX_PREPARED_CHARS: usize = 2;

/// A town by its rank: 0 is the town with the most addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TownRank(pub(super) u32);

impl TownRank {
    /// The value for a place that is in no town.
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
    /// Number of the town's addresses.
    pub address_count: u64,
    /// Whether another town has the same name.
    pub shares_name: bool,
    pub(super) forms: Arc<str>,
}

/// How the typed text matches a town. A better match sorts before a worse one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TownMatchKind {
    /// The text is a whole name of the town, or a name followed by the municipality or province.
    Exact,
    /// The text is a whole name of the town, followed by the beginning of the municipality or province.
    ExactWithBegunArea,
    /// The text is a prefix of one of the town's names.
    Prefix,
    /// The text is a prefix of the name of a village or quarter that belongs to the town.
    VillagePrefix,
    /// The text is the beginning of the rest of a name from its second or a later word on (`rijn` for Alphen aan den Rijn), or leaves out
    /// words of the name (`alphen rijn`).
    InnerWord,
    /// The text is a prefix of the town's municipality or province.
    Area,
}

impl TownMatchKind {
    /// Whether the text is a prefix of a name from its first word on.
    #[must_use]
    pub fn is_prefix(self) -> bool {
        matches!(self, Self::Prefix | Self::VillagePrefix)
    }

    /// Whether the text has a whole name of the town.
    #[must_use]
    pub fn is_whole_name(self) -> bool {
        matches!(self, Self::Exact | Self::ExactWithBegunArea)
    }
}

/// A town that a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TownHit {
    /// The town.
    pub town: TownRank,
    /// How the text matches the town.
    pub match_kind: TownMatchKind,
    /// Number of edits between the text and the town's name; 0 if the search allows no edits.
    pub edits: u8,
}

/// All towns of a generation, with the texts by which a search finds them.
pub struct TownIndex {
    towns: Vec<Town>,
    /// The texts by which a search finds towns, folded and without spaces. They are in text order.
    keys: Vec<TownKey>,
    /// The first bytes of each key. Most steps of a binary search compare only these bytes.
    key_heads: Vec<u64>,
    /// The towns of each municipality, largest first. The key is the name of the municipality, folded and without spaces.
    by_municipality: FxHashMap<String, Vec<TownRank>>,
    /// The hits of each prefix of one or two characters, computed when the index is opened. Short prefixes have the longest lists of hits,
    /// and nearly every typed address needs some of these lists.
    short_prefixes: FxHashMap<Box<str>, Arc<[TownHit]>>,
}

struct TownKey {
    text: Box<str>,
    town: TownRank,
    /// How a text that is a prefix of this key matches the town.
    match_kind: TownMatchKind,
    /// Length in bytes of the prefix that this key shares with the previous key of the list.
    shared_prefix: usize,
}

impl TownIndex {
    pub(super) fn new(mut towns: Vec<Town>) -> Self {
        let mut keys: Vec<TownKey> = (0..)
            .zip(&towns)
            .flat_map(|(n, town)| town_keys(TownRank(n), town))
            .collect();
        keys.sort_unstable_by(|a, b| {
            (&a.text, a.town, a.match_kind).cmp(&(&b.text, b.town, b.match_kind))
        });
        for at in 1..keys.len() {
            keys[at].shared_prefix = shared_prefix_len(&keys[at - 1].text, &keys[at].text);
        }
        let mut names: Vec<Arc<str>> = towns.iter().map(|town| town.name.clone()).collect();
        names.sort_unstable();
        for town in &mut towns {
            let end = names.partition_point(|name| *name <= town.name);
            town.shares_name = end >= 2 && names[end - 2] == town.name;
        }
        let key_heads = keys.iter().map(|key| key_head(&key.text)).collect();
        let mut by_municipality: FxHashMap<String, Vec<TownRank>> = FxHashMap::default();
        for (rank, town) in (0..).map(TownRank).zip(&towns) {
            let name = squashed(&town.municipality);
            by_municipality.entry(name).or_default().push(rank);
        }
        let mut index = Self {
            towns,
            keys,
            key_heads,
            by_municipality,
            short_prefixes: FxHashMap::default(),
        };
        index.short_prefixes = index.search_short_prefixes();
        index
    }

    fn search_short_prefixes(&self) -> FxHashMap<Box<str>, Arc<[TownHit]>> {
        let prefixes = self.keys.iter().flat_map(|key| {
            let ends = key.text.char_indices().map(|(at, c)| at + c.len_utf8());
            ends.take(MAX_PREPARED_CHARS).map(|end| &key.text[..end])
        });
        let distinct: HashSet<&str> = prefixes.collect();
        let hits = |prefix: &str| rank_hits(self.find_prefix(prefix)).into();
        distinct
            .into_iter()
            .map(|prefix| (prefix.into(), hits(prefix)))
            .collect()
    }

    /// The town of this rank.
    pub fn get(&self, town: TownRank) -> Option<&Town> {
        self.towns.get(town.0 as usize)
    }

    /// Every town, largest first.
    pub fn iter(&self) -> impl Iterator<Item = (TownRank, &Town)> {
        (0..).map(TownRank).zip(&self.towns)
    }

    /// The towns that folded words may mean, best match first. Among equally good matches, the largest town comes first. The words may be a
    /// prefix of the town's name, or the name followed by the municipality or province (`hengelo gelderland`).
    pub fn search<W: AsRef<str>>(&self, words: &[W]) -> Arc<[TownHit]> {
        // If no key starts with the first word, no town matches.
        let mut hits = match words {
            [] => return Arc::default(),
            [only] if only.as_ref().is_empty() => return Arc::default(),
            [only] => {
                let prepared = self.short_prefixes.get(only.as_ref());
                return prepared
                    .cloned()
                    .unwrap_or_else(|| rank_hits(self.find_prefix(only.as_ref())).into());
            }
            [first, ..] if !self.has_prefix(first.as_ref()) => return Arc::default(),
            _ => self.find_prefix(&squash(words.iter().map(W::as_ref))),
        };
        if hits.iter().all(|hit| hit.match_kind == TownMatchKind::Area) {
            hits.extend(self.find_in_area(words));
        }
        if hits.is_empty() {
            hits = self.find_by_words(words);
        }
        rank_hits(hits).into()
    }

    /// The towns with this name, largest first. The name must be folded and without spaces.
    pub fn with_name(&self, squashed: &str) -> impl Iterator<Item = TownRank> {
        let keys = self.keys[self.lower_bound(squashed)..].iter();
        let same = keys.take_while(move |key| *key.text == *squashed);
        let named = same.filter(|key| key.match_kind.is_prefix());
        named.map(|key| key.town)
    }

    /// The towns of the municipality with this name, largest first. The name must be folded and without spaces.
    pub fn in_municipality(&self, squashed: &str) -> &[TownRank] {
        self.by_municipality
            .get(squashed)
            .map_or(&[], Vec::as_slice)
    }

    fn has_prefix(&self, word: &str) -> bool {
        let key = self.keys.get(self.lower_bound(word));
        !word.is_empty() && key.is_some_and(|key| key.text.starts_with(word))
    }

    /// The index of the first key that is not less than a text.
    fn lower_bound(&self, text: &str) -> usize {
        let head = key_head(text);
        let first = self.key_heads.partition_point(|&other| other < head);
        let alike = self.key_heads[first..].partition_point(|&other| other == head);
        let alike = &self.keys[first..first + alike];
        first + alike.partition_point(|key| *key.text < *text)
    }

    fn find_prefix(&self, squashed: &str) -> Vec<TownHit> {
        let first = self.lower_bound(squashed);
        let keys = self.keys[first..].iter();
        let fitting = keys.take_while(|key| key.text.starts_with(squashed));
        let hit = |key: &TownKey| {
            let whole = key.match_kind.is_prefix() && key.text.len() == squashed.len();
            TownHit {
                town: key.town,
                match_kind: if whole {
                    TownMatchKind::Exact
                } else {
                    key.match_kind
                },
                edits: 0,
            }
        };
        fitting.map(hit).collect()
    }

    fn find_in_area<W: AsRef<str>>(&self, words: &[W]) -> Vec<TownHit> {
        let of_split = |split: usize| {
            let (name, area) = words.split_at(split);
            let [name, area] = [name, area].map(|words| squash(words.iter().map(W::as_ref)));
            let named = self.with_name(&name);
            let fitting = named.filter_map(|town| Some((town, self.match_area(town, &area)?)));
            fitting.collect::<Vec<_>>()
        };
        // The whole name of a municipality means all its towns, also if it begins with the name of one of them: Borger-Odoorn. But it may
        // distinguish towns of one name: Bergen (NH.).
        let whole = squash(words.iter().map(W::as_ref));
        let names_municipality = !self.in_municipality(&whole).is_empty();
        let is_meant = |(town, _): &(TownRank, TownMatchKind)| {
            !names_municipality || self.get(*town).is_some_and(|town| town.shares_name)
        };
        let towns = (1..words.len()).rev().flat_map(of_split).filter(is_meant);
        let hit = |(town, match_kind)| TownHit {
            town,
            match_kind,
            edits: 0,
        };
        towns.map(hit).collect()
    }

    /// `Exact` if `area` is the name of the town's municipality or province, that name without its first words, or a code of the province.
    /// `ExactWithBegunArea` if `area` is the beginning of such a name.
    fn match_area(&self, town: TownRank, area: &str) -> Option<TownMatchKind> {
        let town = self.get(town)?;
        let names = [&town.municipality, &town.province].map(|name| fold(name));
        let ends = names.iter().flat_map(|name| word_suffixes(name));
        let ends: Vec<String> = ends.map(|end| squash([end])).collect();
        if is_province_code(area, &town.province) || ends.iter().any(|end| end == area) {
            return Some(TownMatchKind::Exact);
        }
        let is_begun = ends.iter().any(|end| end.starts_with(area));
        is_begun.then_some(TownMatchKind::ExactWithBegunArea)
    }

    /// Finds towns by typed words that leave out or shorten some words of the town's name: `alphen rijn`, `capelle a d ijssel`.
    fn find_by_words<W: AsRef<str>>(&self, words: &[W]) -> Vec<TownHit> {
        let Some((first, rest)) = words.split_first().filter(|(_, rest)| !rest.is_empty()) else {
            return Vec::new();
        };
        let in_order = |form: &str| {
            let mut known = form.split(' ');
            let mut next = |word: &W| known.any(|known| known.starts_with(word.as_ref()));
            next(first) && rest.iter().all(next)
        };
        let mut hits = self.find_prefix(first.as_ref());
        hits.retain(|hit| {
            let town = self
                .get(hit.town)
                .filter(|_| hit.match_kind <= TownMatchKind::VillagePrefix);
            town.is_some_and(|town| town.forms().any(in_order))
        });
        for hit in &mut hits {
            hit.match_kind = TownMatchKind::InnerWord;
        }
        hits
    }

    /// The towns with a name that contains the text of the matcher at the start of a word, with at most the allowed edits. Towns with the
    /// fewest edits come first.
    pub fn search_fuzzy(&self, matcher: &FuzzyMatcher) -> Vec<TownHit> {
        let mut hits = Vec::new();
        let texts = self.keys.iter().map(|key| (&*key.text, key.shared_prefix));
        matcher.for_each_prefix_match(texts, |at, edits| {
            let key = &self.keys[at];
            if key.match_kind != TownMatchKind::Area {
                let whole = key.match_kind.is_prefix() && matcher.distance(&key.text).is_some();
                let match_kind = if whole {
                    TownMatchKind::Exact
                } else {
                    key.match_kind
                };
                hits.push(TownHit {
                    town: key.town,
                    match_kind,
                    edits,
                });
            }
        });
        rank_hits(hits)
    }
}

/// The first eight bytes of a text as a number. Numbers sort in the same order as these bytes.
fn key_head(text: &str) -> u64 {
    let mut head = [0; 8];
    for (place, byte) in head.iter_mut().zip(text.bytes()) {
        *place = byte;
    }
    u64::from_be_bytes(head)
}

/// Sorts the hits and keeps only the best hit of each town.
fn rank_hits(mut hits: Vec<TownHit>) -> Vec<TownHit> {
    if hits.len() < 2 {
        return hits;
    }
    let quality = |hit: &TownHit| u64::from(hit.edits) << 8 | hit.match_kind as u64;
    let town = |hit: &TownHit| u64::from(hit.town.0);
    // Numbers are compared faster than tuples.
    hits.sort_unstable_by_key(|hit| town(hit) << 16 | quality(hit));
    hits.dedup_by_key(|hit| hit.town);
    hits.sort_unstable_by_key(|hit| quality(hit) << 32 | town(hit));
    hits
}

fn town_keys(number: TownRank, town: &Town) -> Vec<TownKey> {
    let mut keys = Vec::new();
    let mut add = |text: String, match_kind| {
        let text = text.into_boxed_str();
        keys.push(TownKey {
            text,
            town: number,
            match_kind,
            shared_prefix: 0,
        });
    };
    let villages: Vec<String> = villages_of_town(&town.name)
        .iter()
        .copied()
        .map(fold)
        .collect();
    for form in town.forms() {
        for (at, rest) in word_suffixes(form).enumerate() {
            let match_kind = match at {
                0 if villages.iter().any(|village| village == form) => TownMatchKind::VillagePrefix,
                0 => TownMatchKind::Prefix,
                _ => TownMatchKind::InnerWord,
            };
            add(squash([rest]), match_kind);
        }
    }
    for area in [&town.municipality, &town.province] {
        for rest in word_suffixes(&fold(area)) {
            add(squash([rest]), TownMatchKind::Area);
        }
    }
    keys
}

impl Town {
    /// The folded spellings of the town's name and of its other names. The first is the register's spelling.
    pub fn forms(&self) -> impl Iterator<Item = &str> {
        split_forms(&self.forms)
    }

    pub(super) fn joined_forms(&self) -> &str {
        &self.forms
    }
}
