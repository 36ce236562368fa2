//! Cleans text that was pasted from web pages, mail and spreadsheets: decodes entities, drops tags, and takes the address out of
//! links.

use std::ops::Range;

use encoding_rs::WINDOWS_1252;
use html_escape::decode_html_entities;
use percent_encoding::percent_decode_str;
use postduif_schema::{HouseNumber, Postcode};

/// Maximum number of characters that are read.
const MAX_CHARS: usize = 240;

/// Maximum number of characters in which a postcode is looked for.
const MAX_TEXT_CHARS: usize = 4_000;

/// The parts of links to maps that come directly before the address.
const BEFORE_ADDRESS: [&str; 11] = [
    "/maps/place/", "?query=", "&query=", "?destination=", "&destination=", "?daddr=", "&daddr=",
    "?q=", "&q=", "/maps/search/", "/maps/dir/",
];

/// Minimum number of small letters before a capital, so that the capital begins another name, as in `AssenDijkweg`. `MacArthur` has fewer
/// and stays one name.
const MIN_LETTERS_BEFORE_CAPITAL: usize = 3;

/// How the part with street and number begins in links to property websites: `ede/huis-dijk-12`. The town is the part before it.
const BEFORE_HOUSE: [&str; 2] = ["huis-", "appartement-"];

/// Maximum number of words at the beginning of a long text that may be an address with its number.
const MAX_WORDS_BEFORE_NUMBER: usize = 5;

/// The part of a text that is read: the first [`MAX_CHARS`] characters or, if only later ones have a postcode, as many around it.
pub(super) fn part_to_read(typed: &str) -> String {
    if typed.len() <= MAX_CHARS {
        return typed.to_owned();
    }
    let chars: Vec<char> = typed.chars().take(MAX_TEXT_CHARS).collect();
    let is_postcode = |at: &usize| {
        let is_part = |at: usize| chars.get(at).is_some_and(|c| c.is_alphanumeric());
        let is_start = chars[*at].is_ascii_digit() && !at.checked_sub(1).is_some_and(is_part);
        let is_whole = |length: usize| {
            let code: String = chars[*at..].iter().take(length).collect();
            // `2019 is` is rather a year.
            let is_written = !code.contains(|c: char| c.is_ascii_lowercase());
            is_written && !is_part(at + length) && Postcode::from_input(&code).is_ok()
        };
        is_start && (is_whole(Postcode::LENGTH) || is_whole(Postcode::LENGTH + 1))
    };
    // A number among the first words is that of an address at the beginning.
    let first_words = typed.split_whitespace().take(MAX_WORDS_BEFORE_NUMBER);
    let has_address_first = first_words.skip(1).any(|word| {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        (1..=HouseNumber::MAX_DIGITS).contains(&digits) && !word.contains('-')
    });
    let postcode = (0..chars.len())
        .filter(|_| !has_address_first)
        .find(is_postcode);
    let first = match postcode {
        Some(at) if at + Postcode::LENGTH >= MAX_CHARS => at - MAX_CHARS / 2,
        _ => 0,
    };
    chars[first..].iter().take(MAX_CHARS).collect()
}

/// Undoes the encodings that programs leave: percent-encoding (`dijk%2012`), HTML entities, also if they were encoded twice
/// (`&amp;#039;s-Gravenhage`), and UTF-8 that was read as Windows-1252. Percent-encoding that does not decode to UTF-8 stays as it is.
pub fn decode_text(text: &str) -> String {
    let decoded = percent_decode_str(text).decode_utf8();
    let decoded = decode_entities(decoded.as_deref().unwrap_or(text));
    repair_encoding(decode_entities(&decoded))
}

/// Decodes HTML entities, also those in capitals: `&EUML;`.
fn decode_entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let mut lowered = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, entity)) = rest.split_once('&') {
        let letters = entity.bytes().take_while(u8::is_ascii_uppercase).count();
        let is_entity = letters > 1 && entity[letters..].starts_with(';');
        let kept = if is_entity { letters } else { 0 };
        lowered.extend([before, "&", &entity[..kept].to_ascii_lowercase()]);
        rest = &entity[kept..];
    }
    lowered.push_str(rest);
    decode_html_entities(&lowered).into_owned()
}

