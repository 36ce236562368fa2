//! Maps the parts of an address to columns of a table. The columns are recognised by the header or named by the user.

use postduif_schema::{Postcode, squashed};

use super::column_content::ColumnContent;
use super::find_columns::find_columns;
use super::header_names::find_lines_after_second;
use crate::check::column_role::{ColumnRole, FoundColumns};
use crate::check::lines::split_postcode_and_city;

/// Names of columns that hold the municipality, or either the municipality or the city. They are in lower case, without spaces and marks.
const MUNICIPALITY_NAMES: [&str; 8] = [
    "gemeente", "gemeentenaam", "gemeentenm", "municipality", "commune", "plaatsgemeente",
    "woonplaatsgemeente", "gemeenteplaats",
];

/// The columns of the parts of an address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnMap {
    /// The column of each part; `None` if the table has no column for the part.
    roles: FoundColumns,
    /// The columns of the third and further lines of the address.
    later_lines: Vec<usize>,
    /// The column of the municipality; `None` if another column has the city.
    municipality: Option<usize>,
}

impl ColumnMap {
    /// Recognises the columns of a header by their names: first by whole names, then by the beginnings and the ends of longer
    /// names.
    pub fn from_header(header: &[String]) -> Self {
        Self::find(header, &ColumnContent::unknown(), &Self::default())
    }

    /// Recognises the columns of a header. If several columns may hold the same part, prefers a column that has text in `rows`.
    /// Skips a column if its cells cannot be the part that its name says. Of several addresses, prefers the one with the columns that the
    /// user named.
    pub(in crate::check) fn from_first_rows(
        header: &[String],
        rows: &[Vec<String>],
        named: &Self,
    ) -> Self {
        Self::find(header, &ColumnContent::new(rows), named)
    }

    fn find(header: &[String], content: &ColumnContent, named: &Self) -> Self {
        let roles = find_columns(header, content, &named.roles);
        let second = roles[ColumnRole::Line2 as usize];
        let later = second.map(|second| find_lines_after_second(header, second));
        let mut later_lines = later.unwrap_or_default();
        later_lines.retain(|&at| !roles.contains(&Some(at)));
        let is_municipality = |name: &String| MUNICIPALITY_NAMES.contains(&&*squashed(name));
        let municipality = header.iter().position(is_municipality);
        let has_city = roles[ColumnRole::City as usize].is_some();
        Self {
            roles,
            later_lines,
            municipality: municipality.filter(|_| !has_city),
        }
    }

    /// Recognises the columns by their cells alone: a column with street and house number, and a column with postcodes. Empty if no column
    /// has street and house number, or if there is neither a postcode nor a city.
    pub(in crate::check) fn from_content(rows: &[Vec<String>]) -> Self {
        let content = ColumnContent::new(rows);
        let mut map = Self::default();
        let both = content.find_column(|cell| split_postcode_and_city(cell).is_some());
        let postcodes = content.find_column(|cell| Postcode::from_input(cell).is_ok());
        let has_place = both.or(postcodes).is_some();
        let without_place = content.find_line_column(false).filter(|_| has_place);
        let Some(line) = content.find_line_column(true).or(without_place) else {
            return map;
        };
        let both = both.filter(|&at| at != line);
        let postcodes = postcodes.filter(|&at| at != line && both.is_none());
        map.roles[ColumnRole::Line as usize] = Some(line);
        map.roles[ColumnRole::City as usize] = both;
        map.roles[ColumnRole::Postcode as usize] = postcodes;
        map
    }

    pub(in crate::check) fn contains(&self, at: usize) -> bool {
        self.roles.contains(&Some(at))
            || self.later_lines.contains(&at)
            || self.municipality == Some(at)
    }

    /// The column of the municipality; `None` if a column has the city.
    pub(in crate::check) fn municipality(&self) -> Option<usize> {
        self.municipality
    }

    pub(in crate::check) fn later_lines(&self) -> &[usize] {
        &self.later_lines
    }

    /// Reads a text such as `postcode=B,number=huisnr`. A column is given by its name in the header, by its letter in a
    /// spreadsheet, or by its number from 1.
    ///
    /// # Errors
    /// When a part of an address or a column is unknown, or a part is named twice. The error says which.
    pub fn parse(text: &str, header: &[String]) -> Result<Self, String> {
        let mut map = Self::default();
        for item in text.split(',') {
            let (role, column) = item.split_once('=').ok_or_else(|| {
                format!(
                    "--columns: {item:?} has no =; expected a list such as postcode=B,number=huisnr"
                )
            })?;
            let known = ColumnRole::from_name(role.trim()).ok_or_else(|| {
                let names = ColumnRole::ALL.map(ColumnRole::as_str).join(", ");
                format!("--columns: unknown part {role:?}; expected one of {names}")
            })?;
            let at = find_column(column.trim(), header).ok_or_else(|| {
                format!(
                    "--columns: there is no column {column:?}; the columns are {}",
                    describe_header(header)
                )
            })?;
            if map.roles[known as usize].replace(at).is_some() {
                return Err(format!("--columns: {} is named twice", known.as_str()));
            }
        }
        Ok(map)
    }

