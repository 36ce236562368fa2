//! The odd scenes of berths and pitches: areas with numbers, without panden, purposes, surface and year.

use super::calendar::Day;
use super::record::{Kind, Life, ObjectKind, Plaats, Purposes, Standing};
use super::shape::Shape;
use super::street::{Number, Served, Site, Suffix, Works};

/// A berth with a hole in it, as a map may have it: its centroid is not its middle.
pub(super) fn ligplaats(works: &mut Works<'_>, site: Site) {
    let shape = Shape::Pierced {
        at: site.at,
        unit: 351,
    };
    live(
        works,
        site,
        (ObjectKind::Ligplaats, shape),
        [Suffix::default()],
    );
}

pub(super) fn ligplaats_with_nevenadres(works: &mut Works<'_>, site: Site) {
    let shape = works.block(site.at, 12_001, 3_001);
    let suffixes = [Suffix::default(), Suffix::letter('a')];
    live(works, site, (ObjectKind::Ligplaats, shape), suffixes);
}

pub(super) fn standplaats(works: &mut Works<'_>, site: Site) {
    let shape = Shape::Ell {
        at: site.at,
        unit: 1_013,
    };
    live(
        works,
        site,
        (ObjectKind::Standplaats, shape),
        [Suffix::default()],
    );
}

/// A live place with a number for every suffix, all of them served.
fn live<const N: usize>(
    works: &mut Works<'_>,
    site: Site,
    (kind, shape): (ObjectKind, Shape),
    suffixes: [Suffix; N],
) {
    let numbers = suffixes.map(|suffix| {
        let life = works.numbered(site.postcode);
        works.number(site, suffix, kind, life)
    });
    let since = works.long_ago();
    let rng = &mut works.rng;
    let life = Life::since(rng, since, Standing::Live).then(rng, Day(-1_000), Standing::Live);
    build(works, kind, shape, &numbers, life);
    let served = numbers.map(|number| Served {
        number: number.index,
        postcode: site.postcode,
        town: works.plan.town,
        kind,
        at: shape.centroid(),
        purposes: Purposes::NONE,
        surface_m2: None,
        year: None,
        planned: false,
    });
    works.street.served.extend(served);
}

/// Builds a place; the first number is its hoofdadres.
pub(super) fn build(
    works: &mut Works<'_>,
    kind: ObjectKind,
    shape: Shape,
    numbers: &[Number],
    life: Life<Standing>,
) {
    let of = if kind == ObjectKind::Ligplaats {
        Kind::Ligplaats
    } else {
        Kind::Standplaats
    };
    let id = works.id(of);
    let hoofdadres = numbers[0].id;
    let nevenadressen = numbers[1..].iter().map(|number| number.id).collect();
    works.street.plaatsen.push(Plaats {
        id,
        hoofdadres,
        nevenadressen,
        shape,
        life,
    });
}
