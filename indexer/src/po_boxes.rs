//! Reads post-office boxes. They are not in the BAG, so an operator lists ranges of boxes in a CSV file with the header
//! `postcode,from,to,city,municipality,province`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use postduif_schema::{Address, HouseNumber, Postcode};
use serde::{Deserialize, Serialize};

use crate::csv_table::{CsvTable, CsvTableError};
use crate::provinces::ProvinceName;

/// The boxes from `first` up to and including `last`, at one postcode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoBoxRange {
    /// The postcode's [`code`](Postcode::code).
    postcode: u32,
    first: u32,
    last: u32,
    city: Box<str>,
    municipality: Box<str>,
    province: Box<str>,
}

impl PoBoxRange {
    /// One address for each box.
    pub fn addresses(&self) -> impl Iterator<Item = Address> {
        let place: [Arc<str>; 3] =
            [&self.city, &self.municipality, &self.province].map(|name| (&**name).into());
        let postcode = Postcode::from_code(self.postcode);
        (self.first..=self.last).filter_map(move |number| {
            Some(Address::new_po_box(
                postcode?,
                HouseNumber::new(number)?,
                place.clone(),
            ))
        })
    }
}

/// Reads ranges from a CSV file.
///
/// # Errors
/// When the file cannot be read, lacks a column, has an invalid value, or has the same box twice. The error names the line.
pub(crate) fn read(path: &Path) -> Result<Vec<PoBoxRange>, CsvTableError> {
    from_table(&CsvTable::read(path)?)
}

fn from_table(table: &CsvTable) -> Result<Vec<PoBoxRange>, CsvTableError> {
    let columns = ["postcode", "from", "to", "city", "municipality", "province"]
        .map(|name| table.find_column(&[name]));
    let [postcode, from, to, city, municipality, province] = columns;
    let (postcode, from, to) = (postcode?, from?, to?);
    let (city, municipality, province) = (city?, municipality?, province?);
    let (mut ranges, mut ends) = (Vec::new(), BTreeMap::new());
    for row in table.rows() {
        let code = Postcode::from_input(row.text(postcode)?)
            .map_err(|bad| row.error(postcode, &bad.to_string()))?
            .require_possible()
            .map_err(|impossible| row.error(postcode, &impossible.to_string()))?;
        let (first, last): (HouseNumber, HouseNumber) = (row.parse(from)?, row.parse(to)?);
        if last < first {
            return Err(row.error(to, &format!("{last} is less than {first} in `from`")));
        }
        if overlaps(&ends, code, first, last) {
            return Err(row.error(
                from,
                &format!("a box of {code} from {first} to {last} is also in an earlier range"),
            ));
        }
        ends.insert((code, first), last);
        ranges.push(PoBoxRange {
            postcode: code.code(),
            first: first.get(),
            last: last.get(),
            city: row.name(city)?,
            municipality: row.name(municipality)?,
            province: row.parse::<ProvinceName>(province)?.as_str().into(),
        });
    }
    Ok(ranges)
}

/// Whether a new range overlaps an earlier range. The earlier ranges do not overlap each other, so it is enough to check the last
/// of those that begin at or before `last`.
fn overlaps(
    ends: &BTreeMap<(Postcode, HouseNumber), HouseNumber>,
    code: Postcode,
    first: HouseNumber,
    last: HouseNumber,
) -> bool {
    let before = ends.range(..=(code, last)).next_back();
    before.is_some_and(|(&(other, _), &end)| other == code && end >= first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "postcode,from,to,city,municipality,province";

    fn parse(rows: &str) -> Result<Vec<PoBoxRange>, String> {
        let text = format!("{HEADER}\n{rows}");
        CsvTable::parse("boxes.csv", &text)
            .and_then(|table| from_table(&table))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_range_has_one_address_per_box() {
        let ranges = parse("3830 ac,99,101,Leusden,Leusden,Utrecht\n").expect("sound");
        let addresses: Vec<Address> = ranges.iter().flat_map(PoBoxRange::addresses).collect();
        let shown: Vec<String> = addresses
            .iter()
            .map(|a| format!("{} {} {} {}", a.id, a.street, a.number, a.postcode))
            .collect();
        let expected = [
            "0000383000200099 Postbus 99 3830AC",
            "0000383000200100 Postbus 100 3830AC",
            "0000383000200101 Postbus 101 3830AC",
        ];
        assert_eq!(shown, expected);
        assert!(
            addresses
                .iter()
                .all(|a| a.location.is_none() && &*a.province == "Utrecht")
        );
    }

    #[test]
    fn names_have_one_space_between_words_and_provinces_their_official_name() {
        let ranges =
            parse("3830AC,1,1,  Den \t Ham ,Twenterand \u{a0} X,friesland\n").expect("sound");
        let address = ranges[0].addresses().next().expect("one box");
        assert_eq!(
            [&*address.city, &*address.municipality, &*address.province],
            ["Den Ham", "Twenterand X", "Fryslân"]
        );
    }

    #[test]
    fn an_invalid_range_is_refused_with_its_line() {
        #[track_caller]
        fn case(rows: &str, expected: &str) {
            assert_eq!(parse(rows).expect_err("unsound"), expected);
        }
        let place = "Leusden,Leusden,Utrecht";
        case(
            &format!("3830A,1,2,{place}\n"),
            "boxes.csv, line 2: column `postcode`: postcode \"3830A\" is not four digits and two letters, such as 1234AB",
        );
        case(
            &format!("3830AC,0,2,{place}\n"),
            "boxes.csv, line 2: column `from`: house number \"0\" is not a whole number from 1 to 99999",
        );
        case(
            &format!("3830AC,9,2,{place}\n"),
            "boxes.csv, line 2: column `to`: 2 is less than 9 in `from`",
        );
        case(
            "3830AC,1,2,,Leusden,Utrecht\n",
            "boxes.csv, line 2: column `city`: empty",
        );
        for impossible in ["0123AA", "1234SS"] {
            case(
                &format!("{impossible},1,2,{place}\n"),
                &format!(
                    "boxes.csv, line 2: column `postcode`: postcode {impossible} cannot exist: the first digit is never 0, and the letters \
                     are never SA, SD or SS"
                ),
            );
        }
        case(
            "3830AC,1,2,Leusden,Leusden,Atlantis\n",
            "boxes.csv, line 2: column `province`: \"Atlantis\" is not a province; use Drenthe, Flevoland, Fryslân, Gelderland, Groningen, \
             Limburg, Noord-Brabant, Noord-Holland, Overijssel, Utrecht, Zeeland, Zuid-Holland",
        );
        for overlap in ["5,9", "1,1", "10,12", "1,20", "7,7"] {
            let rows = format!(
                "3830AC,5,9,{place}\n3830AC,1,1,{place}\n3830AC,10,12,{place}\n3830AC,{overlap},{place}\n"
            );
            let error = parse(&rows).expect_err("unsound");
            assert!(
                error.contains("line 5") && error.contains("earlier range"),
                "{overlap}: {error}"
            );
        }
        parse(&format!(
            "3830AC,5,9,{place}\n3830AC,1,4,{place}\n3830AC,10,99999,{place}\n3830AD,5,9,{place}\n"
        ))
        .expect("sound");
        assert!(
            CsvTable::parse("boxes.csv", "postcode,from\n")
                .and_then(|table| from_table(&table))
                .is_err()
        );
    }
}
