//! The odd scenes of berths and pitches: areas with numbers, without panden, purposes, surface and year.

use super::calendar::Day;
use super::record::{Kind, Life, ObjectKind, Plaats, Purposes, Standing};
use super::shape::Shape;
use super::street::{Number, Served, Site, Suffix, Works};

/// A live ligplaats or standplaats with these numbers.
fn place(works: &mut Works<'_>, site: Site, kind: ObjectKind, shape: Shape, count: u64) {
    let suffixes = [None, Some('a')]
        .into_iter()
        .take(usize::try_from(count).unwrap_or(1));
    let numbers: Vec<Number> = suffixes
        .map(|letter| {
            let life = works.numbered(site.postcode);
            works.number(
                site,
                Suffix {
                    letter,
                    addition: None,
                },
                kind,
                life,
            )
        })
        .collect();
    let since = works.long_ago();
    let life = Life::since(&mut works.rng, since, Standing::Live).then(
        &mut works.rng,
        Day(-1_000),
        Standing::Live,
    );
    let id = works.id(if kind == ObjectKind::Ligplaats {
        Kind::Ligplaats
    } else {
        Kind::Standplaats
    });
    let nevenadressen = numbers[1..].iter().map(|number| number.id).collect();
    works.street.plaatsen.push(Plaats {
        id,
        hoofdadres: numbers[0].id,
        nevenadressen,
        shape,
        life,
    });
    for number in numbers {
        let (postcode, town) = (site.postcode, works.plan.town);
        works.street.served.push(Served {
            number: number.index,
            postcode,
            town,
            kind,
            at: shape.centroid(),
            purposes: Purposes::NONE,
            surface_m2: None,
            year: None,
            planned: false,
        });
    }
}

pub(super) fn ligplaats(works: &mut Works<'_>, site: Site) {
    let shape = if works.rng.chance(300) {
        Shape::Pierced {
            at: site.at,
            unit: 351,
        }
    } else {
        works.block(site.at, 9_007, 2_503)
    };
    place(works, site, ObjectKind::Ligplaats, shape, 1);
}

pub(super) fn ligplaats_with_nevenadres(works: &mut Works<'_>, site: Site) {
    let shape = works.block(site.at, 12_001, 3_001);
    place(works, site, ObjectKind::Ligplaats, shape, 2);
}

pub(super) fn standplaats(works: &mut Works<'_>, site: Site) {
    place(
        works,
        site,
        ObjectKind::Standplaats,
        Shape::Ell {
            at: site.at,
            unit: 1_013,
        },
        1,
    );
}
