//! Finds the columns of an address in a header.

use std::cmp::Reverse;

use postduif_schema::squashed;

use super::address_blocks::{address_blocks, block_names, without_address_number};
use super::address_purpose::{AddressPurpose, PLACES_TO_VISIT};
use super::column_content::ColumnContent;
use super::column_names::{
    begins_like_addition, begins_with_known_name, begins_with_name_of, ends_with_known_name,
    ends_with_name_of, is_address_column, is_known_name, is_plain_number, is_street_with_number,
    whole_names,
};
use super::columns_beside::{
    BUILDING_NUMBERS, number_of_block, plain_number_after_street, suffix_of_block,
};
use super::columns_by_content::{
    find_addition_after_number, find_number_by_content, find_postcode_by_content,
    find_postcode_letters, use_addition_as_number, use_line_as_city,
};
use super::header_names::normalize_header;
use super::known_names::{GENERIC_NAMES, known_names};
use super::suffix_names::{is_beside_number, is_certain_name, is_suffix_column};
use super::unrelated_columns::{is_unrelated_column, is_unrelated_number, is_unrelated_suffix};
use crate::check::column_role::{ColumnRole, FoundColumns};

/// Finds the columns of one address by their names. Of several addresses, takes the one that [`Table::rate`] rates best; if two addresses
/// are rated equal, [`AddressPurpose`] decides. If all columns found are empty, looks for another address in the other columns.
pub(super) fn find_columns(
    header: &[String],
    content: &ColumnContent,
    named: &FoundColumns,
) -> FoundColumns {
    let header = normalize_header(header);
    let table = Table::new(&header, content);
    let roles: Vec<Option<ColumnRole>> = (0..header.len()).map(|at| table.role_of(at)).collect();
    let table = Table {
        blocks: block_names(&header, &roles),
        ..table
    };
    let mut best = table.find_best(&roles, &FoundColumns::default(), named);
    use_addition_as_number(&mut best, &table.header, content);
    find_postcode_by_content(&mut best, &roles, &table.header, content);
    if table.count_filled(&best) > 0 {
        return best;
    }
    let other = table.find_best(&roles, &best, named);
    match table.count_filled(&other) {
        0 => best,
        _ => other,
    }
}

/// The header of a table and what its first rows say about its columns.
struct Table<'a> {
    /// The names of the columns without the number of an address: `Postcode` for `Postcode 2`.
    header: Vec<String>,
    /// The names of the columns as [`whole_names`] returns them.
    whole: Vec<[String; 2]>,
    /// The block names of the columns, as [`block_names`] returns them.
    blocks: Vec<String>,
    filled: Vec<bool>,
    content: &'a ColumnContent,
}

impl<'a> Table<'a> {
    fn new(header: &[String], content: &'a ColumnContent) -> Self {
        let plain = header.iter().map(|name| without_address_number(name));
        let header: Vec<String> = plain.map(str::to_owned).collect();
        Self {
            whole: header.iter().map(|name| whole_names(name)).collect(),
            blocks: Vec::new(),
            filled: (0..header.len()).map(|at| content.is_filled(at)).collect(),
            content,
            header,
        }
    }

    fn count_filled(&self, found: &FoundColumns) -> usize {
        let found = found.iter().flatten();
        found.filter(|&&at| self.filled[at]).count()
    }

    /// The part that the name of a column means. `None` for a plain name such as `Nr`, which may also be the number of something else.
    fn role_of(&self, at: usize) -> Option<ColumnRole> {
        let name = &self.header[at];
        if !is_address_column(name) || is_plain_number(name) {
            return None;
        }
        let found = self.find(&[at]);
        let mut roles = ColumnRole::ALL.into_iter();
        let role = roles.find(|role| found[*role as usize].is_some());
        let all: Vec<usize> = (0..self.header.len()).collect();
        let is_addition = |role: &ColumnRole| {
            *role == ColumnRole::Number
                && self.whole[at][0].ends_with("toev")
                && self.has_plain_house_number(&all)
        };
        match role.filter(is_addition) {
            Some(_) => Some(ColumnRole::Addition),
            None => role,
        }
    }

