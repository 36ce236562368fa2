//! Compares the register with the naive reading of the files: the kept versions of every object, and every reverse reference.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Display};
use std::str::FromStr;

use postduif_indexer::{Register, RegisterReader, Voorkomen, register_path};
use postduif_schema::DataFolder;

use super::naive::{NaiveRegister, texts};

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
        let found = register.nummeraanduiding(parse(&id)).expect("reads");
        assert_eq!(describe_versions(found), expected, "{id}");
    }
    for (id, expected) in OBJECTS.into_iter().flat_map(of) {
        let found = register.adresseerbaar_object(parse(&id)).expect("reads");
        assert_eq!(describe_versions(found), expected, "{id}");
    }
    for (id, expected) in of("Pand") {
        let found = register.pand(id.parse().expect("an id")).expect("reads");
        assert_eq!(describe_versions(found), expected, "{id}");
    }
    let streets = register.openbare_ruimten().expect("reads").into_iter();
    let kept: BTreeMap<String, Vec<String>> = streets
        .map(|(id, versions)| (id.to_string(), describe_versions(Some(versions))))
        .collect();
    let expected = of("OpenbareRuimte").filter(|(_, versions)| !versions.is_empty());
    assert_eq!(kept, expected.collect());
    let towns = register.woonplaatsen().expect("reads").into_iter();
    let kept: BTreeMap<String, Vec<String>> = towns
        .map(|(id, versions)| (id.to_string(), describe_versions(Some(versions))))
        .collect();
    assert_eq!(
        kept,
        of("Woonplaats")
            .filter(|(_, versions)| !versions.is_empty())
            .collect()
    );
}

fn describe_versions<T>(versions: Option<Vec<Voorkomen<T>>>) -> Vec<String> {
    let show_one = |version: &Voorkomen<T>| {
        let end = version
            .period
            .end
            .map(|day| day.to_string())
            .unwrap_or_default();
        show(version.number, &version.period.begin.to_string(), &end)
    };
    versions.unwrap_or_default().iter().map(show_one).collect()
}

fn show(number: u32, begin: &str, end: &str) -> String {
    format!("{number}: {begin} to {end}")
}

fn compare_references(naive: &NaiveRegister, register: &RegisterReader) {
    let nums = |reference: &str| references(naive, &["Nummeraanduiding"], reference);
    let streets = nums("Objecten-ref:OpenbareRuimteRef");
    each(naive, "OpenbareRuimte", &streets, |id| {
        texts_of(register.nummeraanduidingen_at_street(parse(id)))
    });
    let towns = nums("Objecten-ref:WoonplaatsRef");
    each(naive, "Woonplaats", &towns, |id| {
        texts_of(register.nummeraanduidingen_in_woonplaats(parse(id)))
    });
    let towns = references(naive, &["OpenbareRuimte"], "Objecten-ref:WoonplaatsRef");
    each(naive, "Woonplaats", &towns, |id| {
        texts_of(register.streets_in_woonplaats(parse(id)))
    });
    let numbers = references(naive, &OBJECTS, "Objecten-ref:NummeraanduidingRef");
    each(naive, "Nummeraanduiding", &numbers, |id| {
        texts_of(register.objects_of_nummeraanduiding(parse(id)))
    });
    let panden = references(naive, &OBJECTS, "Objecten-ref:PandRef");
    each(naive, "Pand", &panden, |id| {
        texts_of(register.objects_in_pand(parse(id)))
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
