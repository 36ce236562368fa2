//! Lists odd records, one of each kind.

mod geometries;

use postduif_indexer::IssueEffect::{self, Kept, Nulled, Rejected};
use postduif_schema::{Address, PurposeSet};

use crate::delivery::{
    VOORKOMEN, ligplaats_or_standplaats, nummeraanduiding, pand, street, verblijfsobject,
    woonplaats,
};

/// A record of the small municipality, in its original form and in a form with one odd value.
pub(super) struct OddRecord {
    pub(super) name: &'static str,
    /// A part of the file name of the XML document that contains the record.
    pub(super) part: &'static str,
    pub(super) object: String,
    pub(super) odd: String,
    /// The field for which a build counts an issue, and the effect of the issue; `None` if it counts nothing.
    pub(super) issue: Option<(&'static str, IssueEffect)>,
    pub(super) cost: Cost,
}

/// What the build omits because of an odd record.
pub(super) enum Cost {
    Nothing,
    /// The addresses with these ids.
    Addresses(&'static [&'static str]),
    /// The year of construction of every address in the Pand of the record.
    Year,
    /// One field of the address with this id; the function changes the address as expected.
    Of(&'static str, fn(&mut Address)),
}

impl OddRecord {
    pub(super) fn object_type(&self) -> &'static str {
        match self.part {
            NUM => "Nummeraanduiding",
            VBO => "Verblijfsobject",
            PND => "Pand",
            OPR => "OpenbareRuimte",
            WPL => "Woonplaats",
            LIG => "Ligplaats",
            _ => "Standplaats",
        }
    }

    /// Whether the record has a validity period, so that a test can replace the period.
    pub(super) fn has_period(&self) -> bool {
        self.odd.contains(VOORKOMEN)
    }
}

const NUM: &str = "NUM15092021-";
const VBO: &str = "VBO15092021-";
const PND: &str = "PND15092021-";
const OPR: &str = "OPR15092021-";
const WPL: &str = "WPL15092021-";
const LIG: &str = "LIG15092021-";
const STA: &str = "STA15092021-";

pub(super) const FIRST: &str = "0457200000000001";
const BERTH: &str = "0457200000000003";
const PITCH: &str = "0457200000000004";
const STREET: &str = "0457300000000001";
pub(super) const POINT: &str = "<gml:Point><gml:pos>131009.12 482405.04 0.0</gml:pos></gml:Point>";
/// The polygon ring of the berth and of the pitch.
pub(super) const RING: &str = "133351.039 478737.105 133350.959 478733.048 133360.492 478732.859 133360.573 478736.915 133351.039 478737.105";

pub(super) struct OddRecords(Vec<OddRecord>);

