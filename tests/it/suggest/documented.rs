//! Checks the examples of `src/search/README.md`. Their addresses are the whole register.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use postduif::search::SuggestionFilter;
use serde_json::Value;

use super::Suggester;
use super::places::{StreetRow, Town, addresses_of};
use crate::app::TestApp;
use crate::tools::root;

const TOWNS: [Town; 3] = [
    ["Assen", "Assen", "Drenthe"],
    ["Ede", "Ede", "Gelderland"],
    ["Hoeve", "Langedorp", "Drenthe"],
];

/// The cells of each row below the headers of the tables, without backticks.
static DOCUMENTED_ROWS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let page = std::fs::read_to_string(root().join("src/search/README.md")).expect("the page");
    let is_header = |line: &str| line.starts_with("| typed |") || line.starts_with("| entered |");
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| ") && !is_header(line));
    let cell = |cell: &str| cell.trim().trim_matches('`').to_owned();
    rows.map(|row| row.trim_matches('|').split(" | ").map(cell).collect())
        .collect()
});

/// The streets of all addresses in the tables.
static STREETS: LazyLock<Vec<StreetRow>> = LazyLock::new(|| {
    streets_of_labels(
        DOCUMENTED_ROWS
            .iter()
            .flat_map(|row| &row[1..])
            .map(String::as_str),
    )
});

#[test]
fn the_first_suggestion_for_each_typed_text_is_as_documented() {
    let suggester = Suggester::with_streets(&STREETS);
    let mut wrong = Vec::new();
    for row in DOCUMENTED_ROWS
        .iter()
        .filter(|row| !row[0].starts_with('{'))
    {
        let found = suggester.labels(&row[0], SuggestionFilter::All);
        if found.first() != Some(&row[1]) {
            wrong.push((row, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn the_answer_to_each_validation_is_as_documented() {
    let app = TestApp::from_addresses(&addresses_of(&STREETS));
    let mut wrong = Vec::new();
    for row in DOCUMENTED_ROWS.iter().filter(|row| row[0].starts_with('{')) {
        let answer = app.post("/v1/validate", row[0].clone()).await;
        let body: Value = serde_json::from_slice(&answer.body).expect("JSON");
        let result = &body["data"];
        let verdict = result["reason"].as_str().unwrap_or("valid");
        let found = [&result["address"], &result["suggestion"]];
        let found = found.into_iter().find(|found| !found.is_null());
        if (verdict, found.map(parse_address)) != (&row[1], parse_label(&row[2]).map(owned)) {
            wrong.push((row, body));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Groups the labels that are addresses by street, postcode and town. Other labels are skipped.
fn streets_of_labels<'l>(labels: impl Iterator<Item = &'l str>) -> Vec<StreetRow> {
    let mut house_numbers: BTreeMap<[&str; 3], Vec<String>> = BTreeMap::new();
    for (street, house_number) in labels.filter_map(parse_label) {
        let known = house_numbers.entry(street).or_default();
        if !known.contains(&house_number) {
            known.push(house_number);
        }
    }
    let rows = (1..).zip(house_numbers);
    rows.map(|(id, ([street, postcode, town], house_numbers))| {
        let town = TOWNS.into_iter().find(|[name, ..]| *name == town);
        let text = |text: &str| &*text.to_owned().leak();
        let town = town.unwrap_or_else(|| panic!("{street} is in none of {TOWNS:?}"));
        (
            id,
            text(street),
            town,
            text(postcode),
            text(&house_numbers.join(" ")),
        )
    })
    .collect()
}

fn owned((street, house_number): ([&str; 3], String)) -> ([String; 3], String) {
    (street.map(str::to_owned), house_number)
}

/// The same parts of an address in JSON.
fn parse_address(address: &Value) -> ([String; 3], String) {
    let field = |name: &str| address[name].as_str().unwrap_or_default().to_owned();
    let house_number = format!(
        "{}/{}/{}",
        address["number"],
        field("letter"),
        field("addition")
    );
    (
        ["street", "postcode", "city"].map(field),
        house_number.trim_end_matches('/').to_owned(),
    )
}

/// The street, postcode and town of an address, and its house_number. `None` for another text.
fn parse_label(label: &str) -> Option<([&str; 3], String)> {
    let (address, place) = label.rsplit_once(", ")?;
    let (postcode, town) = place.split_once(' ')?;
    let is_number = |end: &str| end.starts_with(|first: char| first.is_ascii_digit());
    let spaces = address.rmatch_indices(' ').map(|(at, _)| at);
    let space = { spaces }.find(|at| is_number(&address[at + 1..]))?;
    let (street, house_number) = (&address[..space], &address[space + 1..]);
    let house_number = match house_number.split_once([' ', '-']) {
        None => house_number.to_owned(),
        Some((number, letter)) if letter.len() == 1 && !is_number(letter) => {
            format!("{number}/{letter}")
        }
        Some((number, addition)) => format!("{number}//{addition}"),
    };
    Some(([street, postcode, town], house_number))
}
