//! Builds plots with a situation that is rare and that a service is likely to handle wrongly. A town of a few thousand addresses
//! has all of these plots.

use super::ordinary::{house, house_with_suffix};
use super::{dates, plaatsen, shared, unserved};
use crate::calendar::DayOffset;
use crate::geometry::ObjectGeometry;
use crate::model::{
    Identificatie, NummeraanduidingState, ObjectKind, PandState, PandStatus, StateTimeline,
    VerblijfsobjectState, VerblijfsobjectStatus as Status,
};
use crate::streets::builder::StreetBuilder;
use crate::streets::draws;
use crate::streets::plot::{BuiltPand, NumberSuffix, Plot, VerblijfsobjectDraft};

/// The maximum number of addresses that a special plot serves, and the function that builds the plot.
type SpecialPlot = (u64, fn(&mut StreetBuilder<'_>, Plot));

/// All special plots; streets use them in turn.
pub(crate) const SPECIAL_PLOTS: [SpecialPlot; 33] = [
    (6, shared::nevenadressen),
    (1, shared::in_use_before_planned),
    (1, shared::dwelling_before_other),
    (1, shared::lowest_id_first),
    (2, shared::equal_addresses),
    (1, plaatsen::ligplaats),
    (2, plaatsen::ligplaats_with_nevenadres),
    (1, plaatsen::standplaats),
    (2, areas),
    (1, own_woonplaats),
    (1, several_panden),
    (1, pand_demolished),
    (1, unknown_year_and_surface),
    (1, medieval),
    (3, several_gebruiksdoelen),
    (4, rare_statuses),
    (1, dates::ends_later),
    (1, dates::changes_later),
    (1, dates::changes_today),
    (1, dates::zero_length),
    (1, high_number),
    (1, letter_only),
    (1, letter_and_addition),
    (10, additions),
    (0, unserved::without_postcode),
    (0, unserved::hoofdadres_withdrawn),
    (0, unserved::demolished),
    (0, unserved::never_built),
    (0, unserved::objects_withdrawn),
    (0, unserved::begins_later),
    (0, unserved::ended),
    (1, unserved::nevenadres_withdrawn),
    (0, unserved::places_withdrawn),
];

/// Builds verblijfsobjecten with an area instead of a point.
fn areas(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = builder.add_existing_pand(plot);
    let l_shape = ObjectGeometry::LShape {
        at: plot.location,
        unit: 603,
    };
    let rectangle = builder.rectangle(plot.location, 3_001, 4_003);
    for (geometry, letter) in [(l_shape, 'k'), (rectangle, 'l')] {
        let number = builder.add_usual_number(plot, NumberSuffix::letter(letter));
        let state = VerblijfsobjectState::DWELLING;
        let timeline = draws::verblijfsobject_timeline(&mut builder.rng, state);
        builder.add_verblijfsobject(VerblijfsobjectDraft {
            numbers: vec![number],
            geometry,
            panden: vec![pand.id],
            timeline,
        });
        builder.expect_served(plot, number, state, pand.year);
    }
}

/// Builds a number in another woonplaats than its street.
fn own_woonplaats(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let neighbour = builder.country.neighbour(builder.plan.town);
    let (woonplaats, town) = (Some(neighbour.code), neighbour.index);
    let pand = builder.add_existing_pand(plot);
    let before = NummeraanduidingState::assigned(plot.postcode);
    let now = NummeraanduidingState {
        woonplaats,
        ..before
    };
    let rng = &mut builder.rng;
    let since = draws::old_begin(rng);
    let timeline = StateTimeline::starting(rng, since, before).then(rng, DayOffset(-2_000), now);
    let kind = ObjectKind::Verblijfsobject;
    let number = builder.add_number(plot, NumberSuffix::NONE, kind, timeline);
    let state = VerblijfsobjectState::DWELLING;
    builder.add_usual_verblijfsobject(plot, vec![number], pand.id, state);
    builder.expect_served(plot, number, state, pand.year);
    if let Some(served) = builder.street.served.last_mut() {
        served.town = town;
    }
}

/// Builds one object in several panden. The oldest existing pand determines the year.
fn several_panden(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let all = [
        (PandStatus::Gesloopt, 1_875),
        (PandStatus::InGebruik, 1_958),
        (PandStatus::Verbouwing, 1_931),
        (PandStatus::NietGerealiseerd, 1_911),
        (PandStatus::TenOnrechte, 1_899),
        (PandStatus::InGebruik, PandState::UNKNOWN_YEAR),
    ];
    let pand = |(status, year)| builder.add_pand_with_status(plot, status, year);
    let panden: Vec<Identificatie> = all.into_iter().map(pand).collect();
    let number = builder.add_usual_number(plot, NumberSuffix::NONE);
    let state = VerblijfsobjectState::DWELLING;
    let timeline = draws::verblijfsobject_timeline(&mut builder.rng, state);
    builder.add_verblijfsobject(VerblijfsobjectDraft {
        numbers: vec![number],
        geometry: ObjectGeometry::Point(plot.location),
        panden,
        timeline,
    });
    builder.expect_served(plot, number, state, Some(1_931));
}

/// Builds a house in one pand with this status and year.
fn house_in(
    builder: &mut StreetBuilder<'_>,
    plot: Plot,
    pand: (PandStatus, u16),
    year: Option<u16>,
) {
    let id = builder.add_pand_with_status(plot, pand.0, pand.1);
    builder.add_home(plot, NumberSuffix::NONE, BuiltPand { id, year });
}

/// Builds a live object whose only pand is demolished, so its address has no year.
fn pand_demolished(builder: &mut StreetBuilder<'_>, plot: Plot) {
    house_in(builder, plot, (PandStatus::Gesloopt, 1_903), None);
}

fn medieval(builder: &mut StreetBuilder<'_>, plot: Plot) {
    house_in(builder, plot, (PandStatus::InGebruik, 1_462), Some(1_462));
}

fn unknown_year_and_surface(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let status = PandStatus::InGebruik;
    let id = builder.add_pand_with_status(plot, status, PandState::UNKNOWN_YEAR);
    let state = VerblijfsobjectState {
        surface_m2: VerblijfsobjectState::UNKNOWN_SURFACE_M2,
        ..VerblijfsobjectState::DWELLING
    };
    let pand = BuiltPand { id, year: None };
    builder.add_home_with_state(plot, NumberSuffix::NONE, pand, state);
}

/// Builds objects with two, three and four gebruiksdoelen.
fn several_gebruiksdoelen(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = builder.add_existing_pand(plot);
    for (count, letter) in [(2, 'p'), (3, 'q'), (4, 'r')] {
        let state = VerblijfsobjectState {
            purposes: draws::gebruiksdoelen(&mut builder.rng, count),
            surface_m2: 5_137,
            ..VerblijfsobjectState::DWELLING
        };
        builder.add_home_with_state(plot, NumberSuffix::letter(letter), pand, state);
    }
}

/// Builds verblijfsobjecten and panden with the less frequent live statuses.
fn rare_statuses(builder: &mut StreetBuilder<'_>, plot: Plot) {
    const RARE: [(Status, PandStatus, char); 4] = [
        (Status::NietIngemeten, PandStatus::NietIngemeten, 'a'),
        (Status::Verbouwing, PandStatus::SloopvergunningVerleend, 'b'),
        (Status::BuitenGebruik, PandStatus::BuitenGebruik, 'c'),
        (Status::Gevormd, PandStatus::BouwvergunningVerleend, 'd'),
    ];
    for (status, pand, letter) in RARE {
        let pand = BuiltPand {
            id: builder.add_pand_with_status(plot, pand, 2_001),
            year: Some(2_001),
        };
        let state = VerblijfsobjectState::DWELLING.with_status(status);
        builder.add_home_with_state(plot, NumberSuffix::letter(letter), pand, state);
    }
}

/// Builds a house with a number close to 99 999.
fn high_number(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let number = 99_999 - plot.number;
    house(builder, Plot { number, ..plot });
}

/// Builds a number that occurs only with a letter.
fn letter_only(builder: &mut StreetBuilder<'_>, plot: Plot) {
    house_with_suffix(builder, plot, NumberSuffix::letter('C'));
}

fn letter_and_addition(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let suffix = NumberSuffix {
        letter: Some('b'),
        ..NumberSuffix::addition("1")
    };
    house_with_suffix(builder, plot, suffix);
}

/// Builds all styles of additions, at one number.
fn additions(builder: &mut StreetBuilder<'_>, plot: Plot) {
    let pand = builder.add_existing_pand(plot);
    for addition in [
        "1", "001", "bis", "BIS", "HS", "II", "A", "TM25", "3hg", "B03",
    ] {
        builder.add_home(plot, NumberSuffix::addition(addition), pand);
    }
}
