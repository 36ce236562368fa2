//! Rewrites the names of a header so that [`super::column_names`] knows them: corrects mistakes, numbers the lines of an address, and
//! removes field codes.

use postduif_schema::{FuzzyMatcher, MaxEdits, squashed};

use super::column_names::is_address_column;
use super::known_names::known_names;
use super::line_names::{line_prefix, move_line_numbers_last, split_number, strip_other_meanings};
use super::merged_tables::name_merged_tables;
use super::name_remarks::{has_hint, without_question, without_remark};
use super::name_words::words;
use super::suffix_names::is_certain_name;
use super::surrounded_names::move_known_names_last;
use crate::check::column_role::ColumnRole;

/// Long names that are also recognised with one mistake, as in `Huisnumer`.
const TYPO_TOLERANT_NAMES: [(ColumnRole, &str); 6] = [
    (ColumnRole::Postcode, "postcode"),
    (ColumnRole::Number, "huisnummer"),
    (ColumnRole::Number, "housenumber"),
    (ColumnRole::Letter, "huisletter"),
    (ColumnRole::Street, "straatnaam"),
    (ColumnRole::City, "woonplaats"),
];

/// The numbers of both lines of an address in one column, as in `Adres 1&2 (verzending)`.
const LINE_PAIRS: [&str; 5] = ["1&2", "1 & 2", "1+2", "1 + 2", "1 en 2"];

/// Maximum number of lines of an address. A name with a higher number is not read as a line.
const MAX_LINES: usize = 6;

/// Maximum number of characters of a name. The rest of a longer name is ignored, because searching it takes quadratic time. A whole row is
/// such a name while other separators are tried.
const MAX_SEARCHED_NAME_CHARS: usize = 500;

/// The header with its names rewritten so that [`super::column_names`] knows them.
pub(super) fn normalize_header(header: &[String]) -> Vec<String> {
    let plain = name_merged_tables(&shorten_names(header));
    let plain: Vec<String> = plain
        .iter()
        .map(|name| without_line_pair(without_question(name)))
        .collect();
    let plain = plain_lines(&plain);
    let plain = move_known_names_last(&use_remarks_of_lines(&plain));
    correct_column_names(&without_field_codes(&number_lines(&plain)))
}

/// The header in which the numbers of lines are at the end of their names.
fn plain_lines(header: &[String]) -> Vec<String> {
    let plain = header.iter().map(|name| strip_other_meanings(name));
    move_line_numbers_last(&plain.map(str::to_owned).collect::<Vec<_>>())
}

/// A name without the numbers of both lines: `Adres (verzending)` for `Adres 1&2 (verzending)`.
fn without_line_pair(name: &str) -> String {
    let mut pairs = LINE_PAIRS.iter();
    let split = pairs.find_map(|pair| name.split_once(pair));
    let split = split.filter(|(before, _)| before.trim_end().ends_with(char::is_alphabetic));
    split.map_or_else(
        || name.to_owned(),
        |(before, after)| format!("{}{after}", before.trim_end()),
    )
}

/// The header without what its names have after [`MAX_SEARCHED_NAME_CHARS`].
fn shorten_names(header: &[String]) -> Vec<String> {
    let shorten = |name: &String| name.chars().take(MAX_SEARCHED_NAME_CHARS).collect();
    header.iter().map(shorten).collect()
}

/// The header in which the lines of an address have the same kind of name for all exports: `billing.street[1]` becomes `billing address 2`.
/// A series of lines has at least two numbers or begins at 0. A series that begins at 0 is numbered from 1.
fn number_lines(header: &[String]) -> Vec<String> {
    let split: Vec<_> = header.iter().map(|name| split_number(name)).collect();
    let rename = |(name, &(base, number)): (&String, &(&str, Option<usize>))| {
        let prefix = line_prefix(base)?;
        let same = split.iter().filter(|(other, _)| *other == base);
        let numbers: Vec<usize> = same.filter_map(|(_, number)| *number).collect();
        let has_plain = split.contains(&(base, None));
        // The first line may have no number: `Straat;Straat 2`.
        let numbers: Vec<usize> = match numbers.iter().min()? {
            2.. if has_plain => numbers.into_iter().chain([1]).collect(),
            _ => numbers,
        };
        let first = *numbers.iter().min()?;
        // `Adres 2` belongs to another address if there is a `Postcode 2`.
        let is_other_address = || {
            split.iter().any(|(other, number)| {
                let is_later =
                    number.is_some_and(|number| number > first && numbers.contains(&number));
                is_later && line_prefix(other).is_none() && is_address_column(other)
            })
        };
        let line = number?.saturating_add(usize::from(first == 0));
        let is_series = (numbers.len() > 1 || first == 0) && line <= MAX_LINES;
        let renamed = format!("{prefix} address {line}");
        (is_series && renamed != *name && !is_other_address()).then_some(renamed)
    };
    let names = header.iter().zip(&split);
    names
        .map(|named| rename(named).unwrap_or_else(|| named.0.clone()))
        .collect()
}

