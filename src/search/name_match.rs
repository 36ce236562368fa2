//! Decides how typed words match the name of a street. Spaces are ignored, so `kerk straat` matches Kerkstraat.

use postduif_schema::{squash, word_suffixes};

use super::parse::differ_in_type;

/// Minimum number of letters that the words must have together to match a part of a name.
const MIN_PART_LETTERS: usize = 4;

/// How words match the name of a street. A better match sorts before a worse one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameMatch {
    /// The words are the whole name.
    Exact,
    /// The words are the name without its leading article.
    WithoutArticle,
    /// The name begins with the words.
    Prefix,
    /// There are several words. Each is the beginning of the word at the same position in the name: `burg jans` for Burgemeester
    /// Jansenlaan.
    WordPrefixes,
    /// The words are the last words of the name.
    LastWords,
    /// The words are the beginning of a later part of the name: `van go` for Vincent van Goghlaan.
    InnerPrefix,
    /// There are several words, and each of them is the beginning of some word of the name.
    AnyOrder,
}

/// Compares words with every spelling of a name in `forms`, and returns the best match; `None` if the words match no spelling. Words and
/// spellings are folded: in lower case and without diacritics.
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

/// Whether there are several words, and each is the beginning of the word at the same position in the name.
fn is_word_prefixes(words: &[String], form: &str) -> bool {
    let mut known = form.split(' ');
    let begins = |word: &String| known.next().is_some_and(|known| known.starts_with(&**word));
    words.len() > 1 && words.iter().all(begins)
}

/// Whether some word of a name begins with `word`, in one of the spellings in `forms`. The word and the spellings are folded.
pub fn begins_any_word<'a>(word: &String, mut forms: impl Iterator<Item = &'a str>) -> bool {
    forms.any(|form| begins_word_in_form(word, form))
}

/// Whether consecutive words of a text are exactly a name, as `kerk straat` in `jan kerk straat ede`. `forms` has the spellings of the
/// name. The words and the spellings are folded.
pub fn contains_name<'a>(words: &[String], mut forms: impl Iterator<Item = &'a str>) -> bool {
    let is = |form: &str, words: &[String]| strip_leading_words(form, words) == Some("");
    let begins_at = |form: &str, from: usize| {
        let mut ends = from + 1..=words.len();
        ends.any(|to| is(form, &words[from..to]))
    };
    forms.any(|form| (0..words.len()).any(|from| begins_at(form, from)))
}

/// Whether words are a part of the name `form` and have at least two fifths of its letters, or differ from `form` only in the type of
/// street (`kerkweg` for Kerkstraat). Both are folded.
pub fn is_part_of_name(words: &[String], form: &str) -> bool {
    let entered = squash(words.iter().map(String::as_str));
    let known = squash([form]);
    let is_part = || {
        matches!(
            match_form(words, form),
            Some(NameMatch::WithoutArticle | NameMatch::LastWords | NameMatch::AnyOrder)
        )
    };
    differ_in_type(&entered, &known)
        || entered.len() >= MIN_PART_LETTERS && 5 * entered.len() >= 2 * known.len() && is_part()
}

fn begins_word_in_form(word: &String, form: &str) -> bool {
    word_suffixes(form)
        .any(|start| strip_leading_words(start, std::slice::from_ref(word)).is_some())
}

/// The rest of `text` after `words`, if `text` begins with them; otherwise `None`. Spaces do not count.
fn strip_leading_words<'a>(text: &'a str, words: &[String]) -> Option<&'a str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    // Comparing bytes is enough, because no byte of a multi-byte UTF-8 character equals a space.
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
    #[rustfmt::skip]
    fn words_match_a_name_regardless_of_spaces() {
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
        case("vantuyl", "burgemeester van tuyllaan", Some(NameMatch::InnerPrefix));
        case("tuyllaan", "burgemeester van tuyllaan", Some(NameMatch::LastWords));
        case("burg v tu", "burgemeester van tuyllaan", Some(NameMatch::WordPrefixes));
        case("hoek", "de hoek", Some(NameMatch::WithoutArticle));
        case("hoe", "de hoek", Some(NameMatch::InnerPrefix));
        case("de", "de hoek van de", Some(NameMatch::Prefix));
        case("tuyll burg", "burgemeester van tuyllaan", Some(NameMatch::AnyOrder));
        case("tuyll kerk", "burgemeester van tuyllaan", None);
        case("burg v tuyllaan", "burgemeester van tuyllaan|burg v tuyllaan", Some(NameMatch::Exact));
        case("plein", "kerkplein", None);
        case("é", "été", Some(NameMatch::Prefix));
    }

    #[test]
    fn a_whole_name_is_found_at_any_position() {
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
}
