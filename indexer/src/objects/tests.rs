//! Tests reading every object type: with all elements, with each required element missing, and with arbitrary content.

use postduif_schema::{HouseNumber, Purpose};
use proptest::prelude::*;

mod values;

use super::*;
use crate::delivery_header::DeliveryHeader;
use crate::fixture::{TODAY, day};
use crate::record_issues::{IssueEffect, ValueIssue};
use crate::xml::{XmlError, XmlReader};

const VOORKOMEN: &str = "<voorkomen><Voorkomen><voorkomenidentificatie>2</voorkomenidentificatie><beginGeldigheid>2010-08-31\
    </beginGeldigheid><eindGeldigheid>2021-09-16</eindGeldigheid><tijdstipRegistratie>2010-11-15T13:22:03.000\
    </tijdstipRegistratie><BeschikbaarLV><tijdstipRegistratieLV>2010-11-15T13:31:10.557</tijdstipRegistratieLV></BeschikbaarLV>\
    </Voorkomen></voorkomen>";

/// A woonplaats with all its elements. In this and the following objects, `{}` is the place of the voorkomen.
const WOONPLAATS: &str = "<Woonplaats><identificatie>3631</identificatie><naam>Weesp</naam><geometrie><vlak/></geometrie>\
    <status>Woonplaats aangewezen</status>{}</Woonplaats>";
const OPENBARE_RUIMTE: &str = "<OpenbareRuimte><identificatie>0457300000000001</identificatie><naam>Dani&#xeb;l Stalpertstraat\
    </naam><status>Naamgeving uitgegeven</status><ligtIn><WoonplaatsRef>3631</WoonplaatsRef></ligtIn>{}<verkorteNaam>\
    <VerkorteNaamOpenbareRuimte><verkorteNaam>Dan Stalpertstr</verkorteNaam></VerkorteNaamOpenbareRuimte></verkorteNaam>\
    </OpenbareRuimte>";
const NUMMERAANDUIDING: &str = "<Nummeraanduiding><identificatie>0457200000000001</identificatie><huisnummer>12</huisnummer>\
    <huisletter>a</huisletter><huisnummertoevoeging>bis</huisnummertoevoeging><postcode>1381AA</postcode><status>Naamgeving \
    uitgegeven</status><ligtIn><WoonplaatsRef>1012</WoonplaatsRef></ligtIn>{}<ligtAan><OpenbareRuimteRef>0457300000000001\
    </OpenbareRuimteRef></ligtAan></Nummeraanduiding>";
const VERBLIJFSOBJECT: &str = "<Verblijfsobject><heeftAlsHoofdadres><NummeraanduidingRef>0457200000000001\
    </NummeraanduidingRef></heeftAlsHoofdadres>{}<heeftAlsNevenadres><NummeraanduidingRef>0457200000000002\
    </NummeraanduidingRef><NummeraanduidingRef>0457200000000003</NummeraanduidingRef></heeftAlsNevenadres><identificatie>\
    0457010000000001</identificatie><geometrie><punt><Point><pos>131009.0 482405.0 0.0</pos></Point></punt></geometrie>\
    <gebruiksdoel>winkelfunctie</gebruiksdoel><gebruiksdoel>woonfunctie</gebruiksdoel><oppervlakte>201</oppervlakte><status>\
    Verblijfsobject gevormd</status><maaktDeelUitVan><PandRef>0457100000000001</PandRef><PandRef>0457100000000002</PandRef>\
    </maaktDeelUitVan></Verblijfsobject>";
const PAND: &str = "<Pand><identificatie>0457100000000001</identificatie><geometrie><Polygon/></geometrie>\
    <oorspronkelijkBouwjaar>1462</oorspronkelijkBouwjaar><status>Pand in gebruik</status>{}</Pand>";