/// The parts that the remark of a numbered line may name.
const NAMED_BY_REMARK: [ColumnRole; 4] = [
    ColumnRole::Street,
    ColumnRole::Number,
    ColumnRole::Postcode,
    ColumnRole::City,
];

/// The header with numbered lines named by their remarks: `straat` for `Adresregel 2 (straat)`. Unchanged unless a remark is the name of a
/// part of an address.
fn use_remarks_of_lines(header: &[String]) -> Vec<String> {
    // Of several words, such as `straat/nummer`, each may name a part.
    let is_part = |remark: &str| {
        let word = squashed(remark);
        words(remark).count() == 1
            && NAMED_BY_REMARK
                .into_iter()
                .any(|role| known_names(role).any(|known| known == word))
    };
    let mut lines = header.iter().filter_map(|name| split_remark_of_line(name));
    if !lines.any(|(_, remark)| is_part(remark)) {
        return header.to_vec();
    }
    // `met huisnummer` says more about a line, but `t.a.v.` says that it is no part of the address.
    let mentions_part = |remark: &str| {
        NAMED_BY_REMARK
            .into_iter()
            .any(|role| has_role(remark, role))
    };
    let name_of = |name: &String| match split_remark_of_line(name) {
        Some((prefix, remark)) if is_part(remark) || !mentions_part(remark) => {
            format!("{prefix}{remark}")
        }
        _ => name.clone(),
    };
    header.iter().map(name_of).collect()
}

/// The text before the word for a line, and the remark: `Factuur ` and `straat` of `Factuur adresregel 2 (straat)`. `None` if a name is not
/// that of a numbered line, or if it has no remark or only a hint for filling in a form.
fn split_remark_of_line(name: &str) -> Option<(&str, &str)> {
    let plain = without_remark(name);
    let (base, number) = split_number(plain);
    let prefix = line_prefix(base).filter(|_| number.is_some() && !has_hint(name))?;
    let remark = name[plain.len()..].trim_matches(|c: char| !c.is_alphanumeric());
    (!remark.is_empty()).then_some((prefix, remark))
}

/// The columns of the third and later lines of an address. `second_column` is the column of the second line.
pub(super) fn find_lines_after_second(header: &[String], second_column: usize) -> Vec<usize> {
    let header = number_lines(&plain_lines(header));
    let name = header.get(second_column);
    let Some(start) = name.and_then(|name| name.strip_suffix('2')) else {
        return Vec::new();
    };
    let lines = 3..=MAX_LINES;
    lines
        .filter_map(|line| {
            let name = format!("{start}{line}");
            header.iter().position(|other| *other == name)
        })
        .collect()
}

/// The header without codes in brackets, examples and hints at the end of the names, such as `(11.20)`, `bijv. 1234 AB` and `(optioneel)`.
/// Returns the header unchanged if two names would become equal.
fn without_field_codes(header: &[String]) -> Vec<String> {
    let plain = |name: &String| {
        let plain = without_remark(name);
        let is_code = !name[plain.len()..].contains(char::is_alphabetic);
        if is_code || has_hint(name) {
            plain
        } else {
            name
        }
        .to_owned()
    };
    let names: Vec<String> = header.iter().map(plain).collect();
    let is_distinct = (0..names.len()).all(|at| {
        names[at] == header[at]
            || !names[..at].contains(&names[at]) && !names[at + 1..].contains(&names[at])
    });
    if is_distinct { names } else { header.to_vec() }
}

/// The header with typing errors corrected, as in `Huisnumer`. Corrects a name only to one of the [`TYPO_TOLERANT_NAMES`], and only if no
/// column has the role of that name.
fn correct_column_names(header: &[String]) -> Vec<String> {
    let is_missing = |role| !header.iter().any(|name| has_role(name, role));
    let missing = TYPO_TOLERANT_NAMES
        .into_iter()
        .filter(|(role, _)| is_missing(*role));
    let missing: Vec<&str> = missing.map(|(_, known)| known).collect();
    let correct = |name: &String| {
        let known = missing.iter().find(|known| is_mistyped(known, name));
        known.map_or_else(|| name.clone(), |&known| known.to_owned())
    };
    header.iter().map(correct).collect()
}

