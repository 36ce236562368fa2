//! Makes customer files whose right addresses are known, and checks them with `postduif check`, whose answers are lines of JSON.

use postduif::check::{
    FileCheckError, OutputForm, RegisterField, RowWriter, TableFormat, TableOptions, check_rows,
};
use postduif::snapshot::Snapshot;
use postduif_schema::Address;
use serde_json::Value;

use crate::chance::Chance;
use crate::entered_suite::{Entry, Fields};

/// The maximum number of addresses that are tried for a row. If the kind of mistake is possible in none of them, the file ends
/// early.
const MAX_DRAWS_PER_ROW: usize = 40;

/// The output fields that identify the found address.
const COMPARED_FIELDS: [RegisterField; 6] = [
    RegisterField::Postcode,
    RegisterField::Number,
    RegisterField::Letter,
    RegisterField::Addition,
    RegisterField::Street,
    RegisterField::City,
];

/// A row of a file.
pub(crate) struct CustomerRow {
    /// The postcode, number, letter, addition, street and city as entered.
    pub(crate) cells: [String; 6],
    /// The address that the row should find.
    pub(crate) address: Address,
    /// The kind of mistake; `None` if the row is entered as in the register.
    pub(crate) entry: Option<Entry>,
}

/// How the fields of an address are divided into the columns of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FileShape {
    AllFields,
    WithoutPostcode,
    PostcodeAndNumber,
    WithoutCity,
    StreetWithNumber,
    WholeAddress,
}

/// The answer of `postduif check` for a row.
pub(crate) struct CheckedRow {
    pub(crate) status: String,
    pub(crate) score: f64,
    /// Whether the found address is the expected one.
    pub(crate) is_right: bool,
    /// The line of JSON.
    pub(crate) text: String,
}

/// Rows for random addresses. One row in five has a mistake. Every kind of mistake occurs equally often.
pub(crate) fn customer_file(
    addresses: &[Address],
    snapshot: &Snapshot,
    count: usize,
    seed: u64,
) -> Vec<CustomerRow> {
    draw_rows(addresses, snapshot, count, seed, |chance| {
        (chance.below(5) == 0).then(|| Entry::ALL[chance.below(Entry::ALL.len())])
    })
}

/// Rows with the same kind of mistake. Returns fewer than `count` rows if the mistake is possible in few addresses.
pub(crate) fn file_of_kind(
    addresses: &[Address],
    snapshot: &Snapshot,
    (entry, count): (Entry, usize),
    seed: u64,
) -> Vec<CustomerRow> {
    draw_rows(addresses, snapshot, count, seed, |_| Some(entry))
}

fn draw_rows(
    addresses: &[Address],
    snapshot: &Snapshot,
    count: usize,
    seed: u64,
    draw_entry: impl Fn(&mut Chance) -> Option<Entry>,
) -> Vec<CustomerRow> {
    let mut chance = Chance::seeded(seed);
    let mut rows = Vec::with_capacity(count);
    for _ in 0..count * MAX_DRAWS_PER_ROW {
        if rows.len() == count {
            break;
        }
        let address = &addresses[chance.below(addresses.len())];
        if &*address.street == "Postbus" {
            continue;
        }
        let entry = draw_entry(&mut chance);
        let fields = match entry {
            None => Some(Fields::from_address(address)),
            Some(entry) => entry.make(address, addresses, snapshot, &mut chance),
        };
        if let Some(fields) = fields {
            rows.push(CustomerRow {
                cells: cells(fields, entry),
                address: address.clone(),
                entry,
            });
        }
    }
    rows
}

fn cells(fields: Fields, entry: Option<Entry>) -> [String; 6] {
    let mut number = fields.number.to_string();
    let mut letter = fields.letter.unwrap_or_default();
    let mut addition = fields.addition.unwrap_or_default();
    if entry == Some(Entry::OneText) {
        number += &suffix_text(&letter, &addition);
        letter.clear();
        addition.clear();
    }
    [
        fields.postcode, number, letter, addition, fields.street, fields.city,
    ]
}