    /// Finds the columns of the address with the most columns that the user named, or else of the best address. Does not use the columns in
    /// `left_out`.
    fn find_best(
        &self,
        roles: &[Option<ColumnRole>],
        left_out: &FoundColumns,
        named: &FoundColumns,
    ) -> FoundColumns {
        let is_left_out = |at: usize| left_out.contains(&Some(at));
        let roles = roles.iter().enumerate();
        let roles: Vec<_> = roles
            .map(|(at, role)| role.filter(|_| !is_left_out(at)))
            .collect();
        let blocks = address_blocks(&self.blocks, &roles).into_iter();
        let blocks = blocks.map(|mut block| {
            block.columns.retain(|&at| !is_left_out(at));
            (self.find(&block.columns), block)
        });
        let blocks: Vec<_> = blocks.collect();
        let has_po_box_address = blocks.iter().any(|(found, _)| self.holds_po_boxes(found));
        let mut best = FoundColumns::default();
        let mut best_rating = None;
        for (found, block) in blocks {
            let is_in_nearly_every_row = self.is_in_nearly_every_row(&found);
            let purpose = match is_in_nearly_every_row {
                true => block.purpose,
                false => block.purpose.capped_for_rare_address(),
            };
            let name = block.columns.first().map_or("", |&at| &self.blocks[at]);
            let is_place = block.is_unnamed
                || purpose >= AddressPurpose::Home
                || PLACES_TO_VISIT.contains(&name);
            let may_replace_po_boxes = has_po_box_address
                && is_place
                && is_in_nearly_every_row
                && !self.holds_po_boxes(&found);
            let is_usual = is_in_nearly_every_row && purpose >= AddressPurpose::Other;
            let rating = self.rate(&found, [block.is_unnamed, is_usual]);
            let columns = block.columns.iter();
            let named = columns.filter(|&&at| named.contains(&Some(at))).count();
            let rating = Some((named, rating.0 && may_replace_po_boxes, rating, purpose));
            if rating > best_rating {
                (best, best_rating) = (found, rating);
            }
        }
        best
    }

    /// Whether most cells of the street or of the address line are post-office boxes.
    fn holds_po_boxes(&self, found: &FoundColumns) -> bool {
        let lines = [ColumnRole::Street, ColumnRole::Line].map(|role| found[role as usize]);
        let mut lines = lines.into_iter().flatten();
        lines.any(|at| self.content.holds_po_boxes(at))
    }

    /// The column of the address line, if most of its cells have a postcode too.
    fn whole_line(&self, found: &FoundColumns) -> Option<usize> {
        found[ColumnRole::Line as usize].filter(|&at| self.content.holds_places(at))
    }

    fn is_in_nearly_every_row(&self, found: &FoundColumns) -> bool {
        use ColumnRole::{City, Line, Number, Postcode, Street};
        let parts: [&[ColumnRole]; 2] = [&[Postcode, City], &[Street, Line, Number]];
        let is_nearly_always_filled = |at| self.content.is_nearly_always_filled(at);
        self.whole_line(found).is_some_and(is_nearly_always_filled)
            || parts.iter().all(|roles| {
                let mut columns = roles.iter().filter_map(|role| found[*role as usize]);
                columns.any(is_nearly_always_filled)
            })
    }

    /// Rates the columns found. The criteria, most important first:
    ///
    /// - whether they hold a house number and a postcode or city;
    /// - whether their names do not name an address;
    /// - whether nearly every row has the address, and it is not that of a sender or an owner;
    /// - how many are filled;
    /// - how many there are.
    fn rate(
        &self,
        found: &FoundColumns,
        [is_unnamed, is_usual]: [bool; 2],
    ) -> (bool, [bool; 2], usize, usize) {
        use ColumnRole::{City, Line, Line2, Number, Postcode, Street};
        let columns_of = |roles: &[ColumnRole]| -> Vec<usize> {
            let columns = roles.iter().filter_map(|role| found[*role as usize]);
            columns.filter(|&at| self.filled[at]).collect()
        };
        let mut numbers = columns_of(&[Number, Street, Line, Line2]).into_iter();
        let is_whole = numbers.any(|at| self.content.holds_numbers(at))
            && (self.whole_line(found).is_some() || !columns_of(&[Postcode, City]).is_empty());
        let count = found.iter().flatten().count();
        let filled = self.count_filled(found);
        let preferred = [is_unnamed, is_usual].map(|is_so| is_whole && is_so);
        (is_whole, preferred, filled, count)
    }

