//! The scenes that a register holds once in some hundred addresses and that a service gets wrong first. Each town of a few thousand addresses has each.

use super::calendar::Day;
use super::homes::{self, Draft, Stands, UNKNOWN_SURFACE, UNKNOWN_YEAR, Use};
use super::record::{
    Id, Life, NummeraanduidingState, ObjectKind, PandStatus, Purposes, Standing,
    VerblijfsobjectStatus as Status,
};
use super::shape::Shape;
use super::street::{Number, Site, Suffix, Works};
use super::{dead, places, shared, times};

/// A scene, with the most addresses it may serve.
type Scene = (u64, fn(&mut Works<'_>, Site));

/// All odd scenes; streets take them in turn.
pub(super) const SCENES: [Scene; 32] = [
    (4, shared::nevenadressen),
    (1, shared::shared_in_use_first),
    (1, shared::shared_dwelling_first),
    (1, shared::shared_lowest_first),
    (2, shared::twins),
    (1, places::ligplaats),
    (2, places::ligplaats_with_nevenadres),
    (1, places::standplaats),
    (1, area),
    (1, own_woonplaats),
    (1, several_panden),
    (1, fallen_panden),
    (1, unknowns),
    (1, medieval),
    (1, many_purposes),
    (1, every_status),
    (1, times::ends_later),
    (1, times::moves_later),
    (1, times::turns_today),
    (1, times::zero_length),
    (1, far_number),
    (1, letter_only),
    (1, letter_and_addition),
    (0, dead::hut),
    (0, dead::number_withdrawn),
    (0, dead::demolished),
    (0, dead::never_built),
    (0, dead::object_withdrawn),
    (0, dead::not_yet),
    (0, dead::over),
    (1, dead::side_address_withdrawn),
    (0, dead::empty_place),
];

pub(super) const LIVING: Use = Use {
    status: Status::InGebruik,
    purposes: Purposes::WOON,
    surface_m2: 84,
};

pub(super) fn plain(works: &mut Works<'_>, site: Site) -> Number {
    let life = works.numbered(site.postcode);
    works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, life)
}

pub(super) fn lettered(works: &mut Works<'_>, site: Site, letter: char) -> Number {
    let life = works.numbered(site.postcode);
    works.number(
        site,
        Suffix {
            letter: Some(letter),
            addition: None,
        },
        ObjectKind::Verblijfsobject,
        life,
    )
}

/// One verblijfsobject, now as `now` says, with these numbers in this pand.
pub(super) fn stand(
    works: &mut Works<'_>,
    site: Site,
    numbers: Vec<Number>,
    pand: Id,
    now: Use,
) -> Id {
    let life = works.lived(now);
    works.verblijfsobject(Draft {
        numbers,
        shape: Shape::Point(site.at),
        panden: vec![pand],
        life,
    })
}

/// A verblijfsobject that is measured as an area.
fn area(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let number = plain(works, site);
    let life = works.lived(LIVING);
    let shape = if works.rng.chance(500) {
        Shape::Ell {
            at: site.at,
            unit: 603,
        }
    } else {
        works.block(site.at, 3_001, 4_003)
    };
    works.verblijfsobject(Draft {
        numbers: vec![number],
        shape,
        panden: vec![pand.id],
        life,
    });
    works.serve(site, number, LIVING, pand.year);
}

/// A number of another woonplaats than its street.
fn own_woonplaats(works: &mut Works<'_>, site: Site) {
    let (code, town) = (
        works.country.neighbour(works.plan.town).code,
        works.country.neighbour(works.plan.town).index,
    );
    let pand = works.stand_pand(site);
    let since = works.long_ago();
    let state = |woonplaats| NummeraanduidingState {
        postcode: Some(site.postcode),
        standing: Standing::Live,
        woonplaats,
    };
    let life = Life::since(&mut works.rng, since, state(None)).then(
        &mut works.rng,
        Day(-2_000),
        state(Some(code)),
    );
    let number = works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, life);
    stand(works, site, vec![number], pand.id, LIVING);
    works.serve(site, number, LIVING, pand.year);
    if let Some(served) = works.street.served.last_mut() {
        served.town = town;
    }
}

