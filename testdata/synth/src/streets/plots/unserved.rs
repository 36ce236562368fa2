//! Builds plots whose objects are not served: withdrawn, not built, not yet begun, ended, or without a postcode.

use crate::calendar::DayOffset;
use crate::model::{
    AssignmentStatus, GebruiksdoelSet, NummeraanduidingState, ObjectKind, PandState, PandStatus,
    StateTimeline, VerblijfsobjectState, VerblijfsobjectStatus as Status,
};
use crate::streets::builder::StreetBuilder;
use crate::streets::plot::{BuiltNumber, NumberSuffix, Plot};

/// A timeline of two voorkomens; the second begins on `day`.
fn changed_on<S>(
    builder: &mut StreetBuilder<'_>,
    day: DayOffset,
    before: S,
    after: S,
) -> StateTimeline<S> {
    let rng = &mut builder.rng;
    StateTimeline::starting(rng, DayOffset(-9_000), before).then(rng, day, after)
}

/// The timeline of a number that is withdrawn on this day.
fn withdrawn(
    builder: &mut StreetBuilder<'_>,
    plot: Plot,
    day: DayOffset,
) -> StateTimeline<NummeraanduidingState> {
    let assigned = NummeraanduidingState::assigned(plot.postcode);
    changed_on(builder, day, assigned, assigned.withdrawn())
}

/// Adds a number for a verblijfsobject, without a suffix.
fn add_number(
    builder: &mut StreetBuilder<'_>,
    plot: Plot,
    timeline: StateTimeline<NummeraanduidingState>,
) -> BuiltNumber {
    let kind = ObjectKind::Verblijfsobject;
    builder.add_number(plot, NumberSuffix::NONE, kind, timeline)
}

/// Builds a transformer hut, which is live and has a number without a postcode.
pub(crate) fn without_postcode(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = builder.add_existing_pand(plot);
    let state = NummeraanduidingState {
        postcode: None,
        ..NummeraanduidingState::assigned(plot.postcode)
    };
    let timeline = StateTimeline::starting(&mut builder.rng, DayOffset(-3_000), state);
    let number = add_number(builder, plot, timeline);
    let hut = VerblijfsobjectState {
        purposes: GebruiksdoelSet::OVERIG,
        surface_m2: 8,
        ..VerblijfsobjectState::DWELLING
    };
    builder.add_usual_verblijfsobject(plot, vec![number], pand.id, hut);
    builder.street.without_postcode += 1;
}

/// Builds a live object whose hoofdadres is withdrawn.
pub(crate) fn hoofdadres_withdrawn(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = builder.add_existing_pand(plot);
    let timeline = withdrawn(builder, plot, DayOffset(-300));
    let number = add_number(builder, plot, timeline);
    let state = VerblijfsobjectState::DWELLING;
    builder.add_usual_verblijfsobject(plot, vec![number], pand.id, state);
    builder.street.withdrawn += 1;
}

/// Builds a number and an object that are withdrawn, in a pand that is demolished.
pub(crate) fn demolished(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = [PandStatus::InGebruik, PandStatus::Gesloopt];
    let object = [Status::InGebruik, Status::Ingetrokken];
    ended_with_pand(builder, plot, pand, object);
}

/// Builds a number, an object and a pand that were planned but not built.
pub(crate) fn never_built(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = [
        PandStatus::BouwvergunningVerleend,
        PandStatus::NietGerealiseerd,
    ];
    let object = [Status::Gevormd, Status::NietGerealiseerd];
    ended_with_pand(builder, plot, pand, object);
}

fn ended_with_pand(
    builder: &mut StreetBuilder<'_>,
    plot: Plot,
    pand: [PandStatus; 2],
    object: [Status; 2],
) {
    const END: DayOffset = DayOffset(-700);
    let [before, after] = pand.map(|status| PandState {
        status,
        year: 1_921,
    });
    let timeline = changed_on(builder, END, before, after);
    let pand = builder.add_pand(builder.rectangle(plot.location, 4_000, 3_000), timeline);
    let timeline = withdrawn(builder, plot, END);
    let number = add_number(builder, plot, timeline);
    let [before, after] = object.map(|status| VerblijfsobjectState::DWELLING.with_status(status));
    let timeline = changed_on(builder, END, before, after);
    builder.add_verblijfsobject_at(plot, vec![number], pand, timeline);
}