/// Repairs a text in UTF-8 that was read as Windows-1252: `DÃ¼rer` becomes `Dürer`. Other texts stay as they are.
fn repair_encoding(text: String) -> String {
    if !text.contains(['Ã', 'Â', 'Å', 'â']) {
        return text;
    }
    let (bytes, _, has_unmappable) = WINDOWS_1252.encode(&text);
    let repaired = String::from_utf8(bytes.into_owned()).ok();
    repaired.filter(|_| !has_unmappable).unwrap_or(text)
}

/// The text without HTML tags, such as the `<br>` in `Dijk 12<br>1234 AB Ede`. Other text in angle brackets is kept.
pub(super) fn without_tags(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        let Some((tag, after)) = tag.split_once('>') else {
            break;
        };
        let inner = if is_tag(tag) { "" } else { tag };
        kept.extend([before, " ", inner, " "]);
        rest = after;
    }
    kept + rest
}

/// Whether the text between angle brackets is a tag: one word, a word with attributes, or a comment.
fn is_tag(text: &str) -> bool {
    let text = text.trim_end_matches('/').trim();
    text.starts_with(['/', '!', '?']) || text.contains('=') || !text.contains(char::is_whitespace)
}

/// The text without e-mail addresses and links. Keeps the address in a link to a map or a property website.
pub(super) fn without_links(text: &str) -> String {
    let is_link = |chunk: &str| {
        chunk.contains('@')
            || chunk.contains("://")
            || chunk.to_ascii_lowercase().starts_with("www.")
    };
    if is_link(text.trim()) && !text.contains('@') && !text.trim().contains(char::is_whitespace) {
        let words = address_in_link(text).or_else(|| path_words(text));
        return words.unwrap_or_default();
    }
    if text.contains(['@', ':']) || text.contains("www") || text.contains("WWW") {
        let kept = text.split_whitespace().map(|chunk| match is_link(chunk) {
            true => address_in_link(chunk).unwrap_or_default(),
            false => chunk.to_owned(),
        });
        return kept.collect::<Vec<_>>().join(" ");
    }
    text.to_owned()
}

/// The words of the path of a link, if the path has several parts and the last part contains a digit, or if one of the words is a whole
/// postcode: `https://example.nl/ede/dijk/12`, `https://example.nl/dijk-12-9401ab`.
fn path_words(link: &str) -> Option<String> {
    let (_, rest) = link.split_once("://").unwrap_or(("", link));
    let (_, path) = rest.split_once('/')?;
    let path = path.split(['?', '#']).next()?.trim_matches('/');
    let is_digit = |c: char| c.is_ascii_digit();
    let last = path.rsplit('/').next()?;
    let mut words = path.split(['/', '-', '_', '+']);
    let has_postcode = words.any(|word| Postcode::from_input(word).is_ok());
    let is_house = path.contains('/') && last.contains(is_digit);
    (has_postcode || is_house && path.contains(char::is_alphabetic))
        .then(|| path.replace(['/', '-', '_', '+'], " "))
}

/// The address in a link such as `https://maps.example/maps/place/Dijk+12,+Ede/`.
fn address_in_link(link: &str) -> Option<String> {
    let to_words = |part: &str| part.replace(['+', '-', '='], " ");
    let in_map = BEFORE_ADDRESS.iter().find_map(|before| {
        let (_, address) = link.split_once(before)?;
        let address = address.trim_start_matches('/');
        address
            .split(['/', '&', '#', '@', '?'])
            .next()
            .map(to_words)
    });
    let of_house = || {
        let parts: Vec<&str> = link.split('/').collect();
        let mut pairs = parts.windows(2);
        pairs.find_map(|pair| {
            let house = BEFORE_HOUSE
                .iter()
                .find_map(|kind| pair[1].strip_prefix(kind))?;
            Some(to_words(&format!("{house} {}", pair[0])))
        })
    };
    in_map
        .filter(|address| !address.is_empty())
        .or_else(of_house)
}

/// The text with a space between a number and a capitalised name, and between two capitalised names: `12 Assen` for `12Assen`, and
/// `Assen Dijkweg` for `AssenDijkweg`.
pub(super) fn separate_capitals(text: &str) -> String {
    let bytes = text.as_bytes();
    let are_lowercase = |range: Range<usize>| bytes[range].iter().all(u8::is_ascii_lowercase);
    let ends_name = |at: usize| {
        at + 1 >= MIN_LETTERS_BEFORE_CAPITAL
            && are_lowercase(at + 1 - MIN_LETTERS_BEFORE_CAPITAL..at + 1)
    };
    // After a capital, the bytes of a letter with a mark count as lower case: `HoogeveenRöntgenhof`.
    let continues_name = |byte: &u8| byte.is_ascii_lowercase() || !byte.is_ascii();
    let is_glued = |at: &usize| {
        bytes[at + 1].is_ascii_uppercase()
            && bytes[at + 2..at + 4].iter().all(continues_name)
            && (bytes[*at].is_ascii_digit() || ends_name(*at))
    };
    let places = 0..bytes.len().saturating_sub(3);
    let mut separated = text.to_owned();
    for at in places.filter(is_glued).rev() {
        separated.insert(at + 1, ' ');
    }
    separated
}

