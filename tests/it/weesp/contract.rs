//! Writes the bodies of answers as the contract defines them, from plain rows and without code of the service.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::geodesy::{self, Place};
use super::join::{Joined, Row};

/// One served address.
pub(super) struct ServedAddress {
    pub(super) row: Row,
    /// Longitude and latitude in units of 10⁻⁷ degree; `None` for a post-office box.
    pub(super) lon_lat_e7: Option<[i64; 2]>,
}

/// The sort key of letter and addition in lists: an empty one first, capitals before small letters, numbers by value and before
/// texts.
pub(super) type Suffix<'a> = (String, &'a str, bool, u32, String, &'a str);

/// Every address of the register, and every post-office box. `rounded` returns a centroid in millimetres as the build rounded it.
pub(super) fn all(
    joined: &Joined,
    rounded: impl Fn(&str) -> [i64; 2],
    po_boxes: &str,
) -> Vec<ServedAddress> {
    let placed = joined.rows.iter().map(|(id, (row, place))| {
        let mm = match place {
            Place::Point(mm) => *mm,
            Place::Centroid(_) => rounded(id),
        };
        ServedAddress {
            row: row.clone(),
            lon_lat_e7: Some(geodesy::lon_lat_e7(mm)),
        }
    });
    placed.chain(boxes(po_boxes)).collect()
}

/// The addresses of post-office boxes, read from a table with a header line and the columns
/// `postcode,from,to,city,municipality,province`.
fn boxes(table: &str) -> impl Iterator<Item = ServedAddress> {
    table.lines().skip(1).flat_map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |text: &str| text.parse::<u32>().expect("a box number");
        let range = number(cells[1])..=number(cells[2]);
        range.map(move |number| ServedAddress {
            row: a_box(&cells, number),
            lon_lat_e7: None,
        })
    })
}

/// A row for a post-office box. Source: decisions.md, section Addresses.
fn a_box(cells: &[&str], number: u32) -> Row {
    let (digits, letters) = cells[0].split_at(4);
    let place = letters
        .bytes()
        .fold(0, |place, letter| place * 26 + u32::from(letter - b'A'));
    let [city, municipality, province] = [3, 4, 5].map(|cell| cells[cell].to_owned());
    Row {
        id: format!("0000{digits}{place:03}{number:05}"),
        postcode: cells[0].to_owned(),
        number: number.to_string(),
        street: "Postbus".to_owned(),
        city,
        municipality,
        province,
        kind: "postbus".to_owned(),
        ..Row::default()
    }
}

/// The address that v3 returns for each postcode and number. Source: decisions.md, section Parameters.
pub(super) fn preferred(all: &[ServedAddress]) -> BTreeMap<(String, u32), &ServedAddress> {
    let mut chosen: BTreeMap<(String, u32), &ServedAddress> = BTreeMap::new();
    for served in all {
        let pair = (served.row.postcode.clone(), served.number());
        let first = chosen.entry(pair).or_insert(served);
        if served.preference() < first.preference() {
            *first = served;
        }
    }
    chosen
}

impl ServedAddress {
    pub(super) fn number(&self) -> u32 {
        self.row.number.parse().expect("a house number")
    }

    /// The sort key of preference: in use before planned, dwellings first, no letter first, no addition first, then the order of
    /// lists.
    fn preference(&self) -> impl Ord + '_ {
        let Row {
            planned,
            purposes,
            letter,
            addition,
            id,
            ..
        } = &self.row;
        let dwelling = purposes.iter().any(|purpose| purpose == "woonfunctie");
        let has = (!letter.is_empty(), !addition.is_empty());
        (*planned, !dwelling, has, self.suffix(), id)
    }

    /// The sort key of letter and addition, in natural order. Source: decisions.md, section Parameters.
    pub(super) fn suffix(&self) -> Suffix<'_> {
        let (letter, addition) = (&self.row.letter, &self.row.addition);
        let value = match addition.as_str() {
            "" => Some(0),
            text => text.parse::<u32>().ok(),
        };
        (
            letter.to_uppercase(),
            letter,
            value.is_none(),
            value.unwrap_or_default(),
            addition.to_uppercase(),
            addition,
        )
    }

    /// The body of v3: seven fields in the order of the contract.
    pub(super) fn v3(&self) -> String {
        let Row {
            postcode, number, ..
        } = &self.row;
        let names = self.names();
        let location = self.location();
        format!(r#"{{"postcode":"{postcode}","number":{number},{names},"location":{location}}}"#)
    }

    /// The fourteen fields of v1, without the closing brace.
    pub(super) fn v1_open(&self) -> String {
        let row = &self.row;
        let text = |text: &str| match text {
            "" => "null".to_owned(),
            text => quoted(text),
        };
        let count = |digits: &str| match digits {
            "" => "null".to_owned(),
            digits => digits.to_owned(),
        };
        let purposes: Vec<String> = row.purposes.iter().map(|purpose| quoted(purpose)).collect();
        let mut served = format!(
            r#"{{"id":"{}","postcode":"{}","number":{},"letter":{},"addition":{},"#,
            row.id,
            row.postcode,
            row.number,
            text(&row.letter),
            text(&row.addition)
        );
        write!(
            served,
            r#"{},"location":{},"purposes":[{}],"surface":{},"constructionYear":{},"type":"{}""#,
            self.names(),
            self.location(),
            purposes.join(","),
            count(&row.surface_m2),
            count(&row.construction_year),
            row.kind
        )
        .expect("a String takes it");
        served
    }

    fn names(&self) -> String {
        let row = &self.row;
        let [street, city, municipality, province] =
            [&row.street, &row.city, &row.municipality, &row.province].map(|name| quoted(name));
        format!(
            r#""street":{street},"city":{city},"municipality":{municipality},"province":{province}"#
        )
    }

    fn location(&self) -> String {
        let Some(at) = self.lon_lat_e7 else {
            return "null".to_owned();
        };
        let [lon, lat] = at.map(degrees);
        format!(r#"{{"type":"Point","coordinates":[{lon},{lat}]}}"#)
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The shortest decimal form of a number of degrees: `5.04` for `50400000`.
fn degrees(e7: i64) -> String {
    let sign = if e7 < 0 { "-" } else { "" };
    let digits = format!("{:08}", e7.abs());
    let (whole, decimals) = digits.split_at(digits.len() - 7);
    let decimals = match decimals.trim_end_matches('0') {
        "" => "0",
        decimals => decimals,
    };
    format!("{sign}{whole}.{decimals}")
}