/// One object in several panden: the oldest that still stands tells the year.
fn several_panden(works: &mut Works<'_>, site: Site) {
    let all = [
        (PandStatus::Gesloopt, 1_875),
        (PandStatus::InGebruik, 1_958),
        (PandStatus::Verbouwing, 1_931),
        (PandStatus::NietGerealiseerd, 1_911),
        (PandStatus::TenOnrechte, 1_899),
        (PandStatus::InGebruik, UNKNOWN_YEAR),
    ];
    let panden: Vec<Id> = all
        .into_iter()
        .map(|(status, year)| works.pand_of(site, status, year))
        .collect();
    let number = plain(works, site);
    let life = works.lived(LIVING);
    works.verblijfsobject(Draft {
        numbers: vec![number],
        shape: Shape::Point(site.at),
        panden,
        life,
    });
    works.serve(site, number, LIVING, Some(1_931));
}

/// A live object whose only pand is gone: no year.
fn fallen_panden(works: &mut Works<'_>, site: Site) {
    let id = works.pand_of(site, PandStatus::Gesloopt, 1_903);
    works.dwell(site, Suffix::default(), Stands { id, year: None });
}

/// Year and surface unknown.
fn unknowns(works: &mut Works<'_>, site: Site) {
    let id = works.pand_of(site, PandStatus::InGebruik, UNKNOWN_YEAR);
    works.dwell_as(
        site,
        Suffix::default(),
        Stands { id, year: None },
        Use {
            surface_m2: UNKNOWN_SURFACE,
            ..LIVING
        },
    );
}

fn medieval(works: &mut Works<'_>, site: Site) {
    let id = works.pand_of(site, PandStatus::InGebruik, 1_462);
    works.dwell(
        site,
        Suffix::default(),
        Stands {
            id,
            year: Some(1_462),
        },
    );
}

fn many_purposes(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let purposes = works.several_purposes();
    works.dwell_as(
        site,
        Suffix::default(),
        pand,
        Use {
            purposes,
            surface_m2: 5_137,
            ..LIVING
        },
    );
}

/// The live statuses of a verblijfsobject and of its pand, in turn.
fn every_status(works: &mut Works<'_>, site: Site) {
    const OF_OBJECT: [Status; 4] = [
        Status::NietIngemeten,
        Status::Verbouwing,
        Status::BuitenGebruik,
        Status::Gevormd,
    ];
    const OF_PAND: [PandStatus; 4] = [
        PandStatus::NietIngemeten,
        PandStatus::SloopvergunningVerleend,
        PandStatus::BuitenGebruik,
        PandStatus::BouwvergunningVerleend,
    ];
    let turn = works.turn / SCENES.len() % 4;
    let id = works.pand_of(site, OF_PAND[turn], 2_001);
    works.dwell_as(
        site,
        Suffix::default(),
        Stands {
            id,
            year: Some(2_001),
        },
        Use {
            status: OF_OBJECT[turn],
            ..LIVING
        },
    );
}

fn far_number(works: &mut Works<'_>, site: Site) {
    homes::house(
        works,
        Site {
            number: 99_999 - site.number,
            ..site
        },
    );
}

/// A number that exists with a letter only.
fn letter_only(works: &mut Works<'_>, site: Site) {
    homes::home(
        works,
        site,
        Suffix {
            letter: Some('C'),
            addition: None,
        },
    );
}

fn letter_and_addition(works: &mut Works<'_>, site: Site) {
    homes::home(
        works,
        site,
        Suffix {
            letter: Some('b'),
            addition: Some("1".to_owned()),
        },
    );
}
