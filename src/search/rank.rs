//! Which of the places that were found a person means most likely: all weights in one struct, and how a name fits.

use postduif_schema::{TownMatchKind, word_suffixes};

use super::StreetTownSplit;

/// What counts how much. Points; a doubling of a street's length is one.
#[derive(Debug, Clone)]
pub struct Weights {
    /// The whole name was typed.
    pub name_exact: f32,
    /// All but the article before it was typed.
    pub name_without_article: f32,
    /// The beginning of the name was typed.
    pub name_prefix: f32,
    /// For each letter that it has fewer than four.
    pub per_missing_letter: f32,
    /// The beginnings of the first words were typed, one after the other.
    pub name_word_prefixes: f32,
    /// The last words of the name were typed.
    pub name_last_words: f32,
    /// The name goes on as typed from a later word.
    pub name_inner_prefix: f32,
    /// Each word that was typed begins some word of the name.
    pub name_any_order: f32,
    /// For each word of a name after the first: the longest name counts, then the town.
    pub per_extra_name_word: f32,
    /// For each word with digits that belongs to a whole name: the longest name counts, then the house number.
    pub per_digit_word: f32,
    /// The whole town was typed.
    pub town_exact: f32,
    /// For each letter of the beginning of a town that was typed, up to four: fewer say little.
    pub per_town_prefix_letter: f32,
    /// Both a name and a town behind it were only begun, where one longer name may be meant.
    pub both_prefixes: f32,
    /// The beginning of the town was typed, before the street.
    pub town_prefix_first: f32,
    /// The town goes on as typed from a later word.
    pub town_inner_prefix: f32,
    /// Its municipality or province was typed.
    pub town_area: f32,
    /// For each doubling of the addresses of the town that a street lies in.
    pub town_size_beside_street: f32,
    /// For each doubling of the addresses of a town that is found itself.
    pub city_size: f32,
    /// A town before a street.
    pub city_base: f32,
    /// The house number is there, and behind it nothing but what was typed.
    pub number_exact: f32,
    /// The house number is there, with more behind it.
    pub number_longer: f32,
    /// The house number stands before everything else, which nobody does in Dutch.
    pub number_leading: f32,
    /// House numbers that begin with the digits.
    pub number_prefix: f32,
    /// The house number is there, but not with this letter or addition.
    pub suffix_not_found: f32,
    /// The street does not have the house number.
    pub number_not_found: f32,
    /// For each place further down a street.
    pub per_later_number: f32,
    /// The whole postcode was typed.
    pub postcode_whole: f32,
    /// Four leading digits.
    pub postcode_leading_digits: f32,
    /// The same with a letter behind them, which says more as part of a postcode than as the beginning of a name.
    pub postcode_letter: f32,
    /// Four digits elsewhere, which may as well be a house number.
    pub postcode_later_digits: f32,
    /// Four digits beside a house number.
    pub postcode_digits_with_number: f32,
    /// For each word beside a postcode that fits what lies there.
    pub per_word_in_postcode: f32,
    /// The whole name of a street beside a postcode: the other streets there may begin alike, or have the number in it.
    pub name_in_postcode: f32,
    /// For each word beside a postcode that fits nothing there.
    pub per_unmatched_word: f32,
    /// For each letter that must have been mistyped.
    pub per_edit: f32,
}

impl Weights {
    /// The weights in use. They are held by the relevance suite.
    pub const DEFAULT: Self = Self {
        name_exact: 40.0,
        name_without_article: 32.0,
        name_prefix: 24.0,
        per_missing_letter: -3.0,
        name_word_prefixes: 22.0,
        name_last_words: 20.0,
        name_inner_prefix: 15.0,
        name_any_order: 10.0,
        per_extra_name_word: 5.0,
        per_digit_word: 20.0,
        town_exact: 20.0,
        per_town_prefix_letter: 3.0,
        both_prefixes: -8.0,
        town_prefix_first: 2.0,
        town_inner_prefix: 8.0,
        town_area: 4.0,
        town_size_beside_street: 0.7,
        city_size: 1.7,
        city_base: 5.0,
        number_exact: 15.0,
        number_longer: 11.0,
        number_leading: -15.0,
        number_prefix: 7.0,
        suffix_not_found: -8.0,
        number_not_found: -12.0,
        per_later_number: -0.05,
        postcode_whole: 120.0,
        postcode_leading_digits: 70.0,
        postcode_letter: 10.0,
        postcode_later_digits: 12.0,
        postcode_digits_with_number: 55.0,
        per_word_in_postcode: 4.0,
        name_in_postcode: 20.0,
        per_unmatched_word: -6.0,
        per_edit: -11.0,
    };

