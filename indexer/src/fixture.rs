//! Makes the objects of a small stand for tests. Street 1 is in Weesp (town 3631, municipality 0457). All objects are in force since
//! 2010.

use postduif_schema::{BagId, BagKind, HouseNumber, Purpose, PurposeSet, Rd, WoonplaatsCode};

use crate::day::{Day, ValidityPeriod};
use crate::extract::{StandReadCounts, StandTables};
use crate::municipalities::MunicipalityDirectory;
use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, GemeenteWoonplaats, Nummeraanduiding, ObjectStatus,
    OpenbareRuimte, Voorkomen, VoorkomenRecord, Woonplaats,
};
use crate::register_places::RegisterPlaces;
use crate::voorkomen_table::VoorkomenTable;

/// The stand day.
pub(crate) const TODAY: &str = "2021-09-15";

pub(crate) fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

pub(crate) fn id<K: BagKind>(number: u64) -> BagId<K> {
    BagId::from_number(457 * 10_u64.pow(12) + K::DIGITS * 10_u64.pow(10) + number).expect("an id")
}

pub(crate) fn object_id<K: BagKind>(number: u64) -> AdresseerbaarObjectId {
    AdresseerbaarObjectId::from_number(id::<K>(number).get()).expect("one of the three kinds")
}

pub(crate) fn town(code: &str) -> WoonplaatsCode {
    code.parse().expect("a code")
}

/// Parses a period such as `2010-01-01..2021-09-15` or `2010-01-01..`.
pub(crate) fn period(text: &str) -> ValidityPeriod {
    let (begin, end) = text.split_once("..").expect("two days");
    ValidityPeriod {
        begin: day(begin),
        end: (!end.is_empty()).then(|| day(end)),
    }
}

pub(crate) fn version<T>(number: u32, text: &str, state: T) -> Voorkomen<T> {
    Voorkomen {
        number,
        period: period(text),
        annulled: false,
        state,
    }
}

/// The only version of an object.
pub(crate) fn record<Id, T>(id: Id, state: T) -> VoorkomenRecord<Id, T> {
    VoorkomenRecord {
        id,
        voorkomen: version(1, "2010-01-01..", state),
    }
}

/// The nummeraanduiding with house number 1 at street 1, postcode 1381AA.
pub(crate) fn nummeraanduiding() -> Nummeraanduiding {
    Nummeraanduiding {
        huisnummer: HouseNumber::new(1).expect("a number"),
        huisletter: None,
        toevoeging: None,
        postcode: "1381AA".parse().ok(),
        ligt_aan: id(1),
        ligt_in: None,
        uitgegeven: true,
    }
}

/// A dwelling in use in pand 1. The address of the dwelling is nummeraanduiding 1.
pub(crate) fn object() -> AdresseerbaarObject {
    AdresseerbaarObject {
        status: ObjectStatus::InUse,
        hoofdadres: id(1),
        nevenadressen: [].into(),
        location: Rd::from_metres(131_009.0, 482_405.0),
        purposes: PurposeSet::from_iter([Purpose::Woonfunctie]),
        other_purposes: None,
        surface_m2: Some(201),
        panden: [id(1)].into(),
    }
}

pub(crate) fn street(woonplaats: &str) -> OpenbareRuimte {
    OpenbareRuimte {
        naam: "Slijkstraat".into(),
        verkorte_naam: None,
        woonplaats: town(woonplaats),
    }
}

pub(crate) fn relation(woonplaats: &str, gemeente: &str, text: &str) -> GemeenteWoonplaats {
    GemeenteWoonplaats {
        woonplaats: town(woonplaats),
        gemeente: gemeente.parse().expect("a code"),
        period: period(text),
        definitive: true,
    }
}

pub(crate) fn woonplaats(naam: &str, aangewezen: bool) -> Woonplaats {
    Woonplaats {
        naam: naam.into(),
        aangewezen,
    }
}

/// The towns Weesp (3631), Doesburg (1234) and town 1012, which is in no municipality. Street 1 is in Weesp, street 2 in a missing
/// town, and street 3 in town 1012.
pub(crate) fn places() -> RegisterPlaces {
    let (weesp, doesburg, nowhere) = (
        woonplaats("Weesp", true),
        woonplaats("Doesburg", true),
        woonplaats("Nergens", true),
    );
    let streets = [street("3631"), street("9999"), street("1012")];
    let relations = [
        relation("3631", "0457", "2010-01-01.."),
        relation("1234", "0221", "2010-01-01.."),
    ];
    RegisterPlaces::new(
        (1..).map(id).zip(&streets),
        [
            (town("3631"), &weesp),
            (town("1234"), &doesburg),
            (town("1012"), &nowhere),
        ]
        .into_iter(),
        &relations,
        &MunicipalityDirectory::built_in(),
        day(TODAY),
    )
}

/// A stand with street 1, these nummeraanduidingen and these objects.
pub(crate) fn stand(
    nummeraanduidingen: Vec<
        VoorkomenRecord<BagId<postduif_schema::NummeraanduidingKind>, Nummeraanduiding>,
    >,
    objects: Vec<VoorkomenRecord<AdresseerbaarObjectId, AdresseerbaarObject>>,
) -> StandTables {
    StandTables {
        date: TODAY.parse().expect("a date"),
        rejected: std::collections::HashSet::new(),
        lacks_object_type: false,
        area: postduif_schema::Area::Country,
        woonplaatsen: VoorkomenTable::from_files(Vec::new()),
        openbare_ruimten: VoorkomenTable::from_files(vec![vec![record(id(1), street("3631"))]]),
        nummeraanduidingen: VoorkomenTable::from_files(vec![nummeraanduidingen]),
        objects: VoorkomenTable::from_files(vec![objects]),
        panden: VoorkomenTable::from_files(Vec::new()),
        relations: Vec::new(),
        read_counts: StandReadCounts::default(),
    }
}
