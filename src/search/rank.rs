//! Which of the places that were found a person means most likely: all weights in one struct, and how a name fits.

use postduif_schema::{Fit, word_starts};

use super::Split;

/// What counts how much. Points; a doubling of a street's length is one.
#[derive(Debug, Clone)]
pub struct Weights {
    /// The whole name was typed.
    pub name_whole: f32,
    /// All but the article before it was typed.
    pub name_no_article: f32,
    /// The beginning of the name was typed.
    pub name_beginning: f32,
    /// For each letter that it has fewer than four.
    pub letter_missing: f32,
    /// The beginnings of the first words were typed, one after the other.
    pub name_initials: f32,
    /// The last words of the name were typed.
    pub name_ending: f32,
    /// The name goes on as typed from a later word.
    pub name_inner: f32,
    /// Each word that was typed begins some word of the name.
    pub name_scattered: f32,
    /// For each word of a name after the first: the longest name counts, then the town.
    pub name_word: f32,
    /// For each word with digits that belongs to a whole name: the longest name counts, then the house number.
    pub digits_in_name: f32,
    /// The whole town was typed.
    pub town_whole: f32,
    /// For each letter of the beginning of a town that was typed, up to four: fewer say little.
    pub town_letter: f32,
    /// Both a name and a town behind it were only begun, where one longer name may be meant.
    pub both_begun: f32,
    /// The beginning of the town was typed, before the street.
    pub town_begun_first: f32,
    /// The town goes on as typed from a later word.
    pub town_inner: f32,
    /// Its municipality or province was typed.
    pub town_area: f32,
    /// For each doubling of the addresses of the town that a street lies in.
    pub town_size: f32,
    /// For each doubling of the addresses of a town that is found itself.
    pub city_size: f32,
    /// A town before a street.
    pub city: f32,
    /// The house number is there, and behind it nothing but what was typed.
    pub number_same: f32,
    /// The house number is there, with more behind it.
    pub number_more: f32,
    /// The house number stands before everything else, which nobody does in Dutch.
    pub number_leading: f32,
    /// House numbers that begin with the digits.
    pub number_beginning: f32,
    /// The house number is there, but not with this letter or addition.
    pub suffix_unknown: f32,
    /// The street does not have the house number.
    pub number_unknown: f32,
    /// For each place further down a street.
    pub next_number: f32,
    /// The whole postcode was typed.
    pub postcode: f32,
    /// Four leading digits.
    pub postcode_beginning: f32,
    /// The same with a letter behind them, which says more as part of a postcode than as the beginning of a name.
    pub postcode_letter: f32,
    /// Four digits elsewhere, which may as well be a house number.
    pub postcode_elsewhere: f32,
    /// Four digits beside a house number.
    pub postcode_and_number: f32,
    /// For each word beside a postcode that fits what lies there.
    pub word_at_postcode: f32,
    /// The whole name of a street beside a postcode: the other streets there may begin alike, or have the number in it.
    pub name_at_postcode: f32,
    /// For each word beside a postcode that fits nothing there.
    pub word_lost: f32,
    /// For each letter that must have been mistyped.
    pub edit: f32,
}

impl Weights {
    /// The weights in use. They are held by the relevance suite.
    pub const USED: Self = Self {
        name_whole: 40.0,
        name_no_article: 32.0,
        name_beginning: 24.0,
        letter_missing: -3.0,
        name_initials: 22.0,
        name_ending: 20.0,
        name_inner: 15.0,
        name_scattered: 10.0,
        name_word: 5.0,
        digits_in_name: 20.0,
        town_whole: 20.0,
        town_letter: 3.0,
        both_begun: -8.0,
        town_begun_first: 2.0,
        town_inner: 8.0,
        town_area: 4.0,
        town_size: 0.7,
        city_size: 1.7,
        city: 5.0,
        number_same: 15.0,
        number_more: 11.0,
        number_leading: -15.0,
        number_beginning: 7.0,
        suffix_unknown: -8.0,
        number_unknown: -12.0,
        next_number: -0.05,
        postcode: 120.0,
        postcode_beginning: 70.0,
        postcode_letter: 10.0,
        postcode_elsewhere: 12.0,
        postcode_and_number: 55.0,
        word_at_postcode: 4.0,
        name_at_postcode: 20.0,
        word_lost: -6.0,
        edit: -11.0,
    };

