//! Finds the columns of an address in a header.

use std::cmp::Reverse;

use super::column_content::ColumnContent;
use super::column_names::{
    COLUMN_NAMES, GENERIC_NAMES, LATER_LINES, begins_like_addition, begins_with_known_name,
    ends_with_known_name, is_any, whole_names, words,
};
use super::column_role::ColumnRole;
use super::row_number::squashed;

/// Names that mean an addition only if the column is beside the house number. Elsewhere, `ext` belongs to a telephone number and
/// `suffix` to the name of a person.
const GENERIC_ADDITIONS: [&str; 3] = ["ext", "extension", "suffix"];

/// Words in column names that show that a city is not part of the address, such as a place of birth.
const OTHER_PLACES: [&str; 3] = ["geboorte", "birth", "herkomst"];

/// Beginning of the names of the columns that `check` adds. The input may be the output of an earlier run.
const ADDED_COLUMNS: &str = "postduif";

type FoundColumns = [Option<usize>; ColumnRole::ALL.len()];

/// Finds the columns by their whole names, then by the beginnings and then by the ends of longer names. Prefers filled columns,
/// which have text in at least one of the first rows. If all columns found are empty, looks for another address in the other
/// columns.
pub(super) fn find_columns(header: &[String], content: &ColumnContent) -> FoundColumns {
    let filled: Vec<bool> = (0..header.len()).map(|at| content.is_filled(at)).collect();
    let filled = &*filled;
    let found = find_columns_except(header, (filled, content), &[]);
    let count_filled =
        |found: &FoundColumns| found.iter().flatten().filter(|&&at| filled[at]).count();
    if count_filled(&found) > 0 {
        return found;
    }
    let empty: Vec<usize> = found.iter().flatten().copied().collect();
    let other = find_columns_except(header, (filled, content), &empty);
    match count_filled(&other) {
        0 => found,
        _ => other,
    }
}

/// Finds the columns, without those in `left_out`.
fn find_columns_except(
    header: &[String],
    (filled, content): (&[bool], &ColumnContent),
    left_out: &[usize],
) -> FoundColumns {
    let mut found = FoundColumns::default();
    let free = |found: &FoundColumns, role: ColumnRole| -> Vec<usize> {
        let free = unassigned_columns(header, found);
        free.filter(|at| !left_out.contains(at) && content.suits(role, *at))
            .collect()
    };
    let whole: Vec<[String; 2]> = header.iter().map(|name| whole_names(name)).collect();
    let has_specific_number = has_specific_number(header, &whole, filled);
    for (role, known) in COLUMN_NAMES {
        let free = free(&found, role);
        let column_of = |known: &str| {
            let is_named = |at: &&usize| whole[**at].iter().any(|name| name == known);
            let mut named = free.iter().filter(is_named);
            named
                .clone()
                .find(|&&at| filled[at])
                .or(named.next())
                .copied()
        };
        let is_number = role == ColumnRole::Number;
        let is_known =
            |known: &&str| !(is_number && has_specific_number && GENERIC_NAMES.contains(known));
        let named = known.split(' ').filter(is_known).filter_map(|known| {
            let at = column_of(known)?;
            // A name with `toev` comes last: it is chosen for the number only if no column, filled or empty, has another known
            // name.
            Some((is_number && known.contains("toev"), !filled[at], at))
        });
        let best = named.min_by_key(|&(is_addition, is_empty, _)| (is_addition, is_empty));
        found[role as usize] = best.map(|(.., at)| at);
    }
    // In reverse order, the address line comes before the number. So `factuur_straat_en_huisnummer` becomes the line.
    for matches in [begins_with_known_name, ends_with_known_name] {
        let sizes = group_sizes(header, filled, matches);
        for (role, known) in COLUMN_NAMES.into_iter().rev() {
            let free = free(&found, role).into_iter();
            let named = free.filter(|&at| {
                is_any(matches, known, &header[at])
                    && !(role == ColumnRole::Number && begins_like_addition(&header[at]))
            });
            let column = named.min_by_key(|&at| Reverse((sizes[at], filled[at])));
            found[role as usize] = found[role as usize].or(column);
        }
    }
    if found[ColumnRole::Addition as usize].is_none() {
        let mut free = free(&found, ColumnRole::Addition).into_iter();
        found[ColumnRole::Addition as usize] = free.find(|&at| begins_like_addition(&header[at]));
    }
    if is_unrelated_number(&found, header, content) {
        found[ColumnRole::Number as usize] = None;
    }
    use_line_as_city(&mut found, header, content);
    if is_unrelated_addition(&found, header) {
        found[ColumnRole::Addition as usize] = None;
    }
    found
}