/// Builds two live numbers whose objects are not live: one object is withdrawn, one was recorded in error.
pub(crate) fn objects_withdrawn(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = builder.add_existing_pand(plot);
    for (status, letter) in [(Status::Ingetrokken, 'x'), (Status::TenOnrechte, 'y')] {
        let number = builder.add_usual_number(plot, NumberSuffix::letter(letter));
        let before = VerblijfsobjectState::DWELLING;
        let timeline = changed_on(builder, DayOffset(-120), before, before.with_status(status));
        builder.add_verblijfsobject_at(plot, vec![number], pand.id, timeline);
    }
}

/// Builds a number, an object and a pand that begin after the stand day.
pub(crate) fn begins_later(builder: &mut StreetBuilder<'_>, plot: Plot) {
    const BEGIN: DayOffset = DayOffset(50);
    let permitted = PandState {
        status: PandStatus::BouwvergunningVerleend,
        year: 2_030,
    };
    let timeline = StateTimeline::starting(&mut builder.rng, BEGIN, permitted);
    let pand = builder.add_pand(builder.rectangle(plot.location, 4_500, 4_500), timeline);
    let assigned = NummeraanduidingState::assigned(plot.postcode);
    let timeline = StateTimeline::starting(&mut builder.rng, BEGIN, assigned);
    let number = add_number(builder, plot, timeline);
    let planned = VerblijfsobjectState::DWELLING.with_status(Status::Gevormd);
    let timeline = StateTimeline::starting(&mut builder.rng, BEGIN, planned);
    builder.add_verblijfsobject_at(plot, vec![number], pand, timeline);
}

/// Builds a number and an object that have ended. The last voorkomen of the number ends before the stand day, and the last voorkomen of
/// the object on the stand day.
pub(crate) fn ended(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = builder.add_existing_pand(plot);
    let assigned = NummeraanduidingState::assigned(plot.postcode);
    let since = DayOffset(-6_000);
    let rng = &mut builder.rng;
    let timeline = StateTimeline::starting(rng, since, assigned).close_on(rng, DayOffset(-40));
    let object = StateTimeline::starting(rng, since, VerblijfsobjectState::DWELLING)
        .close_on(rng, DayOffset::STAND);
    let number = add_number(builder, plot, timeline);
    builder.add_verblijfsobject_at(plot, vec![number], pand.id, object);
}

/// Builds a live object with a live hoofdadres, which must be served, and a withdrawn nevenadres, which must not be served.
pub(crate) fn nevenadres_withdrawn(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = builder.add_existing_pand(plot);
    let main = builder.add_usual_number(plot, NumberSuffix::NONE);
    let timeline = withdrawn(builder, plot, DayOffset(-200));
    let suffix = NumberSuffix::letter('z');
    let side = builder.add_number(plot, suffix, ObjectKind::Verblijfsobject, timeline);
    let state = VerblijfsobjectState::DWELLING;
    builder.add_usual_verblijfsobject(plot, vec![main, side], pand.id, state);
    builder.expect_served(plot, main, state, pand.year);
    builder.street.withdrawn += 1;
}

/// Builds a withdrawn ligplaats and a withdrawn standplaats.
pub(crate) fn places_withdrawn(builder: &mut StreetBuilder<'_>, plot: Plot) {
    const END: DayOffset = DayOffset(-333);
    for (kind, letter) in [(ObjectKind::Ligplaats, 'v'), (ObjectKind::Standplaats, 'w')] {
        let timeline = withdrawn(builder, plot, END);
        let number = builder.add_number(plot, NumberSuffix::letter(letter), kind, timeline);
        let timeline = changed_on(
            builder,
            END,
            AssignmentStatus::Assigned,
            AssignmentStatus::Withdrawn,
        );
        let area = builder.rectangle(plot.location, 7_000, 2_000);
        builder.add_plaats(kind, area, &[number], timeline);
    }
}