const RELATION: &str = "<BAG-GWR-Deelbestand-LVC><Product><GemeenteWoonplaatsRelatieProduct><GemeenteWoonplaatsRelatie>\
    <tijdvakgeldigheid><begindatumTijdvakGeldigheid>2016-01-01</begindatumTijdvakGeldigheid><einddatumTijdvakGeldigheid>\
    2022-03-24</einddatumTijdvakGeldigheid></tijdvakgeldigheid><gerelateerdeWoonplaats><identificatie>3631</identificatie>\
    </gerelateerdeWoonplaats><gerelateerdeGemeente><identificatie>0457</identificatie></gerelateerdeGemeente><status>definitief\
    </status></GemeenteWoonplaatsRelatie></GemeenteWoonplaatsRelatieProduct></Product></BAG-GWR-Deelbestand-LVC>";
const HEADER: &str = "<BAG-Extract-Levering><SelectieGegevens><LVC-Extract><StandTechnischeDatum>2021-09-15\
    </StandTechnischeDatum></LVC-Extract><Gebied-Registratief><Gebied-GEM><GemeenteCollectie><Gemeente>\
    <GemeenteIdentificatie>0457</GemeenteIdentificatie></Gemeente></GemeenteCollectie></Gebied-GEM></Gebied-Registratief>\
    </SelectieGegevens></BAG-Extract-Levering>";

fn read_with_issues<T: FromXml>(xml: &[u8]) -> Result<ParsedRecord<T::Id, T>, XmlError> {
    XmlReader::read_document("test.xml", xml, |xml, _| T::from_xml(xml, day(TODAY)))
}

/// Reads a record. Returns an error if the record is rejected.
fn read<T: FromXml>(xml: &[u8]) -> Result<VoorkomenRecord<T::Id, T>, String> {
    let record = read_with_issues::<T>(xml).map_err(|error| error.to_string())?;
    let issues = format!("{:?}", record.issues);
    record.into_voorkomen().ok_or(issues)
}

/// The field and effect of each issue of a record, and its text.
fn issues<T: FromXml>(xml: &str) -> Vec<(&'static str, IssueEffect, String)> {
    let record = read_with_issues::<T>(xml.as_bytes()).expect("well-formed");
    let rejected = record
        .issues
        .iter()
        .any(|issue| issue.effect == IssueEffect::Rejected);
    let issues = record.issues.clone();
    assert_eq!(record.into_voorkomen().is_none(), rejected, "{issues:?}");
    let row = |issue: ValueIssue| (issue.field, issue.effect, issue.expected);
    issues.into_iter().map(row).collect()
}

fn whole(template: &str) -> String {
    template.replace("{}", VOORKOMEN)
}

#[track_caller]
fn state<T: FromXml>(template: &str) -> T {
    let record = read::<T>(whole(template).as_bytes()).expect("sound");
    assert_eq!(record.voorkomen.number, 2);
    assert_eq!(
        format!("{:?}", record.voorkomen.period),
        "ValidityPeriod { begin: 2010-08-31, end: Some(2021-09-16) }"
    );
    assert!(!record.voorkomen.annulled);
    record.voorkomen.state
}

#[test]
fn every_type_reads_with_all_its_elements() {
    let woonplaats: Woonplaats = state(WOONPLAATS);
    assert_eq!((&*woonplaats.naam, woonplaats.aangewezen), ("Weesp", true));
    let street: OpenbareRuimte = state(OPENBARE_RUIMTE);
    assert_eq!(
        (&*street.naam, street.verkorte_naam.as_deref()),
        ("Daniël Stalpertstraat", Some("Dan Stalpertstr"))
    );
    let num: Nummeraanduiding = state(NUMMERAANDUIDING);
    let shown = format!(
        "{:?}{:?}{:?}{:?}{:?}",
        num.huisletter, num.toevoeging, num.postcode, num.ligt_aan, num.ligt_in
    );
    assert_eq!(
        shown,
        "Some(a)Some(bis)Some(1381AA)0457300000000001Some(1012)"
    );
    assert!(num.uitgegeven && HouseNumber::new(12) == Some(num.huisnummer));
    let object: AdresseerbaarObject = state(VERBLIJFSOBJECT);
    let adressen: Vec<String> = object.adressen().map(|id| id.to_string()).collect();
    assert_eq!(
        adressen,
        ["0457200000000001", "0457200000000002", "0457200000000003"]
    );
    assert_eq!(
        object.purposes.iter().collect::<Vec<_>>(),
        [Purpose::Woonfunctie, Purpose::Winkelfunctie]
    );
    assert_eq!(
        (object.status, object.surface_m2, object.panden.len()),
        (ObjectStatus::Planned, Some(201), 2)
    );
    assert_eq!(
        state::<Pand>(PAND),
        Pand {
            bouwjaar: Some(1462),
            exists: true
        }
    );
}