/// Whether a filled column has a specific name of a house number, such as `Huisnummer`. A column `Nummer` is then not the house
/// number.
fn has_specific_number(header: &[String], whole: &[[String; 2]], filled: &[bool]) -> bool {
    let (_, known) = COLUMN_NAMES[ColumnRole::Number as usize];
    let specific = || {
        known
            .split(' ')
            .filter(|known| !GENERIC_NAMES.contains(known))
    };
    let is_specific = |at: usize| {
        specific().any(|known| whole[at].iter().any(|name| name == known))
            || specific().any(|known| ends_with_known_name(known, &header[at]))
    };
    let (_, lines) = COLUMN_NAMES[ColumnRole::Line as usize];
    let is_line = |at: usize| {
        lines
            .split(' ')
            .any(|known| whole[at].iter().any(|name| name == known))
    };
    let mut columns =
        (0..header.len()).filter(|&at| filled[at] && !begins_like_addition(&header[at]));
    columns.any(|at| is_specific(at) && !is_line(at))
}

/// If no postcode or city column was found, uses the second or third line of an address as the city if most of its cells hold postcode
/// and city, as in `Adresregel 1;Adresregel 2`.
fn use_line_as_city(found: &mut FoundColumns, header: &[String], content: &ColumnContent) {
    if [ColumnRole::Postcode, ColumnRole::City].map(|role| found[role as usize]) != [None; 2] {
        return;
    }
    let is_later = |at: &usize| {
        LATER_LINES
            .split(' ')
            .any(|name| squashed(&header[*at]) == name)
    };
    let second = found[ColumnRole::Line2 as usize];
    let later = unassigned_columns(header, found).filter(is_later);
    let mut lines = second.into_iter().chain(later);
    let Some(line) = lines.find(|&at| content.holds_postcode_and_city(at)) else {
        return;
    };
    drop(lines);
    found[ColumnRole::City as usize] = Some(line);
    found[ColumnRole::Line2 as usize] = second.filter(|&at| at != line);
}

/// For each column, the size of its group: how many filled columns, and how many columns in all, match a known name and begin with
/// the same word as this column. The caller prefers the larger group, so that it does not mix two addresses: of `shipping_city`,
/// `billing_city` and `billing_zip`, it uses the two with `billing`.
fn group_sizes(
    header: &[String],
    filled: &[bool],
    matches: fn(&str, &str) -> bool,
) -> Vec<(usize, usize)> {
    let is_part = |name: &str| {
        COLUMN_NAMES
            .iter()
            .any(|(_, known)| is_any(matches, known, name))
    };
    let parts = header.iter().zip(filled).filter(|(name, _)| is_part(name));
    let parts: Vec<_> = parts
        .map(|(name, filled)| (column_prefix(name), *filled))
        .collect();
    let size = |name: &String| {
        let own = column_prefix(name);
        let same: Vec<bool> = parts
            .iter()
            .filter(|(other, _)| *other == own)
            .map(|(_, filled)| *filled)
            .collect();
        (same.iter().filter(|filled| **filled).count(), same.len())
    };
    header.iter().map(size).collect()
}

/// The first word of a name, joined with a number that follows: `billing` in `billing_city`, `address1` in `Address 1 - City`.
fn column_prefix(name: &str) -> Option<String> {
    let mut words = words(name);
    let first = words.next()?;
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let number = words.next().filter(is_number);
    let number = number.filter(|_| words.next().is_some());
    Some(squashed(&format!("{first}{}", number.unwrap_or_default())))
}

fn unassigned_columns(header: &[String], found: &FoundColumns) -> impl Iterator<Item = usize> {
    let found = *found;
    let is_other = |name: &str| {
        let name = squashed(name);
        let mut words = OTHER_PLACES.iter();
        name.starts_with(ADDED_COLUMNS) || words.any(|word| name.contains(word))
    };
    let names = header.iter().enumerate();
    let usable = names.filter(move |(at, name)| !found.contains(&Some(*at)) && !is_other(name));
    usable.map(|(at, _)| at)
}

/// Whether the column found for the house number probably holds customer numbers. This is so if it has a generic name such as
/// `Nummer`, and either is not beside another column of the address, as in `Nummer;Naam;Adres`, or the street's cells end in
/// another number. A column directly after the street is the house number, because a street's name may end in a number.
fn is_unrelated_number(found: &FoundColumns, header: &[String], content: &ColumnContent) -> bool {
    let column = |role: ColumnRole| found[role as usize];
    let Some(at) = column(ColumnRole::Number) else {
        return false;
    };
    let is_beside = |other: usize| other.abs_diff(at) == 1;
    let Some(line) = column(ColumnRole::Line).or(column(ColumnRole::Street)) else {
        return false;
    };
    GENERIC_NAMES.contains(&&*squashed(&header[at]))
        && (!found.iter().flatten().any(|&other| is_beside(other))
            || at != line + 1 && content.numbers_differ(line, at))
}

