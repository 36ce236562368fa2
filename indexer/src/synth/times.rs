//! The odd scenes of dates: changes that are still to come, that come today, and that lasted no day.

use super::calendar::Day;
use super::homes::{Draft, Use};
use super::oddities::LIVING;
use super::record::{
    Life, NummeraanduidingState, ObjectKind, PandStatus, Purposes, Standing, VerblijfsobjectState,
    VerblijfsobjectStatus as Status,
};
use super::shape::Shape;
use super::street::{Number, Site, Suffix, Works};

/// Closed in the future: object, pand and number are withdrawn on a day that is already known.
pub(super) fn ends_later(works: &mut Works<'_>, site: Site) {
    let day = Day(30 + works.rng.between(0, 300));
    let pand = works.pand_of(site, PandStatus::SloopvergunningVerleend, 1_949);
    let (number, since) = (number_until(works, site, day), works.long_ago());
    let state = |status| VerblijfsobjectState {
        status,
        purposes: LIVING.purposes,
        surface_m2: LIVING.surface_m2,
    };
    let life = Life::since(&mut works.rng, since, state(Status::InGebruik)).then(
        &mut works.rng,
        day,
        state(Status::Ingetrokken),
    );
    works.verblijfsobject(Draft {
        numbers: vec![number],
        shape: Shape::Point(site.at),
        panden: vec![pand],
        life,
    });
    works.serve(site, number, LIVING, Some(1_949));
}

fn number_until(works: &mut Works<'_>, site: Site, day: Day) -> Number {
    let state = |standing| NummeraanduidingState {
        postcode: Some(site.postcode),
        standing,
        woonplaats: None,
    };
    let since = works.long_ago();
    let life = Life::since(&mut works.rng, since, state(Standing::Live)).then(
        &mut works.rng,
        day,
        state(Standing::Withdrawn),
    );
    works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, life)
}

/// Another postcode, surface and use from a day in the future on.
pub(super) fn moves_later(works: &mut Works<'_>, site: Site) {
    turns(works, site, Day(20), false);
}

/// A change that takes effect on the stand day itself: the new state is the one that counts.
pub(super) fn turns_today(works: &mut Works<'_>, site: Site) {
    turns(works, site, Day::STAND, true);
}

fn turns(works: &mut Works<'_>, site: Site, day: Day, done: bool) {
    let pand = works.stand_pand(site);
    let [first, second] = [0, 1].map(|step| works.town.postcode(works.plan.first_postcode + step));
    let other = if site.postcode == first {
        second
    } else {
        first
    };
    let before = (
        if done { other } else { site.postcode },
        if done {
            Use {
                surface_m2: 40,
                ..LIVING
            }
        } else {
            LIVING
        },
    );
    let after = (
        if done { site.postcode } else { other },
        if done {
            LIVING
        } else {
            Use {
                purposes: Purposes::KANTOOR,
                ..LIVING
            }
        },
    );
    let state = |postcode| NummeraanduidingState {
        postcode: Some(postcode),
        standing: Standing::Live,
        woonplaats: None,
    };
    let since = works.long_ago();
    let life = Life::since(&mut works.rng, since, state(before.0)).then(
        &mut works.rng,
        day,
        state(after.0),
    );
    let number = works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, life);
    let state = |now: Use| VerblijfsobjectState {
        status: now.status,
        purposes: now.purposes,
        surface_m2: now.surface_m2,
    };
    let life = Life::since(&mut works.rng, since, state(before.1)).then(
        &mut works.rng,
        day,
        state(after.1),
    );
    works.verblijfsobject(Draft {
        numbers: vec![number],
        shape: Shape::Point(site.at),
        panden: vec![pand.id],
        life,
    });
    works.serve(site, number, LIVING, pand.year);
}

/// Voorkomens that begin and end on one day, of every kind of object.
pub(super) fn zero_length(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let day = Day(-777);
    let state = |standing| NummeraanduidingState {
        postcode: Some(site.postcode),
        standing,
        woonplaats: None,
    };
    let life = Life::since(&mut works.rng, Day(-4_444), state(Standing::Live))
        .then(&mut works.rng, day, state(Standing::Withdrawn))
        .then(&mut works.rng, day, state(Standing::Live));
    let number = works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, life);
    let state = |status| VerblijfsobjectState {
        status,
        purposes: LIVING.purposes,
        surface_m2: LIVING.surface_m2,
    };
    let life = Life::since(&mut works.rng, Day(-4_444), state(Status::InGebruik))
        .then(&mut works.rng, day, state(Status::Ingetrokken))
        .then(&mut works.rng, day, state(Status::InGebruik));
    works.verblijfsobject(Draft {
        numbers: vec![number],
        shape: Shape::Point(site.at),
        panden: vec![pand.id],
        life,
    });
    works.serve(site, number, LIVING, pand.year);
}
