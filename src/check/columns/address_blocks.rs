//! Groups the columns of a header by the address that they belong to, such as a delivery address and an invoice address. Such a group is a
//! block. The name of a block is the words that name its address: `factuur` for `Factuuradres postcode`.

use std::collections::HashSet;
use std::sync::LazyLock;

use postduif_schema::squashed;

use super::address_purpose::AddressPurpose;
use super::column_names::{is_plain_number, whole_names};
use super::known_names::{LATER_LINES, known_names};
use super::line_names::numbered_address;
use super::name_words::words;
use crate::check::column_role::ColumnRole;

/// Words that do not say to which address a column belongs, so they are removed from its name. The names of the parts of an address are
/// removed too: `Factuuradres postcode` becomes `factuur`.
const COMMON_WORDS: &str = "adres address adresse anschrift addr adr adresregel adresveld adreslijn adresblok house huis haus code \
    zip postal name naam line regel lijn veld region regio state iso id nbr num suppl full formatted volledig gegevens blok stras str \
    openbare ruimte regels ligne toev toevoeging en and und et plus of or incl met with aan bij naar to van de het the";

/// Maximum number of addresses in a header. The columns of further addresses are not used.
const MAX_BLOCKS: usize = 16;

/// Minimum number of letters of a common word that is also removed from the end of a longer word: `factuurpostcode`.
const MIN_ENDING_LETTERS: usize = 4;

/// Forms of words that name the same address, and the form that all of them get: `Postcode_facturatie` belongs to `Adres_fact_straat`.
const BLOCK_WORD_FORMS: [(&str, &str); 11] = [
    ("aflevering", "aflever"),
    ("bezorging", "bezorg"),
    ("billing", "bill"),
    ("fact", "factuur"),
    ("facturatie", "factuur"),
    ("facturering", "factuur"),
    ("levering", "lever"),
    ("shipping", "ship"),
    ("verz", "verzend"),
    ("verzenden", "verzend"),
    ("verzending", "verzend"),
];

/// The name of the block of a second address if its columns do not name it. No other block gets this name, because marks such as `#` are
/// removed from the names of columns.
const SECOND_ADDRESS: &str = "#2";

/// The words that are removed from the names of columns: the [`COMMON_WORDS`] and the names of the parts of an address. The longest words
/// come first.
static REMOVED_WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let parts = ColumnRole::ALL.into_iter();
    let parts = parts
        .filter(|role| *role != ColumnRole::Line)
        .flat_map(known_names);
    let distinct: HashSet<&str> = parts.chain(COMMON_WORDS.split_whitespace()).collect();
    let mut removed: Vec<&str> = distinct.into_iter().collect();
    removed.sort_by_key(|word| std::cmp::Reverse(word.len()));
    removed
});

/// The columns that may be used together as one address.
pub(super) struct AddressBlock {
    pub(super) columns: Vec<usize>,
    /// Whether the names of these columns do not say which address they belong to: `Straat` in contrast to `Factuur straat`.
    pub(super) is_unnamed: bool,
    pub(super) purpose: AddressPurpose,
}