/// Whether a name is certain to mean a role. An address line also counts as the street.
fn has_role(name: &str, role: ColumnRole) -> bool {
    is_certain_name(role, name)
        || role == ColumnRole::Street && is_certain_name(ColumnRole::Line, name)
}

/// Whether a name is one word that begins like a known name and has one letter too many, too few, wrong or swapped. `Cost code` is two
/// words, and `Postcode2` is the postcode of another address.
fn is_mistyped(known: &str, name: &str) -> bool {
    let name = name.trim_matches(|c: char| !c.is_alphanumeric());
    let word = squashed(name);
    name.chars().all(char::is_alphabetic)
        && words(name).count() == 1
        && word.as_bytes().first() == known.as_bytes().first()
        && FuzzyMatcher::new(known, MaxEdits::One)
            .distance(&word)
            .is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_shortened() {
        let row = format!("Straat;Nr;Postcode{}", ";é".repeat(1_000));
        let header = [row.clone(), "Plaats".to_owned()];
        let [long, short] = &*shorten_names(&header) else {
            panic!("two names");
        };
        assert_eq!(long.chars().count(), MAX_SEARCHED_NAME_CHARS);
        assert!(row.starts_with(long) && short == "Plaats");
    }

    #[test]
    fn lines_of_an_address_are_numbered_from_1() {
        #[rustfmt::skip]
        let cases = [
            ("street[0];street[1];street[2]", " address 1; address 2; address 3"),
            ("shipping.street.0;shipping.street.1", "shipping. address 1;shipping. address 2"),
            ("address1_line1;address1_line2", "address1_ address 1;address1_ address 2"),
            ("Adres 1: straat 1;Adres 1: straat 2", "Adres 1:  address 1;Adres 1:  address 2"),
            ("street_0;city", " address 1;city"),
            ("Adres 1;Postcode 1;Adres 2;Postcode 2", "Adres 1;Postcode 1;Adres 2;Postcode 2"),
            ("street_1;city", "street_1;city"),
            ("Straat;Straat 2;Plaats", "Straat; address 2;Plaats"),
            ("Straat;Nr;Straat 2;Nr 2", "Straat;Nr;Straat 2;Nr 2"),
            ("Werkadres, straat;Werkadres 2, straat", "Werkadres, straat;Werkadres,  address 2"),
            ("Werkadres, straat;Werkadres 2, straat;Werkadres 2, plaats", "Werkadres, straat;Werkadres 2, straat;Werkadres 2, plaats"),
            ("Naam;Werkadres 2, straat🏠🏠;Nr", "Naam;Werkadres 2, straat🏠🏠;Nr"),
            ("Straat 0;Straat 18446744073709551615", " address 1;Straat 18446744073709551615"),
            ("Adresregel 1;Adresregel 2/district/wijk", " address 1; address 2"),
            ("Adresregel 2/postcode", "Adresregel 2/postcode"),
            ("straat (24);huisnummer (11.20)", "straat;huisnummer"),
            ("Straat, bv. Dijk;Nr vb: 12;Postcode (bijv. 1234 AB)", "Straat;Nr;Postcode"),
            ("plaats (1);plaats (2);nr (1)", "plaats (1);plaats (2);nr (1)"),
            ("Huisnummer (verplicht);Toevoeging (niet verplicht)", "Huisnummer;Toevoeging"),
            ("In welke plaats woon je?;Wat is uw e-mailadres?", "plaats;e-mailadres"),
            ("Regel 1 (wie);Adresregel 1 (t.a.v.);Adresregel 2 (straat)", "Regel 1 (wie);t.a.v;straat"),
            ("Adres 1 (verplicht);Adres 2 (kantoor)", "Adres 1;Adres 2 (kantoor)"),
            ("straat_x;straat_y;naam", "x straat;y straat;naam"),
            ("Adres 1&2 (verzending);Adres regel 1 & 2", "Adres (verzending);Adres regel"),
            ("rd_x;naam_y", "rd_x;naam_y"),
        ];
        for (header, expected) in cases {
            let header: Vec<String> = header.split(';').map(str::to_owned).collect();
            assert_eq!(normalize_header(&header).join(";"), expected);
        }
    }
}
