//! Changes of verblijfsobjecten and panden.

use super::{Follow, Scene, of_number, of_object, of_pand};
use crate::synth::facts::Facts;
use crate::synth::record::{
    Id, Kind, PandStatus, Purposes, Standing, VerblijfsobjectStatus as Status,
};
use crate::synth::shape::Shape;

pub(super) fn surface(scene: &mut Scene<'_>) -> bool {
    let more = u32::try_from(1 + scene.rng.below(40)).expect("a draw is small");
    scene.object().is_some_and(|id| {
        scene.succeed(
            id,
            of_object(|facts| facts.usage.surface_m2 = (facts.usage.surface_m2 + more) % 9_000 + 1),
        )
    })
}

pub(super) fn purposes(scene: &mut Scene<'_>) -> bool {
    let bit = 1_u16 << scene.rng.below(11);
    scene.object().is_some_and(|id| {
        scene.succeed(
            id,
            of_object(|facts| {
                let set = facts.usage.purposes.0 ^ bit;
                facts.usage.purposes = if set == 0 {
                    Purposes::OVERIG
                } else {
                    Purposes(set)
                };
            }),
        )
    })
}

/// Rebuilt today, in use again on a later day.
pub(super) fn rebuilt(scene: &mut Scene<'_>) -> bool {
    let Some(home) = scene.home() else {
        return false;
    };
    scene.keep(&[home.object], Follow::Reopen(home.object));
    scene.succeed(
        home.object,
        of_object(|facts| facts.usage.status = Status::Verbouwing),
    )
}

pub(super) fn reopened(scene: &mut Scene<'_>, id: Id) -> bool {
    scene.succeed(
        id,
        of_object(|facts| facts.usage.status = Status::InGebruik),
    )
}

/// A verblijfsobject measured elsewhere, a pand with it.
pub(super) fn moved(scene: &mut Scene<'_>) -> bool {
    let step = i64::from(scene.rng.between(-1_500, 1_500));
    scene.object().is_some_and(|id| {
        scene.succeed(
            id,
            of_object(|facts| facts.shape = Shape::Point(facts.shape.centroid().plus(step, 701))),
        )
    })
}

/// A verblijfsobject reaches into another pand, or no longer does.
pub(super) fn other_panden(scene: &mut Scene<'_>) -> bool {
    let today = scene.today();
    let pand = scene.any(Kind::Pand, |_, object| {
        matches!(object.current(today), Some(Facts::Pand(facts)) if facts.state.status.stands())
    });
    let (Some(pand), Some(id)) = (pand, scene.object()) else {
        return false;
    };
    scene.succeed(
        id,
        of_object(|facts| {
            if facts.panden.contains(&pand) && facts.panden.len() > 1 {
                facts.panden.retain(|&other| other != pand);
            } else if facts.panden.contains(&pand) {
                facts.usage.surface_m2 += 1;
            } else if facts.panden.len() > 2 {
                facts.panden = vec![pand];
            } else {
                facts.panden.push(pand);
                facts.panden.sort_unstable();
            }
        }),
    )
}

/// The object and then its number.
pub(super) fn withdrawn(scene: &mut Scene<'_>) -> bool {
    let Some(home) = scene.home() else {
        return false;
    };
    scene.succeed(
        home.object,
        of_object(|facts| facts.usage.status = Status::Ingetrokken),
    ) && scene.succeed(
        home.number,
        of_number(|facts| facts.state.standing = Standing::Withdrawn),
    )
}

pub(super) fn year(scene: &mut Scene<'_>) -> bool {
    let today = scene.today();
    let pand = scene.any(Kind::Pand, |_, object| object.current(today).is_some());
    let stand = scene.country.calendar.year();
    pand.is_some_and(|id| {
        scene.succeed(
            id,
            of_pand(|facts| {
                let known = facts.state.year < stand;
                facts.state.year = if known { facts.state.year + 1 } else { 1_950 };
            }),
        )
    })
}

/// The pand falls; the object in it is withdrawn only some other day.
pub(super) fn demolished(scene: &mut Scene<'_>) -> bool {
    let Some(home) = scene.home() else {
        return false;
    };
    scene.succeed(
        home.pand,
        of_pand(|facts| facts.state.status = PandStatus::Gesloopt),
    )
}
