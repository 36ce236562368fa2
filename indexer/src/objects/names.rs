//! Reads the names of woonplaatsen and openbare ruimten.

use crate::record_issues::IssueEffect;
use crate::xml::{XmlError, XmlReader};

/// Maximum length, in characters, of the name of a woonplaats or openbare ruimte. A longer name is noted as an issue. Source: BAG 2.0 XSD
/// v20200601, `IMBAGLV_Objecten-2.1.0.xsd`, naam.
pub(super) const MAX_NAME_CHARS: usize = 80;
/// Maximum length of a short name, in characters. Source: BAG 2.0 XSD v20200601, `IMBAGLV_Nen5825-2.1.0.xsd`, verkorteNaam.
pub(super) const MAX_SHORT_NAME_CHARS: usize = 24;
/// Maximum length, in characters, of a name that is accepted although it is longer than the XSD allows. A name that is longer than this
/// rejects the record.
const MAX_KEPT_CHARS: usize = 255;

/// Reads the text of the current element as a name, and [cleans](clean_name) it. Returns `None` if no text is left. Removed characters, a name of more than `max_chars` characters, and an element in
/// the name are noted as issues.
pub(super) fn read_name(
    xml: &mut XmlReader<'_>,
    field: &'static str,
    max_chars: usize,
) -> Result<Option<Box<str>>, XmlError> {
    let Some(text) = xml.read_text(field, IssueEffect::Rejected)? else {
        return Ok(None);
    };
    let name = clean_name(&text);
    if text.chars().any(is_unwanted) {
        let expected = "expected a name without control characters; they were removed";
        xml.note(field, IssueEffect::Kept, &text, &expected);
    }
    let chars = name.chars().count();
    if chars > max_chars {
        let expected = format!("expected a name of at most {max_chars} characters");
        let effect = match chars {
            ..=MAX_KEPT_CHARS => IssueEffect::Kept,
            _ => IssueEffect::Rejected,
        };
        xml.note(field, effect, &text, &expected);
    }
    Ok((!name.is_empty()).then(|| name.into()))
}

/// Replaces consecutive white space by one space, and removes control and bidi characters.
pub(crate) fn clean_name(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for word in text.split(char::is_whitespace) {
        let word_start = name.len();
        name.extend(word.chars().filter(|&c| !is_unwanted(c)));
        if name.len() > word_start {
            name.push(' ');
        }
    }
    name.truncate(name.trim_end().len());
    name
}

/// Whether a character must be removed: a control character that is not white space, a character that changes the direction of the
/// text, or an invisible character.
///
/// Source: Unicode, UAX #9 (explicit formatting characters), and U+FEFF, U+200B.
fn is_unwanted(c: char) -> bool {
    let is_control = c.is_control() && !c.is_whitespace();
    is_control
        || matches!(
            c,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}'
        )
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, expected: Option<&str>, effects: &[IssueEffect]) {
        let document = format!("<naam>{text}</naam>");
        let read = XmlReader::read_document("test.xml", document.as_bytes(), |xml, _| {
            let name = read_name(xml, "naam", 10)?;
            Ok((name, xml.take_issues()))
        });
        let (name, issues) = read.expect("reads");
        assert_eq!(name.as_deref(), expected, "{text:?}");
        let found: Vec<IssueEffect> = issues.iter().map(|issue| issue.effect).collect();
        assert_eq!(found, effects, "{text:?}");
    }

    #[test]
    fn white_space_and_control_characters_in_names_are_cleaned() {
        use IssueEffect::{Kept, Rejected};
        case("Weesp", Some("Weesp"), &[]);
        case("\n Den \u{a0} Ham\t", Some("Den Ham"), &[]);
        case("", None, &[]);
        case(" \u{a0} ", None, &[]);
        case("We&#x7;esp", Some("Weesp"), &[Kept]);
        case("\u{202e}Weesp \u{2066}", Some("Weesp"), &[Kept]);
        case("\u{feff}", None, &[Kept]);
        case("ééééééééé0", Some("ééééééééé0"), &[]);
        case("ééééééééé01", Some("ééééééééé01"), &[Kept]);
        case("We<q>e</q>sp", None, &[Rejected]);
        case(&"a".repeat(256), Some(&"a".repeat(256)), &[Rejected]);
    }
}
