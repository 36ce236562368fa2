//! Makes the openbare ruimte of a street.

use crate::calendar::DayOffset;
use crate::model::{
    AssignmentStatus, Identificatie, OpenbareRuimteRecord, OpenbareRuimteState, StateTimeline,
    SynthObjectType,
};
use crate::names::with_room_for_suffix;
use crate::names::words::FORMER;
use crate::plan::{CountryPlan, StreetPlan, StreetRole, TownPlan};
use crate::rng::Rng;

/// Makes only the openbare ruimte of a street, for the pass that writes no other objects.
pub(crate) fn build_openbare_ruimte(
    country: &CountryPlan<'_>,
    plan: &StreetPlan,
) -> OpenbareRuimteRecord {
    let town = &country.towns[plan.town];
    let mut rng = Rng::from_path(&[country.spec.seed, 22, plan.first_number]);
    let id = Identificatie {
        issuer: issuer(town, plan),
        object_type: SynthObjectType::OpenbareRuimte,
        number: plan.first_number,
    };
    let kind = if let StreetRole::Bare(kind) = plan.role {
        kind
    } else {
        "Weg"
    };
    OpenbareRuimteRecord {
        id,
        kind,
        timeline: timeline(&mut rng, town, plan),
    }
}

/// The municipality code in the identificaties of a street. In a town that changed municipality, older streets keep the code of the
/// former municipality.
fn issuer(town: &TownPlan, plan: &StreetPlan) -> u16 {
    town.former
        .filter(|_| plan.index.is_multiple_of(2))
        .map_or(town.municipality, |(code, _)| code)
}

fn timeline(
    rng: &mut Rng,
    town: &TownPlan,
    plan: &StreetPlan,
) -> StateTimeline<OpenbareRuimteState> {
    let state = |name: &str, status| OpenbareRuimteState {
        name: name.to_owned(),
        status,
        woonplaats: town.code,
    };
    let assigned = || state(&plan.name, AssignmentStatus::Assigned);
    let since = DayOffset(rng.between(-14_000, -4_000));
    match (plan.role, plan.index % 12) {
        (StreetRole::Withdrawn, _) => StateTimeline::starting(rng, since, assigned()).then(
            rng,
            DayOffset(-700),
            state(&plan.name, AssignmentStatus::Withdrawn),
        ),
        (StreetRole::Future, _) => StateTimeline::starting(rng, DayOffset(45), assigned()),
        // Some streets were renamed, some will be renamed, and some have a voorkomen of zero length.
        (_, 3) => {
            let former = state(rng.pick(&FORMER), AssignmentStatus::Assigned);
            StateTimeline::starting(rng, since, former).then(rng, DayOffset(-1_500), assigned())
        }
        (_, 7) => {
            let later = format!("{} Zuid", with_room_for_suffix(&plan.name));
            StateTimeline::starting(rng, since, assigned()).then(
                rng,
                DayOffset(60),
                state(&later, AssignmentStatus::Assigned),
            )
        }
        (_, 10) => StateTimeline::starting(rng, since, assigned())
            .then(rng, DayOffset(-900), assigned())
            .then(rng, DayOffset(-900), assigned()),
        _ => match town.predecessor() {
            Some(woonplaats) => {
                let before = OpenbareRuimteState {
                    woonplaats,
                    ..assigned()
                };
                StateTimeline::starting(rng, since, before).then(
                    rng,
                    TownPlan::SUCCESSION,
                    assigned(),
                )
            }
            None => StateTimeline::starting(rng, since, assigned()),
        },
    }
}
