//! Compares the register with the naive reading of the files: the kept versions of every object, and every reverse reference.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Display};
use std::str::FromStr;

use postduif_indexer::{
    AdresseerbaarObject, AdresseerbaarObjectId, Nummeraanduiding, OpenbareRuimte, Pand, Register,
    RegisterReader, ReverseLink, Voorkomen, Woonplaats, register_path,
};
use postduif_schema::{
    BagId, DataFolder, NummeraanduidingKind, OpenbareRuimteKind, PandKind, WoonplaatsCode,
};

use super::naive::{NaiveRegister, texts};

type StreetId = BagId<OpenbareRuimteKind>;
type NummerId = BagId<NummeraanduidingKind>;
/// For each id, as text, the ids of the objects that refer to it.
type References = BTreeMap<String, BTreeSet<String>>;

const OBJECTS: [&str; 3] = ["Verblijfsobject", "Ligplaats", "Standplaats"];

pub(super) fn compare(naive: &NaiveRegister, data: &DataFolder) {
    let register = Register::open(&register_path(data)).expect("opens");
    let register = register.reader().expect("reads");
    assert_eq!(
        register.head().expect("reads").stand.to_string(),
        naive.stand
    );
    assert_eq!(
        register.relations().expect("reads").len(),
        naive.relations.len()
    );
    compare_versions(naive, &register);
    compare_references(naive, &register);
}

/// Compares the number, begin and end of every version that is valid on the stand date or later.
fn compare_versions(naive: &NaiveRegister, register: &RegisterReader) {
    let of = |element: &'static str| {
        let all = naive.all(element);
        all.map(|(id, versions)| {
            let shown = naive
                .lasting(versions)
                .into_iter()
                .map(|v| show(v.number, &v.begin, &v.end));
            (id.to_owned(), shown.collect::<Vec<_>>())
        })
    };
    for (id, expected) in of("Nummeraanduiding") {
        let found = register.versions::<Nummeraanduiding>(parse(&id));
        assert_eq!(describe_versions(&found.expect("reads")), expected, "{id}");
    }
    for (id, expected) in OBJECTS.into_iter().flat_map(of) {
        let found = register.versions::<AdresseerbaarObject>(parse(&id));
        assert_eq!(describe_versions(&found.expect("reads")), expected, "{id}");
    }
    for (id, expected) in of("Pand") {
        let found = register.versions::<Pand>(parse(&id));
        assert_eq!(describe_versions(&found.expect("reads")), expected, "{id}");
    }
    let expected = |element| of(element).filter(|(_, versions)| !versions.is_empty());
    let streets = register.read_all::<OpenbareRuimte>().expect("reads");
    assert_eq!(describe_all(streets), expected("OpenbareRuimte").collect());
    let towns = register.read_all::<Woonplaats>().expect("reads");
    assert_eq!(describe_all(towns), expected("Woonplaats").collect());
}

fn describe_all<T>(all: Vec<(impl Display, Vec<Voorkomen<T>>)>) -> BTreeMap<String, Vec<String>> {
    all.iter()
        .map(|(id, versions)| (id.to_string(), describe_versions(versions)))
        .collect()
}

fn describe_versions<T>(versions: &[Voorkomen<T>]) -> Vec<String> {
    let show_one = |version: &Voorkomen<T>| {
        let end = version
            .period
            .end
            .map(|day| day.to_string())
            .unwrap_or_default();
        show(version.number, &version.period.begin.to_string(), &end)
    };
    versions.iter().map(show_one).collect()
}

fn show(number: u32, begin: &str, end: &str) -> String {
    format!("{number}: {begin} to {end}")
}

fn compare_references(naive: &NaiveRegister, register: &RegisterReader) {
    let nums = |reference: &str| references(naive, &["Nummeraanduiding"], reference);
    let streets = nums("Objecten-ref:OpenbareRuimteRef");
    each(naive, "OpenbareRuimte", &streets, |id| {
        let street: StreetId = parse(id);
        let link = ReverseLink::NummeraanduidingenAtStreet;
        texts_of(register.linked_ids::<NummerId>(link, street))
    });
    let towns = nums("Objecten-ref:WoonplaatsRef");
    each(naive, "Woonplaats", &towns, |id| {
        let town: WoonplaatsCode = parse(id);
        let link = ReverseLink::NummeraanduidingenInWoonplaats;
        texts_of(register.linked_ids::<NummerId>(link, town))
    });
    let towns = references(naive, &["OpenbareRuimte"], "Objecten-ref:WoonplaatsRef");
    each(naive, "Woonplaats", &towns, |id| {
        let town: WoonplaatsCode = parse(id);
        let link = ReverseLink::StreetsInWoonplaats;
        texts_of(register.linked_ids::<StreetId>(link, town))
    });
    let numbers = references(naive, &OBJECTS, "Objecten-ref:NummeraanduidingRef");
    each(naive, "Nummeraanduiding", &numbers, |id| {
        let number: NummerId = parse(id);
        let link = ReverseLink::ObjectsOfNummeraanduiding;
        texts_of(register.linked_ids::<AdresseerbaarObjectId>(link, number))
    });
    let panden = references(naive, &OBJECTS, "Objecten-ref:PandRef");
    each(naive, "Pand", &panden, |id| {
        let pand: BagId<PandKind> = parse(id);
        let link = ReverseLink::ObjectsInPand;
        texts_of(register.linked_ids::<AdresseerbaarObjectId>(link, pand))
    });
}

/// For each id, the objects that refer to it in a version that is valid on the stand date or later.
fn references(naive: &NaiveRegister, elements: &[&'static str], reference: &str) -> References {
    let mut references = References::new();
    for (id, versions) in elements.iter().flat_map(|element| naive.all(element)) {
        for named in naive
            .lasting(versions)
            .into_iter()
            .flat_map(|version| texts(&version.xml, reference))
        {
            references.entry(named).or_default().insert(id.to_owned());
        }
    }
    references
}

/// Runs a comparison of the register with the files for every id that the delivery contains or refers to.
fn each(
    naive: &NaiveRegister,
    element: &str,
    expected: &References,
    found: impl Fn(&str) -> Vec<String>,
) {
    let own = naive.all(element).map(|(id, _)| id);
    let ids: BTreeSet<&str> = own.chain(expected.keys().map(String::as_str)).collect();
    for id in ids {
        let expected: Vec<String> = expected
            .get(id)
            .map(|ids| ids.iter().cloned().collect())
            .unwrap_or_default();
        assert_eq!(found(id), expected, "the references to {id}");
    }
}

fn texts_of(ids: Result<Vec<impl Display>, impl Debug>) -> Vec<String> {
    let ids = ids.expect("reads");
    ids.iter().map(ToString::to_string).collect()
}

fn parse<Id: FromStr<Err: Debug>>(id: &str) -> Id {
    id.parse().expect("an id")
}