impl OddRecords {
    pub(super) fn add(
        &mut self,
        name: &'static str,
        (part, object): (&'static str, String),
        [from, to]: [&str; 2],
        issue: Option<(&'static str, IssueEffect)>,
        cost: Cost,
    ) {
        assert!(object.contains(from), "{name}: {from} in {object}");
        let odd = object.replacen(from, to, 1);
        self.0.push(OddRecord {
            name,
            part,
            object,
            odd,
            issue,
            cost,
        });
    }

    fn rejected(
        &mut self,
        name: &'static str,
        record: (&'static str, String),
        change: [&str; 2],
        field: &'static str,
    ) {
        self.add(
            name,
            record,
            change,
            Some((field, Rejected)),
            Cost::Addresses(&[FIRST]),
        );
    }

    fn number(&mut self, name: &'static str, change: [&str; 2], field: &'static str) {
        self.rejected(name, number(), change, field);
    }

    fn year(&mut self, name: &'static str, to: &str) {
        let issue = Some(("oorspronkelijkBouwjaar", Nulled));
        let change = [">1462<", &format!(">{to}<")];
        self.add(name, building(), change, issue, Cost::Year);
    }

    fn surface(&mut self, name: &'static str, change: [&str; 2]) {
        let cost = Cost::Of(FIRST, |address| address.surface_m2 = None);
        self.add(name, flat(), change, Some(("oppervlakte", Nulled)), cost);
    }

    pub(super) fn geometry(
        &mut self,
        name: &'static str,
        record: (&'static str, String),
        change: [&str; 2],
    ) {
        self.add(name, record, change, None, Cost::Nothing);
    }
}

fn number() -> (&'static str, String) {
    (NUM, nummeraanduiding(FIRST, "1", "1381AA", STREET))
}

pub(super) fn flat() -> (&'static str, String) {
    let point = format!("<O:punt>{POINT}</O:punt>");
    let flat = verblijfsobject("0457010000000001", FIRST, "", &point, "0457100000000001");
    (VBO, flat)
}

fn building() -> (&'static str, String) {
    (PND, pand("0457100000000001", "1462"))
}

pub(super) fn berth() -> (&'static str, String) {
    (
        LIG,
        ligplaats_or_standplaats("Ligplaats", "0457020000000001", BERTH),
    )
}

pub(super) fn pitch() -> (&'static str, String) {
    (
        STA,
        ligplaats_or_standplaats("Standplaats", "0457030000000001", PITCH),
    )
}

fn first_street() -> (&'static str, String) {
    (OPR, street(STREET, "Dani&#xeb;l Stalpertstraat", "3631"))
}

/// Every kind of odd record.
pub(super) fn odd_records() -> Vec<OddRecord> {
    let mut records = OddRecords(Vec::new());
    add_identities(&mut records);
    add_values(&mut records);
    geometries::add(&mut records);
    add_names(&mut records);
    records.0
}

#[rustfmt::skip]
fn add_identities(records: &mut OddRecords) {
    let with = |element: &str| format!("</O:huisnummer><O:{element}</O:postcode>");
    let after_number = "</O:huisnummer><O:postcode>1381AA</O:postcode>";
    let letter = with("huisletter>ab</O:huisletter><O:postcode>1381AA");
    records.number("invalid letter", [after_number, &letter], "huisletter");
    let addition = with("huisnummertoevoeging>-2</O:huisnummertoevoeging><O:postcode>1381AA");
    records.number("invalid addition", [after_number, &addition], "huisnummertoevoeging");
    records.number("invalid postcode", ["1381AA", "1381 A"], "postcode");
    records.number("number 0", [">1</O:huisnummer>", ">0</O:huisnummer>"], "huisnummer");
    records.number("number missing", ["<O:huisnummer>1</O:huisnummer>", ""], "huisnummer");
    records.number("reference with wrong type digits", [STREET, "0457910000000001"], "ligtAan");
    records.rejected("main address with wrong type digits", flat(), [FIRST, "0457910000000001"], "heeftAlsHoofdadres");
    let pand = ["0457100000000001", "0457910000000001"];
    records.add(
        "pand with wrong type digits",
        flat(),
        pand,
        Some(("maaktDeelUitVan", Nulled)),
        Cost::Of(FIRST, |address| address.construction_year = None),
    );
    records.number("invalid begin date", ["2010-08-31", "31-08-2010"], "beginGeldigheid");
    records.number("unknown status of a number", ["Naamgeving uitgegeven", "Naamgeving bedacht"], "status");
    let of_street: &[&str] = &[FIRST, "0457200000000002", "0457200000000005"];
    records.add("empty woonplaats reference", first_street(), [">3631<", "><"], Some(("ligtIn", Rejected)), Cost::Addresses(of_street));
    let own_town = "<O:ligtIn><R:WoonplaatsRef></R:WoonplaatsRef></O:ligtIn><O:ligtAan>";
    records.add("empty woonplaats reference of a number", number(), ["<O:ligtAan>", own_town], Some(("ligtIn", Nulled)), Cost::Nothing);
}

fn add_values(records: &mut OddRecords) {
    let purpose = Cost::Of(FIRST, |address| {
        address.purposes = PurposeSet::EMPTY;
        address.other_purposes = Some("zwemfunctie".into());
    });
    let unknown = ["woonfunctie", " zwemfunctie\n"];
    records.add(
        "unknown use",
        flat(),
        unknown,
        Some(("gebruiksdoel", Kept)),
        purpose,
    );
    let year = "<O:oorspronkelijkBouwjaar>1462</O:oorspronkelijkBouwjaar>";
    let issue = Some(("oorspronkelijkBouwjaar", Nulled));
    records.add("year missing", building(), [year, ""], issue, Cost::Year);
    for (name, year) in [
        ("year empty", ""),
        ("year negative", "-0044"),
        ("year 0", "0000"),
        ("year 19500", "19500"),
        ("year in words", "MCDLXII"),
        ("year far in the future", "2104"),
    ] {
        records.year(name, year);
    }
    let zoned = [">1462<", ">1462+01:00<"];
    records.add("year with a zone", building(), zoned, None, Cost::Nothing);
    records.add(
        "year 1005, the code for unknown",
        building(),
        [">1462<", ">1005<"],
        None,
        Cost::Year,
    );
    let surface = "<O:oppervlakte>201</O:oppervlakte>";
    records.surface("surface missing", [surface, ""]);
    for (name, to) in [
        ("surface 0", ">0<"),
        ("surface -1", ">-1<"),
        ("surface above 999999", ">1000000<"),
        ("surface with decimals", ">8.5<"),
    ] {
        records.surface(name, [">201<", to]);
    }
    let one = Cost::Of(FIRST, |address| address.surface_m2 = Some(1));
    records.add("surface 1", flat(), [">201<", ">1<"], None, one);
    let status = ["Verblijfsobject in gebruik", "Verblijfsobject in aanbouw"];
    records.add(
        "unknown status",
        flat(),
        status,
        Some(("status", Kept)),
        Cost::Nothing,
    );
    let status = ["Pand in gebruik", "Pand te koop"];
    records.add(
        "unknown status of a pand",
        building(),
        status,
        Some(("status", Kept)),
        Cost::Nothing,
    );
}

#[rustfmt::skip]
fn add_names(records: &mut OddRecords) {
    let name = "Dani&#xeb;l Stalpertstraat";
    let spaced = "\n  Dani&#xeb;l&#xa0; Stalpertstraat\t";
    records.add("name with white space", first_street(), [name, spaced], None, Cost::Nothing);
    let marked = "&#x202e;Dani&#xeb;l&#x7; Stalpert&#x2066;straat";
    let kept = Some(("naam", Kept));
    records.add("name with control and bidi characters", first_street(), [name, marked], kept, Cost::Nothing);
    let of_street: &[&str] = &[FIRST, "0457200000000002", "0457200000000005"];
    let rejected = Some(("naam", Rejected));
    records.add("name of blanks", first_street(), [name, " &#xa0; "], rejected, Cost::Addresses(of_street));
    records.add("name of invisible characters", first_street(), [name, "&#xfeff;"], rejected, Cost::Addresses(of_street));
    let long = format!("{name}{}", "n".repeat(300));
    records.add("overlong name", first_street(), [name, &long], rejected, Cost::Addresses(of_street));
    let town = (WPL, woonplaats("3631", "Weesp"));
    records.add("name of a town with white space", town, ["Weesp", " Weesp "], None, Cost::Nothing);
}
