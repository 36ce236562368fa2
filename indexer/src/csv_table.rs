//! Reads a whole CSV file with a header. Errors name the file, line and column.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::str::FromStr;

use postduif_schema::files::read_regular_to_string;

use crate::objects::clean_name;

/// The error for a table that cannot be read or has an invalid value.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct CsvTableError {
    place: String,
    reason: String,
}

pub(crate) struct CsvTable {
    origin: String,
    header: csv::StringRecord,
    rows: Vec<csv::StringRecord>,
}

/// A column of a table, found by its name.
#[derive(Clone, Copy)]
pub(crate) struct CsvColumn(usize);

pub(crate) struct CsvRow<'a> {
    table: &'a CsvTable,
    record: &'a csv::StringRecord,
}

impl CsvTable {
    pub(crate) fn read(path: &Path) -> Result<Self, CsvTableError> {
        let origin = path.display().to_string();
        match read_regular_to_string(path) {
            Ok(text) => Self::parse(&origin, &text),
            Err(error) => Err(CsvTableError {
                place: origin,
                reason: match error.kind() {
                    ErrorKind::InvalidData => {
                        "it is not UTF-8 text; save it as UTF-8 (in a spreadsheet: CSV UTF-8)"
                            .to_owned()
                    }
                    _ => error.to_string(),
                },
            }),
        }
    }

    /// Parses a table, which may begin with a byte order mark. The delimiter is the comma or the semicolon, whichever occurs more
    /// often in the header.
    pub(crate) fn parse(origin: &str, text: &str) -> Result<Self, CsvTableError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let first_line = text.lines().next().unwrap_or_default();
        let count = |wanted| first_line.chars().filter(|&c| c == wanted).count();
        let delimiter = if count(';') > count(',') { b';' } else { b',' };
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let fail = |error: csv::Error| CsvTableError {
            place: origin.to_owned(),
            reason: error.to_string(),
        };
        let header = reader.headers().map_err(fail)?.clone();
        let rows = reader
            .records()
            .collect::<Result<Vec<_>, _>>()
            .map_err(fail)?;
        Ok(Self {
            origin: origin.to_owned(),
            header,
            rows,
        })
    }

    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    /// The first column in the header that has one of these names. Upper and lower case are equal.
    pub(crate) fn find_column(&self, names: &[&str]) -> Result<CsvColumn, CsvTableError> {
        let matches_name =
            |header: &str| names.iter().any(|name| header.eq_ignore_ascii_case(name));
        self.header
            .iter()
            .position(matches_name)
            .map(CsvColumn)
            .ok_or_else(|| CsvTableError {
                place: self.origin.clone(),
                reason: format!("no column `{}` in its header", names.join("` or `")),
            })
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = CsvRow<'_>> {
        self.rows.iter().map(|record| CsvRow {
            table: self,
            record,
        })
    }
}

impl CsvRow<'_> {
    /// The value in a column. An empty field is an error.
    pub(crate) fn text(&self, column: CsvColumn) -> Result<&str, CsvTableError> {
        match self.record.get(column.0) {
            Some(text) if !text.is_empty() => Ok(text),
            _ => Err(self.error(column, "empty")),
        }
    }

    /// The name in a column, with one space between words, as names in the register have. An empty name is an error.
    pub(crate) fn name(&self, column: CsvColumn) -> Result<Box<str>, CsvTableError> {
        match clean_name(self.text(column)?) {
            name if name.is_empty() => Err(self.error(column, "empty")),
            name => Ok(name.into()),
        }
    }

    pub(crate) fn parse<T: FromStr<Err: fmt::Display>>(
        &self,
        column: CsvColumn,
    ) -> Result<T, CsvTableError> {
        self.text(column)?
            .parse()
            .map_err(|error: T::Err| self.error(column, &error.to_string()))
    }

    /// The parsed value in a column; `None` if the field is empty.
    pub(crate) fn parse_optional<T: FromStr<Err: fmt::Display>>(
        &self,
        column: CsvColumn,
    ) -> Result<Option<T>, CsvTableError> {
        let empty = self.record.get(column.0).is_none_or(str::is_empty);
        (!empty).then(|| self.parse(column)).transpose()
    }

    /// The line of the row in the file.
    pub(crate) fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }

    pub(crate) fn error(&self, column: CsvColumn, reason: &str) -> CsvTableError {
        let line = self.line();
        let name = self.table.header.get(column.0).unwrap_or_default();
        CsvTableError {
            place: format!("{}, line {line}", self.table.origin),
            reason: format!("column `{name}`: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(text: &str) -> String {
        let read = || -> Result<(), CsvTableError> {
            let table = CsvTable::parse("test.csv", text)?;
            let column = table.find_column(&["number", "nummer"])?;
            table
                .rows()
                .try_for_each(|row| row.parse::<u8>(column).map(drop))
        };
        read()
            .err()
            .map_or(String::new(), |error| error.to_string())
    }

    #[test]
    fn an_error_names_the_file_and_the_line() {
        assert_eq!(error("\u{feff}NUMBER,b\r\n 7 ,x\r\n"), "");
        assert_eq!(error("a;Nummer\nx;7\n"), "");
        assert_eq!(
            error(""),
            "test.csv: no column `number` or `nummer` in its header"
        );
        assert_eq!(
            error("number\n7\n\"\"\n"),
            "test.csv, line 3: column `number`: empty"
        );
        assert!(
            error("number\n7\n256\n")
                .starts_with("test.csv, line 3: column `number`: number too large")
        );
        assert!(
            error("number,b\n7\n").starts_with("test.csv: CSV error"),
            "{}",
            error("number,b\n7\n")
        );
        let missing = CsvTable::read(Path::new("nowhere.csv"))
            .err()
            .expect("no such file")
            .to_string();
        assert!(
            missing.starts_with("nowhere.csv: No such file"),
            "{missing}"
        );
    }

    proptest! {
        #[test]
        fn parsing_a_table_never_panics(text in "(number|;|,|\"|\n|\r|[0-9]{1,3}|é|\u{feff}| ){0,30}") {
            prop_assert!(error(&text).is_empty() || error(&text).starts_with("test.csv"));
        }
    }
}