    /// Points for a street whose name fits.
    #[must_use]
    pub fn score_name(&self, fit: NameMatch, words: &[String]) -> f32 {
        let longer = self.per_extra_name_word * count_as_f32(words.len().saturating_sub(1));
        longer
            + match fit {
                NameMatch::Exact => {
                    let digits = |word: &&String| word.bytes().any(|byte| byte.is_ascii_digit());
                    let digits = words.iter().filter(digits).count();
                    self.name_exact + self.per_digit_word * count_as_f32(digits)
                }
                NameMatch::WithoutArticle => self.name_without_article,
                NameMatch::Prefix => {
                    let letters = words.iter().map(String::len).sum::<usize>();
                    self.name_prefix
                        + self.per_missing_letter * count_as_f32(4_usize.saturating_sub(letters))
                }
                NameMatch::WordPrefixes => self.name_word_prefixes,
                NameMatch::LastWords => self.name_last_words,
                NameMatch::InnerPrefix => self.name_inner_prefix,
                NameMatch::AnyOrder => self.name_any_order,
            }
    }

    /// Points for a town that fits beside a street whose name fits.
    #[must_use]
    pub fn score_town(
        &self,
        fit: TownMatchKind,
        split: &StreetTownSplit<'_>,
        name: NameMatch,
    ) -> f32 {
        let letters = split.town.iter().map(String::len).sum::<usize>().min(4);
        let begun = match name {
            NameMatch::Exact => 0.0,
            _ => self.both_prefixes,
        };
        match fit {
            TownMatchKind::Exact => self.town_exact,
            TownMatchKind::Prefix if split.town_first => self.town_prefix_first,
            TownMatchKind::Prefix => self.per_town_prefix_letter * count_as_f32(letters) + begun,
            TownMatchKind::InnerWord => self.town_inner_prefix,
            TownMatchKind::Area => {
                self.town_area + self.per_missing_letter * count_as_f32(4 - letters)
            }
        }
    }

    /// Points for the size of a street and its town, in addresses.
    #[must_use]
    pub fn score_size(&self, street: u64, town: u64) -> f32 {
        log2_size(street) + self.town_size_beside_street * log2_size(town)
    }

    /// Points for a town of its own, of a size in addresses.
    #[must_use]
    pub fn score_city(&self, fit: TownMatchKind, addresses: u64) -> f32 {
        let name = match fit {
            TownMatchKind::Exact => self.name_exact,
            TownMatchKind::Prefix => self.name_prefix,
            TownMatchKind::InnerWord => self.name_inner_prefix,
            TownMatchKind::Area => 0.0,
        };
        name + self.city_base + self.city_size * log2_size(addresses)
    }
}

fn log2_size(count: u64) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "it is about the size")]
    let count = count.max(1) as f32;
    count.log2()
}

/// A small count as points.
#[must_use]
pub fn count_as_f32(count: usize) -> f32 {
    u16::try_from(count).map_or(f32::MAX, f32::from)
}

/// How words fit the name of a street. Better ones order first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameMatch {
    /// They are the name.
    Exact,
    /// They are the name without the article before it.
    WithoutArticle,
    /// The name begins with them.
    Prefix,
    /// They begin its first words, one after the other.
    WordPrefixes,
    /// The name ends with them, from a later word on.
    LastWords,
    /// The name goes on with them from a later word.
    InnerPrefix,
    /// Each begins some word of the name.
    AnyOrder,
}

/// How folded words fit the best of a name's folded forms; spaces do not count.
pub fn match_name<'a>(words: &[String], forms: impl Iterator<Item = &'a str>) -> Option<NameMatch> {
    forms.filter_map(|form| match_form(words, form)).min()
}

fn match_form(words: &[String], form: &str) -> Option<NameMatch> {
    let mut starts = word_suffixes(form);
    if let Some(rest) = starts
        .next()
        .and_then(|whole| strip_leading_words(whole, words))
    {
        let fit = if rest.is_empty() {
            NameMatch::Exact
        } else {
            NameMatch::Prefix
        };
        return Some(fit);
    }
    if is_word_prefixes(words, form) {
        return Some(NameMatch::WordPrefixes);
    }
    let inner = starts.filter_map(|start| Some((start, strip_leading_words(start, words)?)));
    let fit = |(start, rest): (&str, &str)| match form.strip_suffix(start) {
        _ if !rest.is_empty() => NameMatch::InnerPrefix,
        Some("de " | "het " | "t " | "den ") => NameMatch::WithoutArticle,
        _ => NameMatch::LastWords,
    };
    if let Some(fit) = inner.map(fit).min() {
        return Some(fit);
    }
    let scattered = words.len() > 1 && words.iter().all(|word| begins_word_in_form(word, form));
    scattered.then_some(NameMatch::AnyOrder)
}

