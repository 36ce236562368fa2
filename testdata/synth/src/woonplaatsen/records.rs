//! Makes the woonplaatsen of a delivery.
//!
//! Source: IMBAGLV_Objecten-2.1.0.xsd (v20200601).

use crate::calendar::DayOffset;
use crate::geometry::{ObjectGeometry, RdPoint};
use crate::model::{
    AssignmentStatus, BagRecord, Identificatie, ObjectAttributes, StateTimeline, SynthVoorkomen,
    VoorkomenMark, WoonplaatsAttributes,
};
use crate::plan::{CountryPlan, TownPlan};
use crate::rng::Rng;

/// A woonplaats. Its area is an octagon; some woonplaatsen have a second part.
pub(crate) struct WoonplaatsRecord {
    code: u16,
    parts: Vec<Vec<RdPoint>>,
    timeline: StateTimeline<(String, AssignmentStatus)>,
}

/// All woonplaatsen, each right after the woonplaats that it replaced.
pub(crate) fn woonplaatsen(country: &CountryPlan<'_>) -> impl Iterator<Item = WoonplaatsRecord> {
    country.towns.iter().flat_map(move |town| {
        predecessor(country, town)
            .into_iter()
            .chain([woonplaats(country, town)])
    })
}

fn woonplaats(country: &CountryPlan<'_>, town: &TownPlan) -> WoonplaatsRecord {
    let mut rng = Rng::from_path(&[country.spec.seed, 31, town.index as u64]);
    let now = || (town.name.clone(), AssignmentStatus::Assigned);
    let since = if town.predecessor().is_some() {
        TownPlan::SUCCESSION
    } else {
        DayOffset(-6_600)
    };
    let timeline = StateTimeline::starting(&mut rng, since, now());
    let timeline = match town.index % 7 {
        // Of every seven woonplaatsen, one will be renamed, one has changed its area, and one has a voorkomen of zero length.
        1 => timeline.then(
            &mut rng,
            DayOffset(90),
            (format!("Nieuw {}", town.name), AssignmentStatus::Assigned),
        ),
        2 => timeline.then(&mut rng, DayOffset(-2_000), now()),
        3 => timeline.then(&mut rng, since, now()),
        _ => timeline,
    };
    WoonplaatsRecord {
        code: town.code,
        parts: parts(town),
        timeline,
    }
}

fn predecessor(country: &CountryPlan<'_>, town: &TownPlan) -> Option<WoonplaatsRecord> {
    let code = town.predecessor()?;
    let mut rng = Rng::from_path(&[country.spec.seed, 32, town.index as u64]);
    let state = |status| (town.name.clone(), status);
    let timeline = StateTimeline::starting(
        &mut rng,
        DayOffset(-6_900),
        state(AssignmentStatus::Assigned),
    )
    .then(
        &mut rng,
        TownPlan::SUCCESSION,
        state(AssignmentStatus::Withdrawn),
    );
    Some(WoonplaatsRecord {
        code,
        parts: parts(town).into_iter().take(1).collect(),
        timeline,
    })
}

fn parts(town: &TownPlan) -> Vec<Vec<RdPoint>> {
    let (half, at) = (town.half_extent(), town.centre);
    let corners = [
        (2, -1),
        (2, 1),
        (1, 2),
        (-1, 2),
        (-2, 1),
        (-2, -1),
        (-1, -2),
        (1, -2),
        (2, -1),
    ];
    let mut parts = vec![
        corners
            .iter()
            .map(|&(x, y)| at.plus(x * half.x, y * half.y))
            .collect(),
    ];
    if town.index % 5 == 1 {
        let (u, v) = (RdPoint { x: 100_001, y: 0 }, RdPoint { x: 0, y: 80_003 });
        parts.extend(
            ObjectGeometry::Parallelogram {
                at: at.plus(3 * half.x, 0),
                u,
                v,
            }
            .rings(),
        );
    }
    parts
}

impl BagRecord for WoonplaatsRecord {
    fn id(&self) -> Identificatie {
        Identificatie::from_woonplaats_code(self.code)
    }

    fn voorkomens(&self) -> usize {
        self.timeline.len()
    }

    fn voorkomen(&self, index: usize, mark: VoorkomenMark) -> SynthVoorkomen {
        let number = u64::from(self.code);
        SynthVoorkomen::from_timeline(&self.timeline, number, (index, mark), |(name, status)| {
            ObjectAttributes::Woonplaats(WoonplaatsAttributes {
                name: name.clone(),
                status: *status,
                parts: self.parts.clone(),
            })
        })
    }
}