    fn find(&self, columns: &[usize]) -> FoundColumns {
        let (header, content) = (&*self.header, self.content);
        let mut found = FoundColumns::default();
        let unused = |found: &FoundColumns, role: ColumnRole| -> Vec<usize> {
            let unused = columns.iter().copied();
            unused
                .filter(|at| !found.contains(&Some(*at)) && !is_unrelated_column(&header[*at]))
                .filter(|&at| !self.is_code(role, at))
                .collect()
        };
        let free = |found: &FoundColumns, role: ColumnRole| -> Vec<usize> {
            let mut free = unused(found, role);
            free.retain(|&at| content.suits(role, at) || is_suffix_column(role, header, at));
            free
        };
        for role in ColumnRole::ALL {
            found[role as usize] = self.find_by_whole_name(role, columns, &free(&found, role));
        }
        // In reverse order, the address line comes before the number. So `factuur_straat_en_huisnummer` becomes the line.
        for matches in [begins_with_name_of, ends_with_name_of] {
            for role in ColumnRole::ALL.into_iter().rev() {
                let free = free(&found, role).into_iter();
                let named = free.filter(|&at| {
                    matches(role, &header[at])
                        && !(role == ColumnRole::Number && begins_like_addition(&header[at]))
                });
                let column =
                    named.min_by_key(|&at| Reverse([self.filled[at], content.suits(role, at)]));
                found[role as usize] = found[role as usize].or(column);
            }
        }
        if found[ColumnRole::Addition as usize].is_none() {
            let mut free = free(&found, ColumnRole::Addition).into_iter();
            found[ColumnRole::Addition as usize] =
                free.find(|&at| begins_like_addition(&header[at]));
        }
        if is_unrelated_number(&found, header, content) {
            found[ColumnRole::Number as usize] = None;
        }
        if found[ColumnRole::Number as usize].is_none_or(|at| is_plain_number(&header[at])) {
            let free = free(&found, ColumnRole::Number);
            let number = number_of_block((&found, &free), header, &self.blocks, content);
            found[ColumnRole::Number as usize] = number.or(found[ColumnRole::Number as usize]);
        }
        for role in [ColumnRole::Letter, ColumnRole::Addition] {
            if found[role as usize].is_none() {
                let unused = unused(&found, role);
                found[role as usize] =
                    suffix_of_block(role, (&found, &unused), header, &self.blocks);
            }
        }
        find_postcode_letters(&mut found, header, content);
        use_line_as_city(&mut found, columns, header, content);
        let free = free(&found, ColumnRole::Number);
        find_number_by_content(&mut found, &free, header, content);
        find_addition_after_number(&mut found, header, content);
        for role in [ColumnRole::Addition, ColumnRole::Letter] {
            if is_unrelated_suffix(role, &found, header) {
                found[role as usize] = None;
            }
        }
        found
    }

    /// Whether a column of letters or additions is probably a code, because all rows have the same text. A column with an unmistakable
    /// name, such as `Toevoeging`, is not a code.
    fn is_code(&self, role: ColumnRole, at: usize) -> bool {
        matches!(role, ColumnRole::Letter | ColumnRole::Addition)
            && self.content.has_one_text(at)
            && !is_certain_name(role, &self.header[at])
    }