#[test]
fn a_record_without_a_required_element_is_rejected_with_the_name_of_the_element() {
    #[track_caller]
    fn case<T: FromXml>(template: &str, elements: &[&str]) {
        for element in elements {
            let xml = whole(template);
            let (before, rest) = xml.split_once(&format!("<{element}>")).expect("is there");
            let (_, after) = rest.split_once(&format!("</{element}>")).expect("is there");
            let found = issues::<T>(&format!("{before}{after}"));
            let field = if *element == "Voorkomen" {
                "voorkomen"
            } else {
                element
            };
            let missing = format!("element <{field}> is missing");
            assert!(
                found.contains(&(field, IssueEffect::Rejected, missing)),
                "{element}: {found:?}"
            );
        }
    }
    let version = [
        "voorkomen",
        "Voorkomen",
        "voorkomenidentificatie",
        "beginGeldigheid",
    ];
    case::<Woonplaats>(WOONPLAATS, &["identificatie", "naam", "status"]);
    case::<OpenbareRuimte>(OPENBARE_RUIMTE, &["identificatie", "naam", "ligtIn"]);
    case::<Nummeraanduiding>(
        NUMMERAANDUIDING,
        &["identificatie", "huisnummer", "status", "ligtAan"],
    );
    case::<AdresseerbaarObject>(
        VERBLIJFSOBJECT,
        &["heeftAlsHoofdadres", "identificatie", "status"],
    );
    case::<Pand>(PAND, &["identificatie", "status"]);
    case::<Woonplaats>(WOONPLAATS, &version);
    case::<Pand>(PAND, &version);
}

#[test]
fn an_annulled_voorkomen_is_recognized() {
    let annulled = |from: &str, to: &str| {
        let xml = whole(PAND).replace(from, to);
        read::<Pand>(xml.as_bytes())
            .expect("sound")
            .voorkomen
            .annulled
    };
    assert!(annulled(
        "<BeschikbaarLV>",
        "<tijdstipInactief>2021-01-01T00:00:00.000</tijdstipInactief><BeschikbaarLV>"
    ));
    assert!(annulled(
        "</BeschikbaarLV>",
        "<tijdstipInactiefLV>2021-01-01T00:00:00.000</tijdstipInactiefLV></BeschikbaarLV>"
    ));
    assert!(annulled(
        "</BeschikbaarLV>",
        "<tijdstipNietBagLV>2021-01-01T00:00:00.000</tijdstipNietBagLV></BeschikbaarLV>"
    ));
    assert!(!annulled(
        "</BeschikbaarLV>",
        "<tijdstipEindRegistratieLV/></BeschikbaarLV>"
    ));
}

#[test]
fn the_codes_for_unknown_are_read_as_unknown() {
    let pand = read::<Pand>(whole(PAND).replace("1462", "9999").as_bytes()).expect("sound");
    assert_eq!(pand.voorkomen.state.bouwjaar, None);
    let object = whole(VERBLIJFSOBJECT).replace("201<", "999999<");
    assert_eq!(
        read::<AdresseerbaarObject>(object.as_bytes())
            .expect("sound")
            .voorkomen
            .state
            .surface_m2,
        None
    );
}

