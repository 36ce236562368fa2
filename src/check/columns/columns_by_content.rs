//! Corrects the roles of columns after looking at their cells.

use postduif_schema::{fold, squashed};

use super::column_content::ColumnContent;
use super::column_names::begins_like_addition;
use super::known_names::{LATER_LINES, known_names};
use super::name_words::words;
use crate::check::column_role::{ColumnRole, FoundColumns};

/// If no postcode or city column was found, uses the second or a later line of an address as the city if most of its cells hold postcode
/// and city, as in `Adresregel 1;Adresregel 2`.
pub(super) fn use_line_as_city(
    found: &mut FoundColumns,
    columns: &[usize],
    header: &[String],
    content: &ColumnContent,
) {
    if [ColumnRole::Postcode, ColumnRole::City].map(|role| found[role as usize]) != [None; 2] {
        return;
    }
    let is_later = |at: &usize| {
        LATER_LINES
            .split(' ')
            .any(|name| squashed(&header[*at]) == name)
    };
    let second = found[ColumnRole::Line2 as usize];
    let is_free = |at: &usize| !found.contains(&Some(*at)) && is_later(at);
    let later = columns.iter().copied().filter(is_free);
    let mut lines = second.into_iter().chain(later);
    let Some(line) = lines.find(|&at| content.holds_postcode_and_city(at)) else {
        return;
    };
    drop(lines);
    found[ColumnRole::City as usize] = Some(line);
    found[ColumnRole::Line2 as usize] = second.filter(|&at| at != line);
}

/// Beginnings of words in the names of columns that may hold house numbers: `Huis#`, `Num`. The cells of the column decide.
const NUMBER_BEGINNINGS: [&str; 7] = ["huis", "house", "haus", "hnr", "nr", "num", "nmr"];

/// If no column has the house number, uses a column with house numbers. Its name is like that of a house number, such as `Huisnr van`, or
/// it has no name and is directly after the street, because the title `Adres` may span two columns. If there is no such column, uses the
/// column of the postcode if most of its cells hold postcode and number, as in `1234AB 10`.
pub(super) fn find_number_by_content(
    found: &mut FoundColumns,
    free: &[usize],
    header: &[String],
    content: &ColumnContent,
) {
    let with_number = [ColumnRole::Number, ColumnRole::Street, ColumnRole::Line];
    let has_number = with_number
        .iter()
        .any(|&role| found[role as usize].is_some_and(|at| content.holds_numbers(at)));
    if has_number {
        return;
    }
    let street = found[ColumnRole::Street as usize].or(found[ColumnRole::Line as usize]);
    let may_hold_number = |at: &&usize| {
        let name = fold(&header[**at]);
        let mut words = name.split(' ');
        let is_unnamed_after_street =
            name.is_empty() && street.is_some_and(|street| street + 1 == **at);
        is_unnamed_after_street
            || words.any(|word| {
                NUMBER_BEGINNINGS
                    .iter()
                    .any(|begin| word.starts_with(begin))
            })
    };
    let mut candidates = free.iter().filter(may_hold_number);
    let number = candidates
        .find(|&&at| content.holds_house_numbers(at))
        .copied();
    let postcode = found[ColumnRole::Postcode as usize];
    let postcode = postcode.filter(|&at| number.is_none() && content.holds_postcode_and_number(at));
    if postcode.is_some() {
        found[ColumnRole::Postcode as usize] = None;
    }
    let number = number.or(postcode).or(found[ColumnRole::Number as usize]);
    found[ColumnRole::Number as usize] = number;
}

/// Parts of names that may mean a postcode: `adr_pc`, `pstcd`. Other columns may hold codes of the same form, such as the number plates of
/// cars.
const POSTCODE_PARTS: [&str; 5] = ["pc", "post", "pst", "zip", "plz"];

/// Parts of names that show that a postcode belongs to another address or is not a postcode.
const UNUSABLE_POSTCODES: [&str; 20] = [
    "aflever", "afzender", "bezoek", "bezorg", "bill", "btw", "correspondentie", "factuur",
    "geboorte", "invoice", "mail", "old", "oud", "postadres", "postbus", "ship", "verzend",
    "vorig", "werk", "zaak",
];

/// If no column has the postcode, uses a column in which most cells are postcodes. It is a column such as `Billing Code` beside `Billing
/// City`, or else the only such column if its name may mean a postcode. `roles` has, for each column, the part of an address that its name
/// means.
pub(super) fn find_postcode_by_content(
    found: &mut FoundColumns,
    roles: &[Option<ColumnRole>],
    header: &[String],
    content: &ColumnContent,
) {
    let column = |role: ColumnRole| found[role as usize];
    let has_place = [ColumnRole::City, ColumnRole::Line]
        .iter()
        .any(|&role| column(role).is_some_and(|at| content.holds_places(at)));
    if column(ColumnRole::Postcode).is_some() || has_place || found.iter().all(Option::is_none) {
        return;
    }
    let is_named = |at: usize| {
        let name = squashed(&header[at]);
        let contains = |part: &&str| name.contains(*part);
        POSTCODE_PARTS.iter().any(contains) && !UNUSABLE_POSTCODES.iter().any(contains)
    };
    let is_postcode = |&at: &usize| {
        !found.contains(&Some(at)) && roles[at].is_none() && content.holds_postcodes(at)
    };
    let columns: Vec<usize> = (0..header.len()).filter(is_postcode).collect();
    let only = Some(&*columns).filter(|columns| columns.len() == 1 && is_named(columns[0]));
    let is_code = |at: &&usize| is_code_of_address(**at, found, header);
    let postcode = columns.iter().find(is_code);
    if let Some(&at) = postcode.or(only.and_then(<[usize]>::first)) {
        found[ColumnRole::Postcode as usize] = Some(at);
    }
}