/// The blocks of a header. `names` are its [`block_names`], and `roles` has, for each column, the part of an address that its name means.
///
/// A block has the columns with the same block name. It also gets the columns without a block name and the columns of blocks with a single
/// part, unless these repeat a street, number, postcode or city that the block already has.
pub(super) fn address_blocks(names: &[String], roles: &[Option<ColumnRole>]) -> Vec<AddressBlock> {
    let mut distinct = vec![String::new()];
    for (at, name) in names.iter().enumerate() {
        if roles[at].is_some() && !distinct.contains(name) && distinct.len() < MAX_BLOCKS {
            distinct.push(name.clone());
        }
    }
    // A single column of another block is used only if no block before it has that part: `Nieuw huisnr` before `Oud huisnr`.
    distinct.sort_by_key(|name| AddressPurpose::from_block_name(name) == AddressPurpose::Sender);
    let columns_of = |block: &String| -> Vec<usize> {
        let all = 0..names.len();
        all.filter(|&at| names[at] == *block).collect()
    };
    let roles_of = |columns: &[usize]| -> Vec<ColumnRole> {
        let roles = columns.iter().filter_map(|&at| roles[at]);
        roles.filter_map(identifying_role).collect()
    };
    let blocks = distinct.iter().map(|block| {
        let mut columns = columns_of(block);
        for other in distinct.iter().filter(|other| *other != block) {
            let others = columns_of(other);
            let [own, new] = [&columns, &others].map(|columns| roles_of(columns));
            let is_single = new.iter().all(|role| *role == new[0]);
            if (other.is_empty() || is_single) && !new.iter().any(|role| own.contains(role)) {
                let own: Vec<_> = columns.iter().map(|&at| roles[at]).collect();
                let is_new = |at: &usize| roles[*at].is_none() || !own.contains(&roles[*at]);
                columns.extend(others.into_iter().filter(is_new));
            }
        }
        AddressBlock {
            columns,
            is_unnamed: block.is_empty() && !roles_of(&columns_of(block)).is_empty(),
            purpose: AddressPurpose::from_block_name(block),
        }
    });
    blocks.collect()
}

/// For each column, the words of its name that name an address: `factuur` for `Factuuradres postcode`. Empty for `Straat` and `Postcode`.
pub(super) fn block_names(header: &[String], roles: &[Option<ColumnRole>]) -> Vec<String> {
    // The last number in `Address 1: Street 2` is that of a line.
    let without_line = |name| numbered_address(name).unwrap_or(name);
    let with_digits = header.iter();
    let with_digits: Vec<String> = with_digits
        .map(|name| block_name(without_line(name), true))
        .collect();
    // `Adres 2` is a second line, unless there is also a `Postcode 2`. SAP's `CITY2` beside `HOUSE_NUM2` is a district, and not a second
    // address.
    let is_second_address = |block: &String| {
        let has = |parts: &[ColumnRole]| {
            let mut same = (0..header.len()).filter(|&at| with_digits[at] == *block);
            same.any(|at| roles[at].is_some_and(|role| parts.contains(&role)))
        };
        use ColumnRole::{City, Line, Line2, Postcode, Street};
        has(&[Postcode, City]) && has(&[Street, Line, Line2])
    };
    let name = |(at, name): (usize, &String)| match with_digits[at] {
        ref block
            if has_number_of_known_name(name)
                && numbered_address(name).is_none()
                && !is_second_address(block) =>
        {
            block_name(name, false)
        }
        ref block => block.clone(),
    };
    let mut names: Vec<String> = header.iter().enumerate().map(name).collect();
    name_places_after_lines(&mut names, roles);
    name_repeated_address(&mut names, header, roles);
    names
}

/// Gives the columns of postcode and city that have no block name the block name of the address line before them. Does so only if there are
/// several lines, and each line has its own postcode or city: `Postadres;Postcode;Plaats;Bezoekadres;Postcode;Plaats`.
fn name_places_after_lines(names: &mut [String], roles: &[Option<ColumnRole>]) {
    let is_line = |at: usize| matches!(roles[at], Some(ColumnRole::Line | ColumnRole::Street));
    let mut lines: Vec<usize> = (0..names.len()).filter(|&at| is_line(at)).collect();
    lines.dedup_by_key(|at| &names[*at]);
    let ends = lines.iter().skip(1).copied().chain([names.len()]);
    let places: Vec<Vec<usize>> = lines
        .iter()
        .zip(ends)
        .map(|(&line, end)| unnamed_places(line..end, names, roles))
        .collect();
    let role_counts = |role: ColumnRole| -> Vec<usize> {
        let count =
            |places: &Vec<usize>| places.iter().filter(|&&at| roles[at] == Some(role)).count();
        places.iter().map(count).collect()
    };
    // Every line must have one postcode, or every line one city, and no line may have two postcodes or two cities.
    let counts = [ColumnRole::Postcode, ColumnRole::City].map(role_counts);
    let is_in_each = counts
        .iter()
        .any(|counts| counts.iter().all(|&count| count == 1));
    let is_distinct = counts.iter().flatten().all(|&count| count < 2);
    let before = unnamed_places(0..lines.first().copied().unwrap_or(0), names, roles);
    if lines.len() < 2 || !before.is_empty() || !is_in_each || !is_distinct {
        return;
    }
    for (line, places) in lines.into_iter().zip(places) {
        for at in places {
            names[at] = names[line].clone();
        }
    }
}

