//! Builds plots with unusual dates: changes in the future, changes on the stand day, and voorkomens of zero length.

use crate::calendar::DayOffset;
use crate::model::{
    GebruiksdoelSet, NummeraanduidingState, ObjectKind, PandStatus, StateTimeline, SynthPostcode,
    VerblijfsobjectState, VerblijfsobjectStatus as Status,
};
use crate::streets::builder::StreetBuilder;
use crate::streets::draws::old_begin;
use crate::streets::plot::{NumberSuffix, Plot};

/// The states of a number and of its object in the same period.
type StatePair = (NummeraanduidingState, VerblijfsobjectState);

fn dwelling(postcode: SynthPostcode) -> StatePair {
    (
        NummeraanduidingState::assigned(postcode),
        VerblijfsobjectState::DWELLING,
    )
}

fn withdrawn(before: StatePair) -> StatePair {
    (
        before.0.withdrawn(),
        before.1.with_status(Status::Ingetrokken),
    )
}

/// Adds a number and an object whose withdrawal, on a later day, is already registered.
pub(crate) fn ends_later(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let day = DayOffset(30 + builder.rng.between(0, 300));
    let now = dwelling(plot.postcode);
    add_changed_on(builder, plot, day, [now, withdrawn(now)]);
}

/// Adds an address whose postcode and gebruiksdoel change on a day in the future.
pub(crate) fn changes_later(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let office = VerblijfsobjectState {
        purposes: GebruiksdoelSet::KANTOOR,
        ..VerblijfsobjectState::DWELLING
    };
    let later = NummeraanduidingState::assigned(other_postcode(builder, plot));
    let states = [dwelling(plot.postcode), (later, office)];
    add_changed_on(builder, plot, DayOffset(20), states);
}

/// Adds an address that changes on the stand day. The new state must be served.
pub(crate) fn changes_today(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let smaller = VerblijfsobjectState {
        surface_m2: 40,
        ..VerblijfsobjectState::DWELLING
    };
    let before = NummeraanduidingState::assigned(other_postcode(builder, plot));
    let states = [(before, smaller), dwelling(plot.postcode)];
    add_changed_on(builder, plot, DayOffset::STAND, states);
}

/// Adds a number and an object with a voorkomen that begins and ends on the same day.
pub(crate) fn zero_length(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let now = dwelling(plot.postcode);
    let gone = withdrawn(now);
    let (since, day) = (DayOffset(-4_444), DayOffset(-777));
    let rng = &mut builder.rng;
    let number = StateTimeline::starting(rng, since, now.0)
        .then(rng, day, gone.0)
        .then(rng, day, now.0);
    let object = StateTimeline::starting(rng, since, now.1)
        .then(rng, day, gone.1)
        .then(rng, day, now.1);
    add_dwelling(builder, plot, number, object);
}

/// Adds a number and an object that change on the same day.
fn add_changed_on(
    builder: &mut StreetBuilder<'_>,
    plot: Plot,
    day: DayOffset,
    [before, after]: [StatePair; 2],
) {
    let rng = &mut builder.rng;
    let since = old_begin(rng);
    let number = StateTimeline::starting(rng, since, before.0).then(rng, day, after.0);
    let object = StateTimeline::starting(rng, since, before.1).then(rng, day, after.1);
    add_dwelling(builder, plot, number, object);
}

/// Adds a number and an object with these timelines, which must be served as a dwelling in use.
fn add_dwelling(
    builder: &mut StreetBuilder<'_>,
    plot: Plot,
    number: StateTimeline<NummeraanduidingState>,
    object: StateTimeline<VerblijfsobjectState>,
) {
    let pand = builder.add_pand_with_status(plot, PandStatus::InGebruik, 1_949);
    let kind = ObjectKind::Verblijfsobject;
    let number = builder.add_number(plot, NumberSuffix::NONE, kind, number);
    builder.add_verblijfsobject_at(plot, vec![number], pand, object);
    builder.expect_served(plot, number, VerblijfsobjectState::DWELLING, Some(1_949));
}

/// A postcode of this street, or else of the next street, that differs from the plot's postcode.
fn other_postcode(builder: &StreetBuilder<'_>, plot: Plot) -> SynthPostcode {
    let [first, second] =
        [0, 1].map(|step| builder.town.postcode(builder.plan.first_postcode + step));
    if plot.postcode == first {
        second
    } else {
        first
    }
}
