//! A CSV file with a header, read whole, whose errors name file, line and column.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A table that cannot be read or holds a value that is none.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct TableError {
    place: String,
    reason: String,
}

pub(crate) struct TableFile {
    origin: String,
    header: csv::StringRecord,
    rows: Vec<csv::StringRecord>,
}

/// A column of a table, found by its name.
#[derive(Clone, Copy)]
pub(crate) struct Column(usize);

pub(crate) struct Row<'a> {
    table: &'a TableFile,
    record: &'a csv::StringRecord,
}

impl TableFile {
    pub(crate) fn read(path: &Path) -> Result<Self, TableError> {
        let origin = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&origin, &text),
            Err(error) => Err(TableError {
                place: origin,
                reason: error.to_string(),
            }),
        }
    }

    /// Takes commas or semicolons, whichever the header has more of, and a byte order mark.
    pub(crate) fn parse(origin: &str, text: &str) -> Result<Self, TableError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let first_line = text.lines().next().unwrap_or_default();
        let count = |wanted| first_line.chars().filter(|&c| c == wanted).count();
        let delimiter = if count(';') > count(',') { b';' } else { b',' };
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let fail = |error: csv::Error| TableError {
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

    /// The column that bears one of these names, in any case.
    pub(crate) fn column(&self, names: &[&str]) -> Result<Column, TableError> {
        let bears = |header: &str| names.iter().any(|name| header.eq_ignore_ascii_case(name));
        self.header
            .iter()
            .position(bears)
            .map(Column)
            .ok_or_else(|| TableError {
                place: self.origin.clone(),
                reason: format!("no column `{}` in its header", names.join("` or `")),
            })
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|record| Row {
            table: self,
            record,
        })
    }
}

impl Row<'_> {
    /// A value that must not be empty.
    pub(crate) fn text(&self, column: Column) -> Result<&str, TableError> {
        match self.record.get(column.0) {
            Some(text) if !text.is_empty() => Ok(text),
            _ => Err(self.error(column, "empty")),
        }
    }

    pub(crate) fn parse<T: FromStr<Err: fmt::Display>>(
        &self,
        column: Column,
    ) -> Result<T, TableError> {
        self.text(column)?
            .parse()
            .map_err(|error: T::Err| self.error(column, &error.to_string()))
    }

    /// A value that may be empty.
    pub(crate) fn optional<T: FromStr<Err: fmt::Display>>(
        &self,
        column: Column,
    ) -> Result<Option<T>, TableError> {
        let empty = self.record.get(column.0).is_none_or(str::is_empty);
        (!empty).then(|| self.parse(column)).transpose()
    }

    pub(crate) fn error(&self, column: Column, reason: &str) -> TableError {
        let line = self.record.position().map_or(0, csv::Position::line);
        let name = self.table.header.get(column.0).unwrap_or_default();
        TableError {
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
        let read = || -> Result<(), TableError> {
            let table = TableFile::parse("test.csv", text)?;
            let column = table.column(&["number", "nummer"])?;
            table
                .rows()
                .try_for_each(|row| row.parse::<u8>(column).map(drop))
        };
        read()
            .err()
            .map_or(String::new(), |error| error.to_string())
    }

    #[test]
    fn a_mistake_is_told_with_its_line() {
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
        let missing = TableFile::read(Path::new("nowhere.csv"))
            .err()
            .expect("none")
            .to_string();
        assert!(
            missing.starts_with("nowhere.csv: No such file"),
            "{missing}"
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_a_table_panic(text in "(number|;|,|\"|\n|\r|[0-9]{1,3}|é|\u{feff}| ){0,30}") {
            prop_assert!(error(&text).is_empty() || error(&text).starts_with("test.csv"));
        }
    }
}