    /// Points for a street whose name fits.
    #[must_use]
    pub fn name(&self, fit: NameFit, words: &[String]) -> f32 {
        let longer = self.name_word * small(words.len().saturating_sub(1));
        longer
            + match fit {
                NameFit::Whole => {
                    let digits = |word: &&String| word.bytes().any(|byte| byte.is_ascii_digit());
                    let digits = words.iter().filter(digits).count();
                    self.name_whole + self.digits_in_name * small(digits)
                }
                NameFit::NoArticle => self.name_no_article,
                NameFit::Beginning => {
                    let letters = words.iter().map(String::len).sum::<usize>();
                    self.name_beginning
                        + self.letter_missing * small(4_usize.saturating_sub(letters))
                }
                NameFit::Initials => self.name_initials,
                NameFit::Ending => self.name_ending,
                NameFit::Inner => self.name_inner,
                NameFit::Scattered => self.name_scattered,
            }
    }

    /// Points for a town that fits beside a street whose name fits.
    #[must_use]
    pub fn town(&self, fit: Fit, split: &Split<'_>, name: NameFit) -> f32 {
        let letters = split.town.iter().map(String::len).sum::<usize>().min(4);
        let begun = match name {
            NameFit::Whole => 0.0,
            _ => self.both_begun,
        };
        match fit {
            Fit::Whole => self.town_whole,
            Fit::Beginning if split.town_first => self.town_begun_first,
            Fit::Beginning => self.town_letter * small(letters) + begun,
            Fit::Inner => self.town_inner,
            Fit::Area => self.town_area + self.letter_missing * small(4 - letters),
        }
    }

    /// Points for the size of a street and its town, in addresses.
    #[must_use]
    pub fn size(&self, street: u64, town: u64) -> f32 {
        doublings(street) + self.town_size * doublings(town)
    }

    /// Points for a town of its own, of a size in addresses.
    #[must_use]
    pub fn city(&self, fit: Fit, addresses: u64) -> f32 {
        let name = match fit {
            Fit::Whole => self.name_whole,
            Fit::Beginning => self.name_beginning,
            Fit::Inner => self.name_inner,
            Fit::Area => 0.0,
        };
        name + self.city + self.city_size * doublings(addresses)
    }
}

fn doublings(count: u64) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "it is about the size")]
    let count = count.max(1) as f32;
    count.log2()
}

/// A small count as points.
#[must_use]
pub fn small(count: usize) -> f32 {
    u16::try_from(count).map_or(f32::MAX, f32::from)
}

/// How words fit the name of a street. Better ones order first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameFit {
    /// They are the name.
    Whole,
    /// They are the name without the article before it.
    NoArticle,
    /// The name begins with them.
    Beginning,
    /// They begin its first words, one after the other.
    Initials,
    /// The name ends with them, from a later word on.
    Ending,
    /// The name goes on with them from a later word.
    Inner,
    /// Each begins some word of the name.
    Scattered,
}

/// How folded words fit the best of a name's folded forms; spaces do not count.
pub fn name_fit<'a>(words: &[String], forms: impl Iterator<Item = &'a str>) -> Option<NameFit> {
    forms.filter_map(|form| form_fit(words, form)).min()
}