/// The columns of postcode and city without a block name, in a part of the header.
fn unnamed_places(
    columns: std::ops::Range<usize>,
    names: &[String],
    roles: &[Option<ColumnRole>],
) -> Vec<usize> {
    let is_place = |at: usize| matches!(roles[at], Some(ColumnRole::Postcode | ColumnRole::City));
    columns
        .filter(|&at| names[at].is_empty() && is_place(at))
        .collect()
}

/// Gives the columns of a second address a block name if they have none, so that they are not mixed with the columns of the first address.
/// In `Straat;Nr;Postcode;Plaats;Straat;Nr;Postcode;Plaats`, the second address begins at the second `Straat`: the first part that occurs
/// again. Both halves must be whole addresses.
fn name_repeated_address(names: &mut [String], header: &[String], roles: &[Option<ColumnRole>]) {
    let unnamed: Vec<usize> = (0..names.len())
        .filter(|&at| names[at].is_empty())
        .collect();
    let with_role = |columns: &[usize]| -> Vec<ColumnRole> {
        columns.iter().filter_map(|&at| roles[at]).collect()
    };
    let is_whole = |columns: &[usize]| {
        use ColumnRole::{City, Line, Number, Postcode, Street};
        let roles = with_role(columns);
        let has = |role: ColumnRole| roles.contains(&role);
        let has_number = has(Number) || columns.iter().any(|&at| is_plain_number(&header[at]));
        (has(Line) || has(Street) && has_number) && (has(Postcode) || has(City))
    };
    let begins_again = |at: &usize| {
        let (before, rest) = unnamed.split_at(*at);
        let role = rest
            .first()
            .and_then(|&column| roles[column])
            .and_then(identifying_role);
        let mut known = with_role(before).into_iter().filter_map(identifying_role);
        role.is_some_and(|role| known.any(|known| known == role))
            && is_whole(before)
            && is_whole(rest)
    };
    if let Some(start) = (1..unnamed.len()).find(begins_again) {
        for &at in &unnamed[start..] {
            SECOND_ADDRESS.clone_into(&mut names[at]);
        }
    }
}

/// The role that shows that two blocks are two addresses if both blocks have it; `None` for a part that may belong to any address.
fn identifying_role(role: ColumnRole) -> Option<ColumnRole> {
    match role {
        ColumnRole::Line2 | ColumnRole::Country => None,
        ColumnRole::Line => Some(ColumnRole::Street),
        role => Some(role),
    }
}

/// The name of a column without the number of an address at its end: `Postcode` for `Postcode 2` and `Postcode_2`.
pub(super) fn without_address_number(name: &str) -> &str {
    let is_mark = |c: char| matches!(c, '_' | '-' | '.' | '[' | ']' | '(' | ')' | '#' | ' ');
    let numbered = name.trim_end_matches(is_mark);
    let plain = numbered.strip_suffix(|c: char| c.is_ascii_digit());
    let plain = plain.map(|plain| plain.trim_end_matches(is_mark));
    let plain = plain.filter(|plain| {
        let ends_in_text = plain.trim_end().ends_with(char::is_alphabetic);
        ends_in_text && !ends_with_numbered_name(name)
    });
    plain.map_or(name, str::trim_end)
}

/// Whether a name ends in a known name with a number, such as `address2`.
fn ends_with_numbered_name(name: &str) -> bool {
    let known = ColumnRole::ALL
        .into_iter()
        .flat_map(known_names)
        .chain(LATER_LINES.split(' '));
    let mut numbered = known.filter(|known| known.ends_with(|c: char| c.is_ascii_digit()));
    let whole = whole_names(name);
    numbered.any(|known| whole.iter().any(|name| name.ends_with(known)))
}