/// Whether the name of a column ends in the word `code`, and otherwise begins like the name of a column already found: `Billing Code`
/// beside `Billing City`.
fn is_code_of_address(at: usize, found: &FoundColumns, header: &[String]) -> bool {
    let split = |at: usize| -> Option<(String, String)> {
        let words: Vec<String> = words(&header[at]).map(squashed).collect();
        let (last, before) = words.split_last()?;
        Some((before.concat(), last.clone()))
    };
    let Some((address, _)) =
        split(at).filter(|(address, last)| !address.is_empty() && last == "code")
    else {
        return false;
    };
    let mut others = found.iter().flatten().filter_map(|&other| split(other));
    others.any(|(other, _)| other == address)
}

/// Uses a column as the letters of the postcode if most cells of the postcode's column are four digits, and most cells of the other
/// column are two letters. The other column has a known name for them, or it is the next column and has no name or a name with
/// `postcode`, `letter` or `alfa`.
pub(super) fn find_postcode_letters(
    found: &mut FoundColumns,
    header: &[String],
    content: &ColumnContent,
) {
    let letters = found[ColumnRole::PostcodeLetters as usize].take();
    let Some(postcode) = found[ColumnRole::Postcode as usize] else {
        return;
    };
    let is_part = |at: &usize| {
        let name = header.get(*at).map(|name| squashed(name));
        let parts = ["postcode", "letter", "alfa"];
        name.is_some_and(|name| name.is_empty() || parts.iter().any(|part| name.contains(part)))
    };
    let next = Some(postcode + 1).filter(|next| !found.contains(&Some(*next)) && is_part(next));
    let candidates = [letters, next].into_iter().flatten();
    let mut split = candidates.filter(|&at| content.holds_split_postcode(postcode, at));
    found[ColumnRole::PostcodeLetters as usize] = split.next();
}

/// Uses the column of the addition as the house number if no other column can have it: `Huisnr+toev`.
pub(super) fn use_addition_as_number(
    found: &mut FoundColumns,
    header: &[String],
    content: &ColumnContent,
) {
    let [number, line, addition] = [ColumnRole::Number, ColumnRole::Line, ColumnRole::Addition]
        .map(|role| found[role as usize]);
    let street_has_number =
        found[ColumnRole::Street as usize].is_some_and(|at| content.holds_numbers(at));
    let is_only_one = number.is_none() && line.is_none() && !street_has_number;
    let is_number =
        |at: &usize| !begins_like_addition(&header[*at]) && content.holds_house_numbers(*at);
    if let Some(at) = addition.filter(|at| is_only_one && is_number(at)) {
        found[ColumnRole::Number as usize] = Some(at);
        found[ColumnRole::Addition as usize] = None;
    }
}

/// Names that mean the addition only directly after the house number or the house letter. Elsewhere, `Sub` may be a subscription.
const ADDITIONS_AFTER_NUMBER: [&str; 5] = ["toe", "add", "sub", "suppl", "suite"];

/// If no column has the addition, uses the column directly after the house number or the house letter. It has a name such as `Toe`, the
/// name of a house number again (`Huisnr;Huisnr 2`), or no name, because the title `Huisnr` may span two columns. `header` has the names
/// without the number of an address.
pub(super) fn find_addition_after_number(
    found: &mut FoundColumns,
    header: &[String],
    content: &ColumnContent,
) {
    let [number, letter, addition] = [ColumnRole::Number, ColumnRole::Letter, ColumnRole::Addition]
        .map(|role| found[role as usize]);
    let Some(number) = number.filter(|_| addition.is_none()) else {
        return;
    };
    let next = match letter {
        Some(letter) if letter == number + 1 => letter + 1,
        _ => number + 1,
    };
    let Some(name) = header.get(next).filter(|_| !found.contains(&Some(next))) else {
        return;
    };
    let mut numbers = known_names(ColumnRole::Number);
    let squashed = squashed(name);
    let is_addition = if name.is_empty() {
        letter.is_none() && content.holds_short_suffixes(next)
    } else if numbers.any(|number| number == squashed) {
        content.holds_short_suffixes(next) && !content.holds_house_numbers(next)
    } else {
        ADDITIONS_AFTER_NUMBER.contains(&&*squashed)
    };
    if is_addition {
        found[ColumnRole::Addition as usize] = Some(next);
    }
}
