//! Builds plots on which a number has several objects or an object has several numbers.

use crate::model::{GebruiksdoelSet, VerblijfsobjectState, VerblijfsobjectStatus as Status};
use crate::streets::builder::StreetBuilder;
use crate::streets::plot::{BuiltNumber, NumberSuffix, Plot};

/// Builds objects with a hoofdadres and one or three nevenadressen. All of them are served, with the object's location, surface and
/// gebruiksdoel.
pub(crate) fn nevenadressen(builder: &mut StreetBuilder<'_>, plot: Plot) {
    for letters in ["a", "bcd"] {
        let pand = builder.add_existing_pand(plot);
        let main = if letters == "a" {
            NumberSuffix::NONE
        } else {
            NumberSuffix::addition("0")
        };
        let others = letters.chars().map(NumberSuffix::letter);
        let suffixes = [main].into_iter().chain(others);
        let numbers: Vec<BuiltNumber> = suffixes
            .map(|suffix| builder.add_usual_number(plot, suffix))
            .collect();
        let state = VerblijfsobjectState::DWELLING;
        builder.add_usual_verblijfsobject(plot, numbers.clone(), pand.id, state);
        for number in numbers {
            builder.expect_served(plot, number, state, pand.year);
        }
    }
}

/// Builds two objects with the same hoofdadres, some metres apart. The object at index `served` must be served.
fn two_objects(
    builder: &mut StreetBuilder<'_>,
    plot: Plot,
    states: [VerblijfsobjectState; 2],
    served: usize,
) {
    let pand = builder.add_existing_pand(plot);
    let number = builder.add_usual_number(plot, NumberSuffix::NONE);
    let beside = Plot {
        location: plot.location.plus(1_500, 700),
        ..plot
    };
    let plots = [plot, beside];
    for (plot, state) in plots.into_iter().zip(states) {
        builder.add_usual_verblijfsobject(plot, vec![number], pand.id, state);
    }
    builder.expect_served(plots[served], number, states[served], pand.year);
}

/// Builds two objects with one number. The object in use is served, not the planned one.
pub(crate) fn in_use_before_planned(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let office = VerblijfsobjectState {
        purposes: GebruiksdoelSet::KANTOOR,
        ..VerblijfsobjectState::DWELLING
    };
    let planned = VerblijfsobjectState {
        surface_m2: 61,
        ..VerblijfsobjectState::DWELLING.with_status(Status::Gevormd)
    };
    two_objects(builder, plot, [planned, office], 1);
}

/// Builds two objects in use with one number. The object with a woonfunctie is served.
pub(crate) fn dwelling_before_other(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let shed = VerblijfsobjectState {
        purposes: GebruiksdoelSet::OVERIG,
        surface_m2: 12,
        ..VerblijfsobjectState::DWELLING
    };
    two_objects(builder, plot, [shed, VerblijfsobjectState::DWELLING], 1);
}

/// Builds two dwellings in use with one number. The dwelling with the lowest identificatie is served.
pub(crate) fn lowest_id_first(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let second = VerblijfsobjectState {
        surface_m2: 33,
        ..VerblijfsobjectState::DWELLING
    };
    two_objects(builder, plot, [VerblijfsobjectState::DWELLING, second], 0);
}

/// Builds two numbers with the same text: one of an object in use, one of a planned object.
pub(crate) fn equal_addresses(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = builder.add_existing_pand(plot);
    for status in [Status::InGebruik, Status::Gevormd] {
        let state = VerblijfsobjectState::DWELLING.with_status(status);
        builder.add_home_with_state(plot, NumberSuffix::NONE, pand, state);
    }
}
