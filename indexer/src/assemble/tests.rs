//! Tests every rule for making an address, and every reason to leave one out.

use postduif_schema::{
    AddressKind, LigplaatsKind, PurposeSet, StandplaatsKind, VerblijfsobjectKind,
};

use super::*;
use crate::fixture::{id, nummeraanduiding, object, object_id, places, town};

type AssemblyResult = Result<Option<Address>, LeftOutReason>;

/// Assembles the address of a nummeraanduiding with these objects, without any panden.
fn assemble(
    num: Option<&Nummeraanduiding>,
    objects: &[(AdresseerbaarObjectId, &AdresseerbaarObject)],
) -> AssemblyResult {
    assemble_with(num, objects, |_| None)
}

fn assemble_with(
    num: Option<&Nummeraanduiding>,
    objects: &[(AdresseerbaarObjectId, &AdresseerbaarObject)],
    pand: impl Fn(BagId<PandKind>) -> Option<Pand>,
) -> AssemblyResult {
    let places = places();
    let candidate = AssemblyCandidate {
        id: id(1),
        nummeraanduiding: num,
        objects: objects.to_vec(),
    };
    AddressAssembler::new(&places).assemble(&candidate, pand)
}

fn first() -> AdresseerbaarObjectId {
    object_id::<VerblijfsobjectKind>(1)
}

fn gone() -> AdresseerbaarObject {
    AdresseerbaarObject {
        status: ObjectStatus::Gone,
        ..object()
    }
}

#[test]
fn an_address_has_all_fields_of_its_parts() {
    let address = assemble(Some(&nummeraanduiding()), &[(first(), &object())]);
    let address = address.expect("whole").expect("live");
    let shown = format!(
        "{} {} {} {} | {} {} {} {} | {:?} {:?} {:?} {:?} {}",
        address.id,
        address.postcode,
        address.number,
        address
            .street_id
            .map(|id| id.to_string())
            .unwrap_or_default(),
        address.street,
        address.city,
        address.municipality,
        address.province,
        address.purposes,
        address.surface_m2,
        address.construction_year,
        address.kind,
        address.planned
    );
    let expected = "0457200000000001 1381AA 1 0457300000000001 | Slijkstraat Weesp Weesp Noord-Holland | {Woonfunctie} Some(201) \
                    None Verblijfsobject false";
    assert_eq!(shown, expected);
    assert_eq!(
        address.location.map(|location| location.rd),
        object().location
    );
}

#[test]
fn every_reason_leaves_a_nummeraanduiding_out() {
    #[track_caller]
    fn case(
        num: Option<&Nummeraanduiding>,
        objects: &[&AdresseerbaarObject],
        expected: Result<(), LeftOutReason>,
    ) {
        let objects: Vec<_> = objects.iter().map(|&object| (first(), object)).collect();
        let outcome = assemble(num, &objects).map(|address| assert_eq!(address, None));
        assert_eq!(outcome, expected);
    }
    let sound = nummeraanduiding();
    let withdrawn = Nummeraanduiding {
        uitgegeven: false,
        ..sound.clone()
    };
    let without_postcode = Nummeraanduiding {
        postcode: None,
        ..sound.clone()
    };
    let at = |street: u64, ligt_in: Option<&str>| Nummeraanduiding {
        ligt_aan: id(street),
        ligt_in: ligt_in.map(town),
        ..sound.clone()
    };
    let in_use = object();
    let live = &[&in_use][..];
    case(
        Some(&without_postcode),
        live,
        Err(LeftOutReason::WithoutPostcode),
    );
    case(Some(&withdrawn), live, Err(LeftOutReason::Withdrawn));
    case(Some(&sound), &[], Err(LeftOutReason::WithoutObject));
    case(Some(&sound), &[&gone()], Err(LeftOutReason::WithoutObject));
    case(None, live, Err(LeftOutReason::Missing));
    case(Some(&at(99, None)), live, Err(LeftOutReason::StreetMissing));
    case(Some(&at(2, None)), live, Err(LeftOutReason::TownMissing));
    case(
        Some(&at(1, Some("9999"))),
        live,
        Err(LeftOutReason::TownMissing),
    );
    case(
        Some(&at(3, None)),
        live,
        Err(LeftOutReason::TownWithoutMunicipality),
    );
    // Neither the nummeraanduiding nor an object is live, so there is no reason to report.
    case(Some(&withdrawn), &[&gone()], Ok(()));
    case(Some(&withdrawn), &[], Ok(()));
    case(None, &[&gone()], Ok(()));
}

#[test]
fn the_town_of_a_nummeraanduiding_is_used_instead_of_the_town_of_its_street() {
    let num = Nummeraanduiding {
        ligt_in: Some(town("1234")),
        ..nummeraanduiding()
    };
    let address = assemble(Some(&num), &[(first(), &object())])
        .expect("whole")
        .expect("live");
    assert_eq!(
        (&*address.city, &*address.municipality, &*address.province),
        ("Doesburg", "Doesburg", "Gelderland")
    );
}