#[test]
fn every_status_is_known_and_an_unknown_status_counts_as_live() {
    #[track_caller]
    fn case(status: &str, expected: Option<ObjectStatus>) {
        let xml = whole(VERBLIJFSOBJECT).replace("Verblijfsobject gevormd", status);
        let found = read::<AdresseerbaarObject>(xml.as_bytes()).ok();
        assert_eq!(
            found.map(|record| record.voorkomen.state.status),
            expected,
            "{status}"
        );
    }
    for status in [
        "Verblijfsobject in gebruik",
        "Verblijfsobject in gebruik (niet ingemeten)",
        "Verbouwing verblijfsobject",
        "Verblijfsobject buiten gebruik",
        "Plaats aangewezen",
    ] {
        case(status, Some(ObjectStatus::InUse));
    }
    for status in [
        "Niet gerealiseerd verblijfsobject",
        "Verblijfsobject ingetrokken",
        "Verblijfsobject ten onrechte opgevoerd",
        "Plaats ingetrokken",
    ] {
        case(status, Some(ObjectStatus::Gone));
    }
    case("Pand in gebruik", Some(ObjectStatus::InUse));
    case("", None);
    for (status, exists) in [
        ("Bouwvergunning verleend", true),
        ("Sloopvergunning verleend", true),
        ("Pand gesloopt", false),
    ] {
        let xml = whole(PAND).replace("Pand in gebruik", status);
        assert_eq!(
            read::<Pand>(xml.as_bytes())
                .expect("sound")
                .voorkomen
                .state
                .exists,
            exists,
            "{status}"
        );
    }
    let unknown = whole(PAND).replace("Pand in gebruik", "Plaats aangewezen");
    let found = issues::<Pand>(&unknown);
    assert_eq!(found[0].0, "status");
    assert_eq!(found[0].1, IssueEffect::Kept);
    assert!(
        read::<Pand>(unknown.as_bytes())
            .expect("accepted")
            .voorkomen
            .state
            .exists
    );
    let unknown = whole(NUMMERAANDUIDING).replace("uitgegeven", "bedacht");
    assert_eq!(
        issues::<Nummeraanduiding>(&unknown)[0].1,
        IssueEffect::Rejected
    );
}

/// Runs every reader on the same bytes, and returns how many accepted them.
fn count_accepting_readers(bytes: &[u8]) -> usize {
    let outcomes = [
        read::<Woonplaats>(bytes).map(drop),
        read::<OpenbareRuimte>(bytes).map(drop),
        read::<Nummeraanduiding>(bytes).map(drop),
        read::<AdresseerbaarObject>(bytes).map(drop),
        read::<Pand>(bytes).map(drop),
        read_relations("test.xml", day(TODAY), bytes)
            .map(drop)
            .map_err(|error| error.to_string()),
        DeliveryHeader::read("test.xml", bytes)
            .map(drop)
            .map_err(|error| error.to_string()),
    ];
    outcomes.iter().filter(|outcome| outcome.is_ok()).count()
}

proptest! {
    #[test]
    fn no_change_to_a_document_makes_a_reader_panic(
        which in 0..7_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 0..6),
    ) {
        let sample = [WOONPLAATS, OPENBARE_RUIMTE, NUMMERAANDUIDING, VERBLIJFSOBJECT, PAND, RELATION, HEADER][which];
        let mut bytes = whole(sample).into_bytes();
        for (at, byte, how) in &changes {
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = *byte,
                1 => bytes.insert(at, *byte),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let accepted = count_accepting_readers(&bytes);
        prop_assert!(accepted > 0 || !changes.is_empty());
    }

    #[test]
    fn no_text_in_an_element_makes_a_reader_panic(
        which in 0..7_usize,
        text in prop_oneof![".*", "[0-9]{1,20}", "-?[0-9]{4,6}-[0-9]{2}-[0-9]{2}", "[0-9. eE+-]{1,40}", "<[a-zA-Z/]{1,9}>"],
        at in any::<prop::sample::Index>(),
    ) {
        let sample = whole([WOONPLAATS, OPENBARE_RUIMTE, NUMMERAANDUIDING, VERBLIJFSOBJECT, PAND, RELATION, HEADER][which]);
        let places: Vec<usize> = sample.match_indices("</").map(|(place, _)| place).collect();
        let end = places[at.index(places.len())];
        let start = sample[..end].rfind('>').map_or(end, |tag| tag + 1);
        let changed = format!("{}{text}{}", &sample[..start], &sample[end..]);
        prop_assert!(count_accepting_readers(changed.as_bytes()) <= 7);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert_eq!(count_accepting_readers(&bytes), 0);
    }
}
