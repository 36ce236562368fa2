//! Draws the usual states of objects and their timelines at random.

use crate::calendar::DayOffset;
use crate::model::{
    GebruiksdoelSet, NummeraanduidingState, PandState, PandStatus, StateTimeline, SynthPostcode,
    VerblijfsobjectState, VerblijfsobjectStatus as Status,
};
use crate::rng::Rng;

/// Draws the day on which an old object begins.
pub(crate) fn old_begin(rng: &mut Rng) -> DayOffset {
    DayOffset(rng.between(-14_000, -2_500))
}

/// Draws the usual timeline of a nummeraanduiding that has this postcode on the stand day.
pub(crate) fn number_timeline(
    rng: &mut Rng,
    postcode: SynthPostcode,
) -> StateTimeline<NummeraanduidingState> {
    let (since, now) = (old_begin(rng), NummeraanduidingState::assigned(postcode));
    let before = NummeraanduidingState {
        postcode: None,
        ..now
    };
    match rng.below(100) {
        0..78 => StateTimeline::starting(rng, since, now),
        78..95 => {
            StateTimeline::starting(rng, since, before).then(rng, DayOffset(since.0 + 40), now)
        }
        _ => StateTimeline::starting(rng, since, now)
            .then(rng, since, now)
            .then(rng, DayOffset(-400), now),
    }
}

/// Draws the state of a live verblijfsobject, usually a dwelling in use.
pub(crate) fn verblijfsobject_state(rng: &mut Rng) -> VerblijfsobjectState {
    let status = match rng.below(1_000) {
        0..915 => Status::InGebruik,
        915..980 => Status::Gevormd,
        980..988 => Status::NietIngemeten,
        988..996 => Status::Verbouwing,
        _ => Status::BuitenGebruik,
    };
    let purposes = match rng.below(100) {
        0..87 => GebruiksdoelSet::WOON,
        87..95 => gebruiksdoelen(rng, 1),
        _ => {
            let count = rng.pick(&[2, 3, 4]);
            gebruiksdoelen(rng, count)
        }
    };
    let surface_m2 = 20 + u32::try_from(rng.below(180)).expect("a draw is small");
    VerblijfsobjectState {
        status,
        purposes,
        surface_m2,
    }
}

/// Draws a set of this many gebruiksdoelen.
pub(crate) fn gebruiksdoelen(rng: &mut Rng, count: usize) -> GebruiksdoelSet {
    let mut set = 0_u16;
    while GebruiksdoelSet(set).names().count() < count {
        set |= 1 << rng.below(11);
    }
    GebruiksdoelSet(set)
}

/// Draws a year of construction, usually in the hundred years before the stand day.
pub(crate) fn construction_year(rng: &mut Rng, stand: u16) -> u16 {
    let age = match rng.below(100) {
        0..80 => rng.below(75),
        80..97 => rng.below(140),
        _ => rng.below(400),
    };
    u16::try_from(u64::from(stand) - age).expect("a year has four digits")
}

/// Draws the status of a pand that exists or is planned, usually in use.
pub(crate) fn pand_status(rng: &mut Rng) -> PandStatus {
    match rng.below(100) {
        0..90 => PandStatus::InGebruik,
        90..93 => PandStatus::NietIngemeten,
        93..95 => PandStatus::Verbouwing,
        95..97 => PandStatus::BouwGestart,
        97..98 => PandStatus::BouwvergunningVerleend,
        98..99 => PandStatus::SloopvergunningVerleend,
        _ => PandStatus::BuitenGebruik,
    }
}

/// Draws the usual timeline, of one to five voorkomens, of a pand that has this state on the stand day.
pub(crate) fn pand_timeline(rng: &mut Rng, now: PandState) -> StateTimeline<PandState> {
    let since = old_begin(rng);
    let with_status = |status| PandState { status, ..now };
    let estimated = PandState {
        year: now.year - 1,
        ..with_status(PandStatus::InGebruik)
    };
    let mut fork = rng.fork();
    let timeline = match rng.below(100) {
        0..62 => StateTimeline::starting(rng, since, now),
        62..85 => StateTimeline::starting(rng, since, estimated).then(rng, DayOffset(-1_200), now),
        85..88 => StateTimeline::starting(rng, since, estimated).then(rng, since, now),
        _ => {
            let permitted = with_status(PandStatus::BouwvergunningVerleend);
            StateTimeline::starting(rng, since, permitted)
                .then(
                    rng,
                    DayOffset(since.0 + 200),
                    with_status(PandStatus::BouwGestart),
                )
                .then(
                    rng,
                    DayOffset(since.0 + 620),
                    with_status(PandStatus::InGebruik),
                )
                .then(rng, DayOffset(-800), now)
        }
    };
    measured_again(timeline, &mut fork, 165, now)
}

/// Draws the usual timeline of a verblijfsobject that has this state on the stand day.
pub(crate) fn verblijfsobject_timeline(
    rng: &mut Rng,
    now: VerblijfsobjectState,
) -> StateTimeline<VerblijfsobjectState> {
    let since = old_begin(rng);
    let planned = now.with_status(Status::Gevormd);
    let smaller = VerblijfsobjectState {
        surface_m2: now.surface_m2 / 2 + 3,
        ..now.with_status(Status::InGebruik)
    };
    let mut fork = rng.fork();
    let timeline = match rng.below(100) {
        0..50 => StateTimeline::starting(rng, since, now),
        50..78 => {
            StateTimeline::starting(rng, since, planned).then(rng, DayOffset(since.0 + 420), now)
        }
        78..81 => StateTimeline::starting(rng, since, smaller).then(rng, since, now),
        _ => StateTimeline::starting(rng, since, planned)
            .then(rng, DayOffset(since.0 + 420), smaller)
            .then(rng, DayOffset(-600), now),
    };
    measured_again(timeline, &mut fork, 390, now)
}

/// Adds a voorkomen with the same state to `per_mille` of a thousand timelines, as if a location or an outline had been measured
/// again. With these voorkomens, a verblijfsobject has 2.09 voorkomens on average and a pand 1.78. Source: counts in the extract of
/// Weesp of 15-09-2021.
pub(crate) fn measured_again<S>(
    timeline: StateTimeline<S>,
    rng: &mut Rng,
    per_mille: u64,
    state: S,
) -> StateTimeline<S> {
    if rng.chance(per_mille) {
        let day = DayOffset(rng.between(-500, -60));
        timeline.then(rng, day, state)
    } else {
        timeline
    }
}