/// Whether the column found for the addition belongs to a telephone number or a person.
fn is_unrelated_addition(found: &FoundColumns, header: &[String]) -> bool {
    let Some(at) = found[ColumnRole::Addition as usize] else {
        return false;
    };
    let mut numbers = [ColumnRole::Number, ColumnRole::Letter]
        .into_iter()
        .filter_map(|role| found[role as usize]);
    GENERIC_ADDITIONS.contains(&&*squashed(&header[at]))
        && !numbers.any(|number| number.abs_diff(at) == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(names: &str, expected: &str) {
        let header: Vec<String> = names.split(';').map(str::to_owned).collect();
        let map = find_columns(&header, &ColumnContent::unknown());
        let found: Vec<String> = ColumnRole::ALL
            .iter()
            .filter_map(|role| Some(format!("{}={}", role.name(), header[map[*role as usize]?])))
            .collect();
        assert_eq!(found.join(" "), expected, "{names}");
    }

    #[test]
    fn columns_are_recognised_by_their_names() {
        case(
            "naam;Postcode;Huisnummer",
            "postcode=Postcode number=Huisnummer",
        );
        case(
            "PC;hnr;toev.;Straat;Woonplaats",
            "postcode=PC number=hnr addition=toev. street=Straat city=Woonplaats",
        );
        case(
            "Address 1;ZIP code;City",
            "postcode=ZIP code city=City line=Address 1",
        );
        case(
            "huisnummer;huisletter;huisnummertoevoeging",
            "number=huisnummer letter=huisletter addition=huisnummertoevoeging",
        );
        case(
            "postcode;huisnummer_toevoeging",
            "postcode=postcode number=huisnummer_toevoeging",
        );
        case(
            "factuur_postcode;factuur_huisnummer",
            "postcode=factuur_postcode number=factuur_huisnummer",
        );
        case(
            "klantnr;omschrijving;telefoonnummer;mobiel nr.;E-mail adres",
            "",
        );
        case(
            "Straat en huisnummer;Postcode",
            "postcode=Postcode line=Straat en huisnummer",
        );
        case(
            "Straat + nr;PC;Plaats",
            "postcode=PC city=Plaats line=Straat + nr",
        );
        case(
            "factuur straat en huisnr;factuur plaats",
            "city=factuur plaats line=factuur straat en huisnr",
        );
        case(
            "billing_address_1;billing_postcode;billing_city;shipping_city",
            "postcode=billing_postcode city=billing_city line=billing_address_1",
        );
        case("Adres;Postcode/Plaats", "city=Postcode/Plaats line=Adres");
        case("Bezoekadres;Town/City", "city=Town/City line=Bezoekadres");
        case("E-mailadres;adres", "line=adres");
        case(
            "Straatnaam + huisnr;PLZ;Ort",
            "postcode=PLZ city=Ort line=Straatnaam + huisnr",
        );
        case(
            "Adres + huisnummer;PCODE",
            "postcode=PCODE line=Adres + huisnummer",
        );
        case(
            "Straße;Hausnr.;Zusatz;Postleitzahl;Stadt",
            "postcode=Postleitzahl number=Hausnr. addition=Zusatz street=Straße city=Stadt",
        );
        case(
            "factuuradres nr;factuuradres postcode",
            "postcode=factuuradres postcode number=factuuradres nr",
        );
        case(
            "Straat;Toev. aan huisnr.;PC",
            "postcode=PC addition=Toev. aan huisnr. street=Straat",
        );
        case(
            "Straat;Nr;Suffix;PC",
            "postcode=PC number=Nr addition=Suffix street=Straat",
        );
        case(
            "Address 1 - City;Address 2 - Street;Address 2 - City;Address 2 - Postal Code",
            "postcode=Address 2 - Postal Code street=Address 2 - Street city=Address 2 - City",
        );
    }

    #[test]
    fn columns_of_common_systems_are_recognised() {
        case("Straat;Nr;Naam;Suffix", "number=Nr street=Straat");
        case(
            "number;street;house_number;shippingZip;MailingCity",
            "postcode=shippingZip number=house_number street=street city=MailingCity",
        );
        case(
            "ADDR_STREET;ADDR_HOUSE_NBR;ADDR_HOUSE_NBR_SUPPL;POST_CODE1;CITY1",
            "postcode=POST_CODE1 number=ADDR_HOUSE_NBR addition=ADDR_HOUSE_NBR_SUPPL street=ADDR_STREET city=CITY1",
        );
        case(
            "OPENBARERUIMTENAAM;hnr;hlt;hnt",
            "number=hnr letter=hlt addition=hnt street=OPENBARERUIMTENAAM",
        );
        case(
            "STREET;HOUSE_NUM1;HOUSE_NUM2",
            "number=HOUSE_NUM1 addition=HOUSE_NUM2 street=STREET",
        );
        case("Straat;Nr;Bus", "number=Nr addition=Bus street=Straat");
        case("Bezorgadres", "line=Bezorgadres");
        case("postduif_postcode;Adres;postduif_city", "line=Adres");
    }
}