/// Whether the number in a name is a part of a known name of a column, and not the number of an address. The name, or its beginning, ends in a
/// known name with a number, and no word after that is one of the [`REMOVED_WORDS`]: `address2`, `HOUSE_NUM2`, `Adresregel 2 factuur`.
fn has_number_of_known_name(name: &str) -> bool {
    let words: Vec<String> = words(name).map(squashed).collect();
    let is_known = |known: &[String]| ends_with_numbered_name(&known.concat());
    let is_part = |word: &String| REMOVED_WORDS.contains(&&**word);
    ends_with_numbered_name(name)
        || (1..words.len()).any(|end| {
            let (known, after) = words.split_at(end);
            is_known(known) && !after.iter().any(is_part)
        })
}

/// The words of a column's name that name one of several addresses: `va` for `Straat VA`. With `keep_number`, a number stays: `2` for
/// `Straat 2`.
pub(super) fn block_name(name: &str, keep_number: bool) -> String {
    let words: Vec<String> = words(name).map(squashed).collect();
    let named = words.iter().enumerate().filter(|&(at, word)| {
        // `Post code` means `postcode`, so its first word names no address. `Post adres` is the address for mail.
        let next = words.get(at + 1).map_or("", String::as_str);
        word != "post" || !next.starts_with("code")
    });
    let named = named.map(|(_, word)| without_common_words(word, keep_number));
    let named: String = named.map(usual_form).collect();
    // `Nieuwe postcode` and `Nieuw adres` belong to one address, so both get the name `nieuw`.
    match &*named {
        "nieuwe" | "oude" | "vorige" | "huidige" => named[..named.len() - 1].to_owned(),
        _ => named,
    }
}

/// The form of this word in [`BLOCK_WORD_FORMS`], or the word itself. An s at its end is ignored, as in `Leverings` of `Leveringsadres`.
fn usual_form(word: String) -> String {
    let without_s = word.strip_suffix('s').unwrap_or(&word);
    let mut forms = BLOCK_WORD_FORMS.iter();
    let usual = forms.find(|(form, _)| [without_s, &*word].contains(form));
    usual.map_or(word.clone(), |(_, usual)| (*usual).to_owned())
}

fn without_common_words(word: &str, has_digits: bool) -> String {
    let mut text = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = word[text.len()..].trim_start_matches('0');
    let is_removed = |text: &str| REMOVED_WORDS.contains(&text);
    // `Eigenaar` is a whole word, although it ends in the common word `naar`.
    let is_whole_word = |text: &str| AddressPurpose::from_block_name(text) != AddressPurpose::Other;
    while !text.is_empty() && !is_whole_word(text) {
        let mut endings = REMOVED_WORDS
            .iter()
            .filter(|ending| ending.len() >= MIN_ENDING_LETTERS);
        text = match endings.find_map(|ending| text.strip_suffix(ending)) {
            _ if is_removed(text) => "",
            Some(rest) => rest,
            None => break,
        };
    }
    // The number 1 is removed, because other columns of the first address may have no number: `Straat` beside `Straat 2`.
    match has_digits && number != "1" {
        true => format!("{text}{number}"),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_part_and_address() {
        for (name, block) in [
            ("Straat", ""),
            ("Huisnummer (incl. toevoeging)", ""),
            ("Bezoekadres", "bezoek"),
            ("Postadres postcode", "post"),
            ("factuurpostcode", "factuur"),
            ("addressBillingStreet2", "bill"),
            ("Leveringsadres", "lever"),
            ("Ship-to Country/Region Code", "ship"),
            ("Nieuwe postcode", "nieuw"),
            ("Oud adres", "oud"),
            ("POST_CODE1", ""),
            ("HOUSE_NUM2", ""),
            ("Post code", ""),
            ("Nr 2", "2"),
            ("Eigenaar straat", "eigenaar"),
            ("Address 2 - City", "2"),
            ("Address 1: Street 2", ""),
            ("Adres 2: address 1", "2"),
            ("address2_line2", "2"),
            ("Stad (facturering)", "factuur"),
            ("Adresregel 2 factuur", "factuur"),
            ("Postcode_verz", "verzend"),
        ] {
            let header = [name.to_owned()];
            assert_eq!(block_names(&header, &[None]), [block], "{name}");
        }
    }
}
