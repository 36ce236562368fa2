//! The scenes that a register holds once in some hundred addresses and that a service gets wrong first. Each town of a few thousand addresses has each.

use super::calendar::Day;
use super::homes::{Draft, Stands, UNKNOWN_SURFACE, UNKNOWN_YEAR, home, house};
use super::record::{
    Id, Life, NummeraanduidingState, ObjectKind, PandStatus, Use, VerblijfsobjectStatus as Status,
};
use super::shape::Shape;
use super::street::{Site, Suffix, Works};
use super::{dead, places, shared, times};

/// A scene, with the most addresses it may serve.
type Scene = (u64, fn(&mut Works<'_>, Site));

/// All odd scenes; streets take them in turn.
pub(super) const SCENES: [Scene; 33] = [
    (6, shared::nevenadressen),
    (1, shared::in_use_first),
    (1, shared::dwelling_first),
    (1, shared::lowest_first),
    (2, shared::twins),
    (1, places::ligplaats),
    (2, places::ligplaats_with_nevenadres),
    (1, places::standplaats),
    (2, areas),
    (1, own_woonplaats),
    (1, several_panden),
    (1, fallen_panden),
    (1, unknowns),
    (1, medieval),
    (3, many_purposes),
    (4, every_status),
    (1, times::ends_later),
    (1, times::moves_later),
    (1, times::turns_today),
    (1, times::zero_length),
    (1, far_number),
    (1, letter_only),
    (1, letter_and_addition),
    (10, additions),
    (0, dead::hut),
    (0, dead::number_withdrawn),
    (0, dead::demolished),
    (0, dead::never_built),
    (0, dead::objects_withdrawn),
    (0, dead::not_yet),
    (0, dead::over),
    (1, dead::side_address_withdrawn),
    (0, dead::empty_places),
];

/// Verblijfsobjecten that are measured as areas.
fn areas(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let ell = Shape::Ell {
        at: site.at,
        unit: 603,
    };
    let block = works.block(site.at, 3_001, 4_003);
    for (shape, letter) in [(ell, 'k'), (block, 'l')] {
        let number = works.ordinary_number(site, Suffix::letter(letter));
        let life = works.lived(Use::LIVING);
        works.verblijfsobject(Draft {
            numbers: vec![number],
            shape,
            panden: vec![pand.id],
            life,
        });
        works.serve(site, number, Use::LIVING, pand.year);
    }
}

/// A number of another woonplaats than its street.
fn own_woonplaats(works: &mut Works<'_>, site: Site) {
    let neighbour = works.country.neighbour(works.plan.town);
    let (woonplaats, town) = (Some(neighbour.code), neighbour.index);
    let pand = works.stand_pand(site);
    let (since, before) = (
        works.long_ago(),
        NummeraanduidingState::issued(site.postcode),
    );
    let now = NummeraanduidingState {
        woonplaats,
        ..before
    };
    let rng = &mut works.rng;
    let life = Life::since(rng, since, before).then(rng, Day(-2_000), now);
    let number = works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, life);
    let life = works.lived(Use::LIVING);
    works.stand(site, vec![number], pand.id, life);
    works.serve(site, number, Use::LIVING, pand.year);
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
    let pand = |(status, year)| works.pand_of(site, status, year);
    let panden: Vec<Id> = all.into_iter().map(pand).collect();
    let number = works.ordinary_number(site, Suffix::default());
    let life = works.lived(Use::LIVING);
    works.verblijfsobject(Draft {
        numbers: vec![number],
        shape: Shape::Point(site.at),
        panden,
        life,
    });
    works.serve(site, number, Use::LIVING, Some(1_931));
}

/// A house in one pand of this status and year.
fn house_in(works: &mut Works<'_>, site: Site, pand: (PandStatus, u16), year: Option<u16>) {
    let id = works.pand_of(site, pand.0, pand.1);
    works.dwell(site, Suffix::default(), Stands { id, year });
}

/// A live object whose only pand is gone: no year.
fn fallen_panden(works: &mut Works<'_>, site: Site) {
    house_in(works, site, (PandStatus::Gesloopt, 1_903), None);
}

fn medieval(works: &mut Works<'_>, site: Site) {
    house_in(works, site, (PandStatus::InGebruik, 1_462), Some(1_462));
}

/// Year and surface unknown.
fn unknowns(works: &mut Works<'_>, site: Site) {
    let id = works.pand_of(site, PandStatus::InGebruik, UNKNOWN_YEAR);
    let unmeasured = Use {
        surface_m2: UNKNOWN_SURFACE,
        ..Use::LIVING
    };
    works.dwell_as(
        site,
        Suffix::default(),
        Stands { id, year: None },
        unmeasured,
    );
}

/// Objects with two, three and four gebruiksdoelen.
fn many_purposes(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    for (count, letter) in [(2, 'p'), (3, 'q'), (4, 'r')] {
        let purposes = works.purposes(count);
        let now = Use {
            purposes,
            surface_m2: 5_137,
            ..Use::LIVING
        };
        works.dwell_as(site, Suffix::letter(letter), pand, now);
    }
}

/// The rarer live statuses of a verblijfsobject and of its pand.
fn every_status(works: &mut Works<'_>, site: Site) {
    const RARE: [(Status, PandStatus, char); 4] = [
        (Status::NietIngemeten, PandStatus::NietIngemeten, 'a'),
        (Status::Verbouwing, PandStatus::SloopvergunningVerleend, 'b'),
        (Status::BuitenGebruik, PandStatus::BuitenGebruik, 'c'),
        (Status::Gevormd, PandStatus::BouwvergunningVerleend, 'd'),
    ];
    for (status, pand, letter) in RARE {
        let id = works.pand_of(site, pand, 2_001);
        let stands = Stands {
            id,
            year: Some(2_001),
        };
        works.dwell_as(
            site,
            Suffix::letter(letter),
            stands,
            Use::LIVING.with(status),
        );
    }
}

fn far_number(works: &mut Works<'_>, site: Site) {
    house(
        works,
        Site {
            number: 99_999 - site.number,
            ..site
        },
    );
}

/// A number that exists with a letter only.
fn letter_only(works: &mut Works<'_>, site: Site) {
    home(works, site, Suffix::letter('C'));
}

fn letter_and_addition(works: &mut Works<'_>, site: Site) {
    home(
        works,
        site,
        Suffix {
            letter: Some('b'),
            ..Suffix::addition("1")
        },
    );
}

/// All ways of writing an addition, at one number.
fn additions(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    for addition in [
        "1", "001", "bis", "BIS", "HS", "II", "A", "TM25", "3hg", "B03",
    ] {
        works.dwell(site, Suffix::addition(addition), pand);
    }
}