/// Whether more than one word each begin the word of a name that stands in the same place.
fn is_word_prefixes(words: &[String], form: &str) -> bool {
    let mut known = form.split(' ');
    let begins = |word: &String| known.next().is_some_and(|known| known.starts_with(&**word));
    words.len() > 1 && words.iter().all(begins)
}

/// Whether a folded word begins some word of any of a name's folded forms.
pub fn begins_any_word<'a>(word: &String, mut forms: impl Iterator<Item = &'a str>) -> bool {
    forms.any(|form| begins_word_in_form(word, form))
}

/// Whether any of a name's folded forms stands whole among folded words.
pub fn contains_name<'a>(words: &[String], mut forms: impl Iterator<Item = &'a str>) -> bool {
    let is = |form: &str, words: &[String]| strip_leading_words(form, words) == Some("");
    let begins_at = |form: &str, from: usize| {
        let mut ends = from + 1..=words.len();
        ends.any(|to| is(form, &words[from..to]))
    };
    forms.any(|form| (0..words.len()).any(|from| begins_at(form, from)))
}

fn begins_word_in_form(word: &String, form: &str) -> bool {
    word_suffixes(form)
        .any(|start| strip_leading_words(start, std::slice::from_ref(word)).is_some())
}

/// What stands behind the words in a text that begins with them, wherever either has its spaces.
fn strip_leading_words<'a>(text: &'a str, words: &[String]) -> Option<&'a str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    // By bytes: no byte of a longer character is a space, so whole characters are compared all the same.
    for byte in words.iter().flat_map(|word| word.bytes()) {
        at += usize::from(bytes.get(at) == Some(&b' '));
        if bytes.get(at) != Some(&byte) {
            return None;
        }
        at += 1;
    }
    Some(&text[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fit_a_name_wherever_the_spaces_are() {
        #[track_caller]
        fn case(typed: &str, name: &str, expected: Option<NameMatch>) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            assert_eq!(
                match_name(&words, name.split('|')),
                expected,
                "{typed:?} {name:?}"
            );
        }
        case("kerkstraat", "kerkstraat", Some(NameMatch::Exact));
        case("kerk straat", "kerkstraat", Some(NameMatch::Exact));
        case("kerk str", "kerkstraat", Some(NameMatch::Prefix));
        case(
            "vantuyl",
            "burgemeester van tuyllaan",
            Some(NameMatch::InnerPrefix),
        );
        case(
            "tuyllaan",
            "burgemeester van tuyllaan",
            Some(NameMatch::LastWords),
        );
        case(
            "burg v tu",
            "burgemeester van tuyllaan",
            Some(NameMatch::WordPrefixes),
        );
        case("hoek", "de hoek", Some(NameMatch::WithoutArticle));
        case("hoe", "de hoek", Some(NameMatch::InnerPrefix));
        case("de", "de hoek van de", Some(NameMatch::Prefix));
        case(
            "tuyll burg",
            "burgemeester van tuyllaan",
            Some(NameMatch::AnyOrder),
        );
        case("tuyll kerk", "burgemeester van tuyllaan", None);
        case(
            "burg v tuyllaan",
            "burgemeester van tuyllaan|burg v tuyllaan",
            Some(NameMatch::Exact),
        );
        case("plein", "kerkplein", None);
        case("é", "été", Some(NameMatch::Prefix));
    }

    #[test]
    fn a_whole_name_is_found_wherever_it_stands() {
        #[track_caller]
        fn case(typed: &str, name: &str, expected: bool) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            assert_eq!(
                contains_name(&words, name.split('|')),
                expected,
                "{typed:?}"
            );
        }
        case("wijk 1", "wijk 1", true);
        case("dorp wijk1", "wijk 1", true);
        case("wijk 1 dorp", "voor de wijk|wijk 1", true);
        case("wijk 12", "wijk 1", false);
        case("kolk dorp", "nieuwe kolk", false);
        case("nieuwe dorp kolk", "nieuwe kolk", false);
    }

    #[test]
    fn a_whole_name_with_a_number_in_it_counts_more() {
        let words = ["wijk", "1"].map(String::from);
        let points = Weights::DEFAULT.score_name(NameMatch::Exact, &words);
        assert!(
            points
                > Weights::DEFAULT.score_name(NameMatch::Exact, &words[..1])
                    + Weights::DEFAULT.number_exact
        );
    }
}
