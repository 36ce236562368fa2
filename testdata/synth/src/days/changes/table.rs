//! Lists the kinds of change of a street, by name.

use super::street_edit::{FollowUp, StreetChange, StreetEdit};
use super::{corrections, houses, numbers, objects, plaatsen, streets};

/// A change, and its name in summaries.
pub(crate) type NamedChange = (&'static str, StreetChange);

/// All kinds of change of one street. Kinds that a later day completes come first.
pub(crate) const CHANGES: [NamedChange; 38] = [
    ("house planned, later in use", houses::plan_house),
    ("verblijfsobject rebuilt, later in use", objects::rebuild),
    (
        "postcode removed, later given back",
        numbers::remove_postcode,
    ),
    (
        "future change, later replaced",
        corrections::add_far_future_change,
    ),
    (
        "future change that takes effect",
        corrections::add_future_change,
    ),
    ("verblijfsobject surface", objects::change_surface),
    ("verblijfsobject purposes", objects::change_gebruiksdoelen),
    ("verblijfsobject moved", objects::move_verblijfsobject),
    ("verblijfsobject in other panden", objects::change_panden),
    (
        "verblijfsobject and number withdrawn",
        objects::withdraw_verblijfsobject,
    ),
    ("pand year", objects::change_pand_year),
    ("pand demolished", objects::demolish_pand),
    ("postcode changed", numbers::change_postcode),
    ("postcode given", numbers::give_postcode),
    ("house number changed", numbers::change_house_number),
    ("letter changed", numbers::change_letter),
    ("addition changed", numbers::change_addition),
    ("number withdrawn", numbers::withdraw_number),
    (
        "number with its own woonplaats",
        numbers::set_own_woonplaats,
    ),
    ("nevenadres added", numbers::add_nevenadres),
    (
        "hoofdadres and nevenadres swapped",
        numbers::swap_hoofdadres,
    ),
    ("street renamed", streets::rename_street),
    ("street moved to another woonplaats", streets::move_street),
    ("two voorkomens replaced", corrections::replace_voorkomens),
    ("voorkomen annulled", corrections::annul_voorkomen),
    ("number annulled", corrections::annul_number),
    ("pand annulled", corrections::annul_pand),
    ("voorkomen not of the register", corrections::mark_niet_bag),
    ("old voorkomen removed", corrections::remove_first_voorkomen),
    ("last voorkomen removed", corrections::remove_last_voorkomen),
    ("objects removed", corrections::remove_objects),
    (
        "voorkomen of zero length",
        corrections::add_zero_length_voorkomen,
    ),
    ("object in several groups", corrections::change_three_times),
    ("future change annulled", corrections::annul_future_change),
    ("ligplaats changed", plaatsen::move_ligplaats),
    ("standplaats changed", plaatsen::move_standplaats),
    ("ligplaats and standplaats added", plaatsen::add_plaatsen),
    (
        "ligplaats or standplaats withdrawn",
        plaatsen::withdraw_plaats,
    ),
];

/// The changes that fill a large delivery. A change that is listed several times is drawn more often. The first change fits every
/// street.
pub(crate) const USUAL_CHANGES: [NamedChange; 20] = [
    ("verblijfsobject surface", objects::change_surface),
    ("verblijfsobject surface", objects::change_surface),
    ("verblijfsobject surface", objects::change_surface),
    ("verblijfsobject surface", objects::change_surface),
    ("verblijfsobject surface", objects::change_surface),
    ("verblijfsobject surface", objects::change_surface),
    ("verblijfsobject surface", objects::change_surface),
    ("verblijfsobject purposes", objects::change_gebruiksdoelen),
    ("verblijfsobject moved", objects::move_verblijfsobject),
    ("pand year", objects::change_pand_year),
    ("pand year", objects::change_pand_year),
    ("house planned, later in use", houses::plan_house),
    ("verblijfsobject rebuilt, later in use", objects::rebuild),
    ("postcode changed", numbers::change_postcode),
    ("verblijfsobject in other panden", objects::change_panden),
    (
        "number with its own woonplaats",
        numbers::set_own_woonplaats,
    ),
    (
        "future change that takes effect",
        corrections::add_future_change,
    ),
    ("two voorkomens replaced", corrections::replace_voorkomens),
    (
        "verblijfsobject and number withdrawn",
        objects::withdraw_verblijfsobject,
    ),
    ("nevenadres added", numbers::add_nevenadres),
];

/// The changes made to the street outside the municipality of the delivery.
pub(crate) const OUTSIDE_CHANGES: [StreetChange; 12] = [
    houses::plan_house,
    objects::change_surface,
    objects::withdraw_verblijfsobject,
    objects::change_pand_year,
    numbers::add_nevenadres,
    streets::rename_street,
    corrections::replace_voorkomens,
    corrections::annul_voorkomen,
    corrections::annul_pand,
    corrections::mark_niet_bag,
    corrections::remove_objects,
    plaatsen::add_plaatsen,
];

/// Completes a change of an earlier day. Returns the name of the change, or `None` if it no longer fits.
pub(crate) fn follow_up(edit: &mut StreetEdit<'_>, follow_up: FollowUp) -> Option<&'static str> {
    let (name, done) = match follow_up {
        FollowUp::Occupy { object, pand } => (
            "planned house in use",
            houses::occupy_house(edit, object, pand),
        ),
        FollowUp::Reopen(object) => (
            "rebuilt verblijfsobject in use",
            objects::reopen(edit, object),
        ),
        FollowUp::RestorePostcode(number, postcode) => (
            "postcode given back",
            numbers::set_postcode(edit, number, postcode),
        ),
        FollowUp::ReplaceFuture(object) => (
            "future change replaced",
            corrections::replace_future_change(edit, object),
        ),
    };
    done.then_some(name)
}