/// The letter and the addition as one text, such as `A-3`.
fn suffix_text(letter: &str, addition: &str) -> String {
    match addition.is_empty() {
        true => letter.to_owned(),
        false => format!("{letter}-{addition}"),
    }
}

impl FileShape {
    pub(crate) const ALL: [Self; 6] = [
        Self::AllFields,
        Self::WithoutPostcode,
        Self::PostcodeAndNumber,
        Self::WithoutCity,
        Self::StreetWithNumber,
        Self::WholeAddress,
    ];

    fn header(self) -> &'static [&'static str] {
        match self {
            Self::AllFields => &["postcode", "nr", "letter", "toev", "straat", "plaats"],
            Self::WithoutPostcode => &["nr", "letter", "toev", "straat", "plaats"],
            Self::PostcodeAndNumber => &["postcode", "nr", "letter", "toev"],
            Self::WithoutCity => &["postcode", "nr", "letter", "toev", "straat"],
            Self::StreetWithNumber => &["adres", "postcode", "plaats"],
            Self::WholeAddress => &["adres"],
        }
    }

    fn cells(self, row: &CustomerRow) -> Vec<String> {
        let [postcode, number, letter, addition, street, city] = &row.cells;
        let line = format!("{street} {number}{}", suffix_text(letter, addition));
        match self {
            Self::AllFields => row.cells.to_vec(),
            Self::WithoutPostcode => row.cells[1..].to_vec(),
            Self::PostcodeAndNumber => row.cells[..4].to_vec(),
            Self::WithoutCity => row.cells[..5].to_vec(),
            Self::StreetWithNumber => vec![line, postcode.clone(), city.clone()],
            Self::WholeAddress => vec![format!("{line}, {postcode} {city}")],
        }
    }

    /// The rows as the text of a file of this shape.
    fn text(self, rows: &[CustomerRow]) -> String {
        let mut text = self.header().join(";");
        for row in rows {
            text.push('\n');
            // Names contain neither semicolons nor quotes, so no cell needs quotes.
            text.push_str(&self.cells(row).join(";"));
        }
        text
    }
}

/// Checks the rows in a file of this shape; returns the answers of `postduif check --json`.
pub(crate) fn check_file(
    rows: &[CustomerRow],
    shape: FileShape,
    snapshot: &Snapshot,
) -> Result<Vec<CheckedRow>, FileCheckError> {
    let text = shape.text(rows);
    let options = TableOptions {
        separator: Some(b';'),
        ..TableOptions::default()
    };
    let (table, mut lines) = TableFormat::open(text.as_bytes(), &options)?;
    let writer = RowWriter {
        table: &table,
        form: OutputForm::Json,
        fields: &COMPARED_FIELDS,
        min_applied_score: None,
    };
    let mut output = Vec::new();
    check_rows(
        || lines.next_row(),
        2,
        (snapshot, &writer),
        |chunk| {
            output.extend(chunk.text);
            Ok(())
        },
    )?;
    let output = String::from_utf8(output).expect("UTF-8");
    let checked: Vec<CheckedRow> = output
        .lines()
        .zip(rows)
        .map(|(line, row)| CheckedRow::read(line, row))
        .collect();
    assert_eq!(checked.len(), rows.len(), "a line for each row");
    Ok(checked)
}

impl CheckedRow {
    fn read(line: &str, row: &CustomerRow) -> Self {
        let json: Value = serde_json::from_str(line).expect("JSON");
        let found = &json["address"];
        let has_same = |field: &RegisterField| {
            let text = match &found[field.as_str()] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            text == field.text(&row.address)
        };
        Self {
            status: json["status"].as_str().expect("a status").to_owned(),
            score: json["score"].as_f64().expect("a score"),
            is_right: found.is_object() && COMPARED_FIELDS.iter().all(has_same),
            text: line.to_owned(),
        }
    }
}