    /// Fills roles that have no column with the columns of `other`. Skips a column that already has a role.
    pub(in crate::check) fn filled_from(self, other: &Self) -> Self {
        let mut map = self;
        for (at, column) in other.roles.iter().enumerate() {
            let column = column.filter(|&column| !map.contains(column));
            map.roles[at] = map.roles[at].or(column);
        }
        let free = other.municipality.filter(|&at| !map.contains(at));
        let municipality = map.municipality.or(free);
        map.municipality = municipality.filter(|_| map.get(ColumnRole::City).is_none());
        if map.get(ColumnRole::Line2) == other.get(ColumnRole::Line2) {
            map.later_lines.clone_from(&other.later_lines);
            let roles = map.roles;
            map.later_lines.retain(|&at| !roles.contains(&Some(at)));
        }
        map
    }

    /// The column that holds a part of the address; `None` if the table has no such column.
    pub fn get(&self, role: ColumnRole) -> Option<usize> {
        self.roles[role as usize]
    }

    /// The trimmed cell of a row that holds a part of the address; empty if the row is too short. `None` if the table has no such column.
    pub(in crate::check) fn trimmed_cell<'a>(
        &self,
        role: ColumnRole,
        cells: &'a [String],
    ) -> Option<&'a str> {
        let cell = cells.get(self.get(role)?);
        Some(cell.map_or("", |cell| cell.trim()))
    }

    /// How many parts have a column.
    pub fn count(&self) -> usize {
        self.roles.iter().flatten().count()
    }

    /// Whether there is a column that can hold the house number. Without such a column, no address can be read.
    pub fn has_number(&self) -> bool {
        let with_number = [ColumnRole::Number, ColumnRole::Street, ColumnRole::Line];
        with_number.iter().any(|&role| self.get(role).is_some())
    }
}

/// Maximum number of characters that a message shows of the name of a column.
const MAX_SHOWN_CHARS: usize = 30;

/// At most `max_chars` characters of the name of a column for messages. The name of a column in a workbook may have line breaks.
pub(in crate::check) fn one_line(name: &str, max_chars: usize) -> String {
    let shown = name.chars().take(max_chars);
    shown
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// The columns of a header as text for messages, such as `A=naam, B=postcode`.
pub(in crate::check) fn describe_header(header: &[String]) -> String {
    let named = header
        .iter()
        .enumerate()
        .map(|(at, name)| format!("{}={}", column_letters(at), one_line(name, MAX_SHOWN_CHARS)));
    named.collect::<Vec<_>>().join(", ")
}

fn find_column(column: &str, header: &[String]) -> Option<usize> {
    let wanted = squashed(column);
    let named = header.iter().position(|name| squashed(name) == wanted);
    let numbered = || column.parse::<usize>().ok()?.checked_sub(1);
    let lettered = || (0..header.len()).find(|&at| column_letters(at) == column.to_uppercase());
    let at = named.or_else(numbered).or_else(lettered)?;
    (at < header.len()).then_some(at)
}

/// The letters of a column in a spreadsheet: A to Z, AA and so on.
pub(in crate::check) fn column_letters(mut at: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(char::from(b'A' + u8::try_from(at % 26).unwrap_or(0)));
        if at < 26 {
            break;
        }
        at = at / 26 - 1;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Vec<String> {
        text.split(';').map(str::to_owned).collect()
    }

    #[test]
    fn columns_are_chosen_by_name_letter_or_number() {
        let header = header("naam;pc;huis nr;x");
        let map = ColumnMap::parse("postcode=B,number=huisnr,line=4", &header).expect("columns");
        assert_eq!(map.get(ColumnRole::Postcode), Some(1));
        assert_eq!(map.get(ColumnRole::Number), Some(2));
        assert_eq!(map.get(ColumnRole::Line), Some(3));
        for (wrong, word) in [
            ("postcode", "no ="),
            ("zip=A", "unknown part"),
            ("city=E", "D=x"),
            ("city=0", "no column"),
            ("city=A,city=B", "named twice"),
        ] {
            let message = ColumnMap::parse(wrong, &header).expect_err("the text is wrong");
            assert!(message.contains(word), "{message}");
        }
    }

    #[test]
    fn columns_are_lettered_as_in_a_spreadsheet() {
        assert_eq!(
            [0, 25, 26, 701, 702].map(column_letters),
            ["A", "Z", "AA", "ZZ", "AAA"]
        );
    }
}
