//! Builds plots with a ligplaats or standplaats: areas with numbers, but without panden, gebruiksdoelen, surface and year.

use crate::calendar::DayOffset;
use crate::geometry::ObjectGeometry;
use crate::model::{AssignmentStatus, ObjectKind, StateTimeline};
use crate::streets::builder::StreetBuilder;
use crate::streets::draws;
use crate::streets::plot::{NumberSuffix, Plot};

/// Builds a ligplaats whose area has a hole, so that its centroid is not its middle.
pub(crate) fn ligplaats(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let area = ObjectGeometry::SquareWithHole {
        at: plot.location,
        unit: 351,
    };
    let suffixes = [NumberSuffix::NONE];
    add_served(builder, plot, (ObjectKind::Ligplaats, area), suffixes);
}

/// Builds a ligplaats with two numbers.
pub(crate) fn ligplaats_with_nevenadres(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let area = builder.rectangle(plot.location, 12_001, 3_001);
    let suffixes = [NumberSuffix::NONE, NumberSuffix::letter('a')];
    add_served(builder, plot, (ObjectKind::Ligplaats, area), suffixes);
}

/// Builds a standplaats.
pub(crate) fn standplaats(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let area = ObjectGeometry::LShape {
        at: plot.location,
        unit: 1_013,
    };
    let suffixes = [NumberSuffix::NONE];
    add_served(builder, plot, (ObjectKind::Standplaats, area), suffixes);
}

/// Adds a ligplaats or standplaats with one number per suffix. All numbers must be served.
fn add_served<const N: usize>(
    builder: &mut StreetBuilder<'_>,
    plot: Plot,
    (kind, area): (ObjectKind, ObjectGeometry),
    suffixes: [NumberSuffix; N],
) {
    let numbers = suffixes.map(|suffix| {
        let timeline = draws::number_timeline(&mut builder.rng, plot.postcode);
        builder.add_number(plot, suffix, kind, timeline)
    });
    let rng = &mut builder.rng;
    let since = draws::old_begin(rng);
    let assigned = AssignmentStatus::Assigned;
    let timeline =
        StateTimeline::starting(rng, since, assigned).then(rng, DayOffset(-1_000), assigned);
    builder.add_plaats(kind, area, &numbers, timeline);
    for number in numbers {
        builder.expect_served_plaats(plot, number, kind, area.centroid());
    }
}