#[test]
fn the_choice_between_several_objects_does_not_depend_on_their_order() {
    #[track_caller]
    fn case(objects: &[(u64, &AdresseerbaarObject)], expected_m2: u32) {
        let mut objects: Vec<_> = objects
            .iter()
            .map(|&(id, object)| (object_id::<VerblijfsobjectKind>(id), object))
            .collect();
        for _ in 0..objects.len() {
            objects.rotate_left(1);
            let address = assemble(Some(&nummeraanduiding()), &objects)
                .expect("whole")
                .expect("live");
            assert_eq!(address.surface_m2, Some(expected_m2));
            assert_eq!(address.planned, expected_m2 == 30);
        }
    }
    let object_with = |status, purposes, surface_m2| AdresseerbaarObject {
        status,
        purposes,
        surface_m2: Some(surface_m2),
        ..object()
    };
    let shop = || PurposeSet::from_iter([Purpose::Winkelfunctie]);
    let dwelling = object_with(ObjectStatus::InUse, object().purposes, 10);
    let in_use = object_with(ObjectStatus::InUse, shop(), 20);
    let planned = object_with(ObjectStatus::Planned, object().purposes, 30);
    let dead = object_with(ObjectStatus::Gone, object().purposes, 40);
    case(&[(1, &dead), (2, &planned)], 30);
    case(&[(1, &planned), (2, &in_use)], 20);
    case(&[(1, &planned), (2, &in_use), (3, &dwelling)], 10);
    case(&[(1, &in_use), (2, &in_use)], 20);
    let other = object_with(ObjectStatus::InUse, object().purposes, 50);
    case(&[(1, &dwelling), (2, &other)], 10);
    case(&[(2, &dwelling), (1, &other)], 50);
}

#[test]
fn the_year_is_that_of_the_oldest_existing_pand() {
    #[track_caller]
    fn case(panden: &[Option<Pand>], expected: Option<u16>) {
        let of_panden = AdresseerbaarObject {
            panden: (1..=panden.len() as u64).map(id).collect(),
            ..object()
        };
        let known = (1..)
            .map(id)
            .zip(panden.iter().copied())
            .collect::<Vec<(BagId<PandKind>, _)>>();
        let pand = |wanted| {
            known
                .iter()
                .find(|(id, _)| *id == wanted)
                .and_then(|(_, pand)| *pand)
        };
        let address = assemble_with(Some(&nummeraanduiding()), &[(first(), &of_panden)], pand);
        assert_eq!(
            address.expect("whole").expect("live").construction_year,
            expected,
            "{panden:?}"
        );
    }
    let pand = |bouwjaar, exists| Some(Pand { bouwjaar, exists });
    case(&[], None);
    case(&[pand(Some(1900), true)], Some(1900));
    case(
        &[pand(Some(1900), true), pand(Some(1890), true)],
        Some(1890),
    );
    case(
        &[pand(Some(1900), true), pand(Some(1462), false)],
        Some(1900),
    );
    case(&[pand(Some(1900), false)], None);
    case(&[pand(None, true)], None);
    case(&[pand(None, true), pand(Some(2020), true)], Some(2020));
    case(&[None, pand(Some(2020), true)], Some(2020));
    case(&[None], None);
}

#[test]
#[rustfmt::skip]
fn the_kind_of_an_address_follows_from_the_id_of_its_object() {
    #[track_caller]
    fn case(id: AdresseerbaarObjectId, status: ObjectStatus, expected: (AddressKind, bool)) {
        let object = AdresseerbaarObject { status, ..object() };
        let address = assemble(Some(&nummeraanduiding()), &[(id, &object)])
            .expect("whole")
            .expect("live");
        assert_eq!((address.kind, address.planned), expected);
    }
    case(first(), ObjectStatus::Planned, (AddressKind::Verblijfsobject, true));
    case(object_id::<LigplaatsKind>(1), ObjectStatus::InUse, (AddressKind::Ligplaats, false));
    case(object_id::<StandplaatsKind>(1), ObjectStatus::InUse, (AddressKind::Standplaats, false));
}

#[test]
fn each_reason_keeps_the_first_few_ids_as_examples() {
    let mut counts = LeftOutCounts::new();
    for number in 1..=7 {
        count_left_out(&mut counts, LeftOutReason::Missing, id(number));
    }
    let counted = &counts[&LeftOutReason::Missing];
    assert_eq!(
        (counted.count, counted.examples.len(), counts.len()),
        (7, 5, 1)
    );
    assert_eq!(counted.examples[0], "0457200000000001");
}
