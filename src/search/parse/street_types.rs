//! Recognizes the type at the end of a street's name: `straat`, `laan`, `weg`. People confuse and omit these types.
//!
//! Assumption: the types in this list are the most frequent endings of street names.

use super::abbreviations::COMPOUND_ENDINGS;

/// The types of street, folded. A type comes before any shorter type with which it ends.
const STREET_TYPES: [&str; 26] = [
    "plantsoen", "boulevard", "straatje", "laantje", "singel", "gracht", "straat", "plaats",
    "dreef", "haven", "plein", "steeg", "markt", "baan", "dijk", "kade", "laan", "park", "ring",
    "veld", "erf", "hof", "pad", "wal", "weg", "oord",
];

/// Diminutives of types. People type them for the type itself, and few names in the register end with a diminutive.
const DIMINUTIVES: [&str; 6] = [
    "singeltje", "pleintje", "weggetje", "steegje", "paadje", "hofje",
];

/// Minimum number of letters of a name without its type.
const MIN_STEM_LETTERS: usize = 3;

/// Minimum number of letters of a name without a type to which a type may be added. This limit excludes short names such as Dijk, because
/// Dijk and Dijkweg are two streets.
const MIN_BARE_LETTERS: usize = 5;

/// Minimum number of letters of an incomplete type, such as `st` in `kerkst`.
const MIN_TYPE_PREFIX_LETTERS: usize = 2;

/// A name without its type of street: `kerk` for `kerkstraat`. `None` if the name ends with no type, or if fewer than `MIN_STEM_LETTERS`
/// letters are left. The name is squashed: folded and without spaces.
fn without_type(name: &str) -> Option<&str> {
    let mut stems = DIMINUTIVES
        .iter()
        .chain(&STREET_TYPES)
        .filter_map(|kind| name.strip_suffix(kind));
    stems.find(|stem| stem.len() >= MIN_STEM_LETTERS)
}

/// Whether `short` is `name` without its type, or with only a part of the type: `kerk` and `kerkst` for `kerkstraat`. Also true if they are
/// equal. Both are squashed.
pub fn lacks_type_of(short: &str, name: &str) -> bool {
    let stem = without_type(name).filter(|_| name.starts_with(short));
    stem.is_some_and(|stem| stem.len() <= short.len())
}

/// The rest of a folded word before its type, and the type. The type may be abbreviated: `kerk` and `straat` for `kerkstr`. The rest is
/// empty if the word is only a type.
pub fn split_type(word: &str) -> Option<(&str, &'static str)> {
    let whole = STREET_TYPES.into_iter().map(|kind| (kind, kind));
    let mut types = whole.chain(COMPOUND_ENDINGS);
    types.find_map(|(typed, kind)| Some((word.strip_suffix(typed)?, kind)))
}

/// A squashed name without the incomplete type at its end: `kerk` for `kerkst`. `None` if the name does not end with the beginning of a
/// type.
fn without_incomplete_type(name: &str) -> Option<&str> {
    let is_stem = |at: &usize| {
        let end = name
            .get(*at..)
            .filter(|end| end.len() >= MIN_TYPE_PREFIX_LETTERS);
        end.is_some_and(|end| STREET_TYPES.iter().any(|kind| kind.starts_with(end)))
    };
    let at = (MIN_STEM_LETTERS..name.len()).find(is_stem)?;
    Some(&name[..at])
}

/// Whether a squashed name ends with a type or, if `may_be_incomplete`, with the beginning of a type.
pub(in crate::search) fn has_street_type(name: &str, may_be_incomplete: bool) -> bool {
    without_type(name).is_some() || may_be_incomplete && without_incomplete_type(name).is_some()
}

/// Whether two squashed names differ only in their type (`kerkstraat` and `kerkweg`), or only in that one of them has a type (`vondel` and
/// `vondelstraat`).
pub(in crate::search) fn differ_in_type(one: &str, other: &str) -> bool {
    let [one_stem, other_stem] = [one, other].map(without_type);
    let is_bare = |stem: Option<&str>, name: &str| {
        stem.is_some_and(|stem| stem == name && stem.len() >= MIN_BARE_LETTERS)
    };
    let have_one_stem = one_stem.is_some() && one_stem == other_stem && one != other;
    have_one_stem || is_bare(one_stem, other) || is_bare(other_stem, one)
}

/// The names that result if the type of a squashed name is replaced, added or removed. If `may_be_incomplete`, the beginning of a type
/// at the end of the name counts as the type.
pub(in crate::search) fn with_other_types(name: &str, may_be_incomplete: bool) -> Vec<String> {
    let incomplete = || without_incomplete_type(name).filter(|_| may_be_incomplete);
    let is_long = |stem: &str| stem.len() >= MIN_BARE_LETTERS;
    let bare = Some(name).filter(|name| is_long(name));
    let Some(stem) = without_type(name).or_else(incomplete).or(bare) else {
        return Vec::new();
    };
    let without = Some("").filter(|_| is_long(stem));
    let others = STREET_TYPES.into_iter().chain(without);
    let others = others.map(|kind| format!("{stem}{kind}"));
    others.filter(|other| other != name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_the_same_stem_differ_only_in_their_type() {
        for (one, other) in [
            ("zwollestraat", "zwolleweg"),
            ("toekomst", "toekomststraat"),
            ("kerkstraatje", "kerkstraat"),
            ("espelerring", "espelerringweg"),
        ] {
            assert!(differ_in_type(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("zwolleweg", "zwolleweg"),
            ("poezieweg", "poemaweg"),
            ("dijk", "weg"),
            ("eistraat", "eilaan"),
        ] {
            assert!(!differ_in_type(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_word_is_split_before_its_type() {
        for (word, expected) in [
            ("kerkstraat", Some(("kerk", "straat"))),
            ("kerkstr", Some(("kerk", "straat"))),
            ("kerkplantsoen", Some(("kerk", "plantsoen"))),
            ("ln", Some(("", "laan"))),
            ("kerk", None),
        ] {
            assert_eq!(split_type(word), expected, "{word}");
        }
    }

    #[test]
    fn every_other_type_replaces_the_typed_type() {
        let others = with_other_types("koningsbeltlaan", false);
        assert!(others.contains(&"koningsbeltweg".to_owned()));
        assert!(others.contains(&"koningsbelt".to_owned()));
        assert!(!others.contains(&"koningsbeltlaan".to_owned()));
        let begun = with_other_types("koningsbeltlaa", true);
        assert!(begun.contains(&"koningsbeltweg".to_owned()));
        assert!(with_other_types("weg", false).is_empty());
    }
}