fn form_fit(words: &[String], form: &str) -> Option<NameFit> {
    let mut starts = word_starts(form);
    if let Some(rest) = starts.next().and_then(|whole| after(whole, words)) {
        let fit = if rest.is_empty() {
            NameFit::Whole
        } else {
            NameFit::Beginning
        };
        return Some(fit);
    }
    if begin_each(words, form) {
        return Some(NameFit::Initials);
    }
    let inner = starts.filter_map(|start| Some((start, after(start, words)?)));
    let fit = |(start, rest): (&str, &str)| match form.strip_suffix(start) {
        _ if !rest.is_empty() => NameFit::Inner,
        Some("de " | "het " | "t " | "den ") => NameFit::NoArticle,
        _ => NameFit::Ending,
    };
    if let Some(fit) = inner.map(fit).min() {
        return Some(fit);
    }
    let scattered = words.len() > 1 && words.iter().all(|word| begins_word_of(word, form));
    scattered.then_some(NameFit::Scattered)
}

/// Whether more than one word each begin the word of a name that stands in the same place.
fn begin_each(words: &[String], form: &str) -> bool {
    let mut known = form.split(' ');
    let begins = |word: &String| known.next().is_some_and(|known| known.starts_with(&**word));
    words.len() > 1 && words.iter().all(begins)
}

/// Whether a folded word begins some word of any of a name's folded forms.
pub fn begins_word<'a>(word: &String, mut forms: impl Iterator<Item = &'a str>) -> bool {
    forms.any(|form| begins_word_of(word, form))
}

/// Whether any of a name's folded forms stands whole among folded words.
pub fn holds_name<'a>(words: &[String], mut forms: impl Iterator<Item = &'a str>) -> bool {
    let is = |form: &str, words: &[String]| after(form, words) == Some("");
    let begins_at = |form: &str, from: usize| {
        let mut ends = from + 1..=words.len();
        ends.any(|to| is(form, &words[from..to]))
    };
    forms.any(|form| (0..words.len()).any(|from| begins_at(form, from)))
}

fn begins_word_of(word: &String, form: &str) -> bool {
    word_starts(form).any(|start| after(start, std::slice::from_ref(word)).is_some())
}

/// What stands behind the words in a text that begins with them, wherever either has its spaces.
fn after<'a>(text: &'a str, words: &[String]) -> Option<&'a str> {
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
        fn case(typed: &str, name: &str, expected: Option<NameFit>) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            assert_eq!(
                name_fit(&words, name.split('|')),
                expected,
                "{typed:?} {name:?}"
            );
        }
        case("kerkstraat", "kerkstraat", Some(NameFit::Whole));
        case("kerk straat", "kerkstraat", Some(NameFit::Whole));
        case("kerk str", "kerkstraat", Some(NameFit::Beginning));
        case("vantuyl", "burgemeester van tuyllaan", Some(NameFit::Inner));
        case(
            "tuyllaan",
            "burgemeester van tuyllaan",
            Some(NameFit::Ending),
        );
        case(
            "burg v tu",
            "burgemeester van tuyllaan",
            Some(NameFit::Initials),
        );
        case("hoek", "de hoek", Some(NameFit::NoArticle));
        case("hoe", "de hoek", Some(NameFit::Inner));
        case("de", "de hoek van de", Some(NameFit::Beginning));
        case(
            "tuyll burg",
            "burgemeester van tuyllaan",
            Some(NameFit::Scattered),
        );
        case("tuyll kerk", "burgemeester van tuyllaan", None);
        case(
            "burg v tuyllaan",
            "burgemeester van tuyllaan|burg v tuyllaan",
            Some(NameFit::Whole),
        );
        case("plein", "kerkplein", None);
        case("é", "été", Some(NameFit::Beginning));
    }

    #[test]
    fn a_whole_name_is_found_wherever_it_stands() {
        #[track_caller]
        fn case(typed: &str, name: &str, expected: bool) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            assert_eq!(holds_name(&words, name.split('|')), expected, "{typed:?}");
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
        let points = Weights::USED.name(NameFit::Whole, &words);
        assert!(
            points > Weights::USED.name(NameFit::Whole, &words[..1]) + Weights::USED.number_same
        );
    }
}