#[cfg(test)]
mod tests {
    use crate::search::parse::typed_words;

    #[test]
    #[rustfmt::skip]
    fn pasted_texts_are_cleaned() {
        #[track_caller]
        fn case(typed: &str, expected: &str) {
            assert_eq!(typed_words(typed).join(" "), expected, "{typed:?}");
        }
        case("<Dijk 8, Ede>", "dijk 8 ede");
        case("EdewegRöntgenhof 8", "edeweg rontgenhof 8");
        case("<b>Dijk 8</b> Ede", "dijk 8 ede");
        case("Dijk 8<br />Ede", "dijk 8 ede");
        case("<p class=\"a b\">Dijk 8</p>", "dijk 8");
        case("<!-- adres --> Dijk 8", "dijk 8");
        case("Exlo&EUML;rweg 8", "exloerweg 8");
        case("Exlo&euml;rweg 8 &AMP; 9", "exloerweg 8 9");
        case("Dijk 8 & 9; &", "dijk 8 9");
        case("https://www.example.nl/maps/place/Lange+Dijk+2,+9431+JD+Ede/@52.1,6.2", "lange dijk 2 9431 jd ede");
        case("https://example.nl/maps?q=Lange+Dijk+2&z=3", "lange dijk 2");
        case("https://example.nl/maps/search/?api=1&query=Lange+Dijk+2+Ede", "lange dijk 2 ede");
        case("https://example.nl/maps/dir/?api=1&destination=Lange+Dijk+2,Ede", "lange dijk 2 ede");
        case("https://example.nl/maps/place/Lange+Dijk+2,+Ede?q=x", "lange dijk 2 ede");
        case("https://example.nl/koop/ede/huis-lange-dijk-12/47185365/", "lange dijk 12 ede");
        case("https://example.nl/ dijk 12", "dijk 12");
        case("https://example.nl/", "");
        case("https://example.nl/ede/lange-dijk/12?a=b", "ede lange dijk 12");
        case("https://example.nl/p/12 dijk 3", "dijk 3");
        case("https://example.nl/maps/dir//Dijk+12,+Ede/", "dijk 12 ede");
        case("AssenLangedijk 12", "assen langedijk 12");
        case("MacArthurweg 12", "macarthurweg 12");
        case("ede inDeMeern 12", "ede indemeern 12");
        case("https://example.nl/lange-dijk-12-9401ab-ede", "lange dijk 12 9401ab ede");
        case("https://example.nl/top-10", "");
        case("https://example.nl/9471jg", "9471jg");
        case("https://example.nl/AbC12", "");
        case("DÃ¼rerweg 12", "durerweg 12");
        case("Jeanne dâ€™Arclaan 7", "jeanne darclaan 7");
        case("Âld Dijk 7", "ald dijk 7");
        case("Dijk 12Assen", "dijk 12 assen");
        case("Dijk 3Gees", "dijk 3 gees");
        case("Dijk 12Ab", "dijk 12ab");
        case("Dijk 3é", "dijk 3e");
        let letter = "Geachte heer, ".repeat(20);
        let words = typed_words(&format!("{letter} Dijk 12, 1234 AB Ede"));
        assert!(words.ends_with(&["dijk", "12", "1234", "ab", "ede"].map(String::from)), "{words:?}");
        let words = typed_words(&format!("{letter} Dijk 12, 1234\u{a0}AB Ede"));
        assert!(words.ends_with(&["dijk", "12", "1234", "ab", "ede"].map(String::from)), "{words:?}");
        for later in ["sinds 2019 is", "Kantoor: Kade 3, 1234 AB Ede"] {
            let words = typed_words(&format!("Dijk 12, Ede. {letter} {later}"));
            assert!(words.starts_with(&["dijk", "12", "ede"].map(String::from)), "{words:?}");
        }
    }
}