    fn find_by_whole_name(
        &self,
        role: ColumnRole,
        columns: &[usize],
        free: &[usize],
    ) -> Option<usize> {
        let column_of = |known: &str| {
            let is_named = |at: &usize| self.whole[*at].iter().any(|name| name == known);
            let named = free.iter().copied().filter(is_named);
            let is_suitable = |at: usize| self.filled[at] && self.content.suits(role, at);
            named.min_by_key(|&at| Reverse([self.filled[at], is_suitable(at)]))
        };
        let is_number = role == ColumnRole::Number;
        // A column `Nummer` is not the house number if a filled column is `Huisnummer`.
        let is_specific_only = is_number && self.has_specific_number(columns);
        // A name with `toev` is chosen for the number only if no column, filled or empty, has another known name of a number.
        let is_plain_only = is_number && self.has_plain_house_number(columns);
        if is_number
            && !is_specific_only
            && let Some(at) = plain_number_after_street(&self.whole, free, self.content)
        {
            return Some(at);
        }
        let is_left_out = |known: &str| {
            is_specific_only && GENERIC_NAMES.contains(&known)
                || is_plain_only && known.contains("toev")
        };
        let known = known_names(role).filter(|known| !is_left_out(known));
        let named = known.filter_map(|known| {
            let at = column_of(known)?;
            Some((is_number && known.contains("toev"), !self.filled[at], at))
        });
        // `Toevoeging` before the street may belong to the name of a person.
        let is_apart =
            |at: usize| role == ColumnRole::Addition && !is_beside_number(&self.header, at);
        let may_be_other =
            |at: usize| !self.content.suits(role, at) || !is_certain_name(role, &self.header[at]);
        let is_suffix = matches!(role, ColumnRole::Letter | ColumnRole::Addition);
        let best = named.min_by_key(|&(is_addition, is_empty, at)| {
            let is_doubtful = is_suffix && may_be_other(at);
            (is_addition, is_empty, is_apart(at), is_doubtful)
        });
        best.map(|(.., at)| at)
    }

    /// Whether a filled column has a specific name of a house number, such as `Huisnummer`. `Pandnummer` is specific only if no column
    /// such as `Nr` is directly after the street.
    fn has_specific_number(&self, columns: &[usize]) -> bool {
        let has_number_before_addition = self.has_number_before_addition(columns);
        let has_number_after_street = plain_number_after_street(&self.whole, columns, self.content)
            .is_some_and(|at| self.content.holds_house_numbers(at));
        let is_other = |known: &str| {
            has_number_before_addition && known.contains("toev")
                || has_number_after_street && BUILDING_NUMBERS.contains(&known)
        };
        let is_used = |known: &str| !GENERIC_NAMES.contains(&known) && !is_other(known);
        let mut columns = columns.iter().filter(|&&at| self.filled[at]);
        columns.any(|&at| self.is_specific_number(at, is_used))
    }

    /// Whether a column such as `Nr` is directly between the street and a column such as `Huisnr toev`, which then has only the addition.
    fn has_number_before_addition(&self, columns: &[usize]) -> bool {
        let is_street = |at: usize| {
            let mut roles = [ColumnRole::Street, ColumnRole::Line].into_iter();
            roles.any(|role| is_known_name(role, &self.whole[at]))
        };
        let is_addition = |at: usize| {
            let name = squashed(self.header.get(at).map_or("", |name| name));
            let mut both = ["met", "incl", "en"].into_iter();
            name.contains("toev") && !both.any(|word| name.contains(&format!("{word}toev")))
        };
        columns.iter().any(|&at| {
            is_plain_number(&self.header[at])
                && at > 0
                && is_street(at - 1)
                && is_addition(at + 1)
                && self.content.holds_house_numbers(at)
        })
    }

    /// Whether a column, filled or empty, has the name of a house number without `toev`.
    fn has_plain_house_number(&self, columns: &[usize]) -> bool {
        let is_plain = |known: &str| !GENERIC_NAMES.contains(&known) && !known.contains("toev");
        self.has_number_before_addition(columns)
            || columns
                .iter()
                .any(|&at| self.is_specific_number(at, is_plain))
    }

    fn is_specific_number(&self, at: usize, is_used: impl Fn(&str) -> bool) -> bool {
        let (whole, name) = (&self.whole[at], &self.header[at]);
        let is_line = is_known_name(ColumnRole::Line, whole) || is_street_with_number(name);
        if is_line || begins_like_addition(name) {
            return false;
        }
        let used = || known_names(ColumnRole::Number).filter(|known| is_used(known));
        used().any(|known| whole.iter().any(|name| name == known))
            || begins_with_known_name(used(), name)
            || ends_with_known_name(used(), name)
    }
}

#[cfg(test)]
mod tests;
