//! Folds names and typed text, so that different ways to write a name give the same text. The index and the search use the same
//! function.
//!
//! Source: imbag.github.io, praktijkhandleiding, "welke tekens". The register writes names in the character set MES-1, which includes
//! Ĳ and ĳ.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The words of a text in lower case without diacritics, with one space between them: `'s-Gravenhage` becomes `s gravenhage`, `Ĳsselstein`
/// becomes `ijsselstein`, `Daniël` becomes `daniel`, and `1940-1945` becomes `1940 1945`.
///
/// Removes apostrophes, diacritics and characters without width. Every other character that is not a letter or digit separates words.
/// Folding a folded text does not change it.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    if text.is_ascii() {
        // This path is faster, and most typed text is ASCII.
        let kept = text.chars().filter(|&c| !is_apostrophe(c));
        kept.for_each(|c| push_folded(&mut folded, c.to_ascii_lowercase()));
        folded.truncate(folded.trim_end().len());
        return folded;
    }
    let kept = text.chars().filter(|&c| !is_apostrophe(c));
    for c in kept.nfkd().flat_map(char::to_lowercase).nfkd() {
        push_folded(&mut folded, c);
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// Initial capacity, in bytes, of a text without spaces. Most names fit in it; for a longer name the text grows.
const USUAL_NAME_LENGTH: usize = 32;

/// The folded words without spaces: `kerk straat` becomes `kerkstraat`.
pub fn squash<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut squashed = String::with_capacity(USUAL_NAME_LENGTH);
    for word in words {
        for part in word.split(' ') {
            squashed.push_str(part);
        }
    }
    squashed
}

/// A text in lower case without diacritics, spaces and marks: `'s-Gravenhage` becomes `sgravenhage`.
pub fn squashed(text: &str) -> String {
    squash([&*fold(text)])
}

/// The suffixes of a folded text that start at a word: `van tuyl laan`, `tuyl laan`, `laan`.
pub fn word_suffixes(folded: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folded), |rest| Some(rest.split_once(' ')?.1))
}

fn push_folded(folded: &mut String, c: char) {
    match c {
        'a'..='z' | '0'..='9' => folded.push(c),
        // Letters that have no decomposition.
        'ß' => folded.push_str("ss"),
        'æ' => folded.push_str("ae"),
        'œ' => folded.push_str("oe"),
        'ø' => folded.push('o'),
        'ł' => folded.push('l'),
        'ı' => folded.push('i'),
        'đ' | 'ð' => folded.push('d'),
        'þ' => folded.push_str("th"),
        _ if is_combining_mark(c) || is_apostrophe(c) || is_invisible(c) => {}
        _ if c.is_alphanumeric() => folded.push(c),
        _ if folded.is_empty() || folded.ends_with(' ') => {}
        _ => folded.push(' '),
    }
}

/// Whether keyboards produce this character for an apostrophe.
fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '\'' | '`' | '´' | '‘' | '’' | '‛' | '′' | 'ʹ' | 'ʼ' | '＇'
    )
}

/// Whether this character has no width, such as a direction mark; copied text often contains such characters.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A folded name without leading zeros in its numbers: `kogge 6` for `kogge 06`, a street in Lelystad. `None` if no number has a leading
/// zero.
#[must_use]
pub fn without_leading_zeros(folded: &str) -> Option<String> {
    let is_padded = |word: &str| word.len() > 1 && word.starts_with('0');
    if !folded.split(' ').any(is_padded) {
        return None;
    }
    let words = folded.split(' ').map(|word| match is_padded(word) {
        true => word.trim_start_matches('0'),
        false => word,
    });
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_spellings_of_a_name_fold_to_the_same_text() {
        #[track_caller]
        fn case(text: &str, expected: &str) {
            assert_eq!(fold(text), expected, "{text:?}");
        }
        case("'s-Gravenhage", "s gravenhage");
        case("’s Gravenhage", "s gravenhage");
        case("´s-Gravenhage", "s gravenhage");
        case("'t Hoekje", "t hoekje");
        case("Âld Hertenterp", "ald hertenterp");
        case("Daniël Stalpertstraat", "daniel stalpertstraat");
        case("Danie\u{308}l", "daniel");
        case("Ĳsselstein", "ijsselstein");
        case("ĳsselstein", "ijsselstein");
        case("IJSSELSTEIN", "ijsselstein");
        case("Laan 1940-1945", "laan 1940 1945");
        case("mt. Ondinaweg", "mt ondinaweg");
        case("  Kerkstraat ,\t12\u{a0}a ", "kerkstraat 12 a");
        case("NDSM-plein", "ndsm plein");
        case("\u{202b}Dam\u{200f}", "dam");
        case("Ｄａｍ", "dam");
        case("Fluıtekruıd", "fluitekruid");
        case("Straße Łódź Ørsted Œuvre", "strasse lodz orsted oeuvre");
        case("…!?", "");
        case("", "");
    }

    #[test]
    fn squashed_words_have_no_spaces() {
        assert_eq!(squash(["kerk straat", "12"]), "kerkstraat12");
        assert_eq!(squash([]), "");
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in any::<String>()) {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }

        #[test]
        fn words_are_separated_by_one_space(text in any::<String>()) {
            let folded = fold(&text);
            prop_assert!(folded.is_empty() || folded.split(' ').all(|word| !word.is_empty()));
        }
    }
}
