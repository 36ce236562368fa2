//! Lists the kinds of change of a street, by name.

use super::street_edit::{FollowUp, StreetChange, StreetEdit};
use super::{corrections, houses, numbers, objects, places, streets};

/// A change, and its name in summaries.
pub(crate) type NamedChange = (&'static str, StreetChange);

/// All kinds of change of one street. Kinds that a later day completes come first.
pub(crate) const CHANGES: [NamedChange; 38] = [
    ("house planned, later in use", houses::planned),
    ("verblijfsobject rebuilt, later in use", objects::rebuilt),
    (
        "postcode taken off, later given back",
        numbers::postcode_removed,
    ),
    (
        "future change, later changed again",
        corrections::far_future,
    ),
    ("future change that takes effect", corrections::future),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject purposes", objects::gebruiksdoelen),
    ("verblijfsobject moved", objects::moved),
    ("verblijfsobject in other panden", objects::other_panden),
    ("verblijfsobject and number withdrawn", objects::withdrawn),
    ("pand year", objects::pand_year),
    ("pand demolished", objects::pand_demolished),
    ("postcode changed", numbers::postcode_changed),
    ("postcode given", numbers::postcode_given),
    ("house number changed", numbers::house_number_changed),
    ("letter changed", numbers::letter_changed),
    ("addition changed", numbers::addition_changed),
    ("number withdrawn", numbers::withdrawn),
    ("number in its own woonplaats", numbers::own_woonplaats),
    ("nevenadres added", numbers::nevenadres_added),
    ("hoofdadres and nevenadres swapped", numbers::swapped),
    ("street renamed", streets::renamed),
    ("street moved to another woonplaats", streets::moved),
    ("two voorkomens replaced", corrections::replaced),
    ("voorkomen annulled", corrections::annulled),
    ("number annulled", corrections::number_annulled),
    ("pand annulled", corrections::pand_annulled),
    (
        "voorkomen not of the register",
        corrections::marked_niet_bag,
    ),
    ("old voorkomen removed", corrections::first_removed),
    ("last voorkomen removed", corrections::last_removed),
    ("objects removed", corrections::objects_removed),
    ("voorkomen of no length", corrections::zero_length),
    ("object in several groups", corrections::three_groups),
    ("future change annulled", corrections::future_annulled),
    ("ligplaats changed", places::ligplaats_moved),
    ("standplaats changed", places::standplaats_moved),
    ("ligplaats and standplaats added", places::added),
    ("ligplaats or standplaats withdrawn", places::withdrawn),
];

/// The changes that fill a large delivery. A change that is listed several times is drawn more often. The first change fits every
/// street.
pub(crate) const USUAL_CHANGES: [NamedChange; 20] = [
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject surface", objects::surface),
    ("verblijfsobject purposes", objects::gebruiksdoelen),
    ("verblijfsobject moved", objects::moved),
    ("pand year", objects::pand_year),
    ("pand year", objects::pand_year),
    ("house planned, later in use", houses::planned),
    ("verblijfsobject rebuilt, later in use", objects::rebuilt),
    ("postcode changed", numbers::postcode_changed),
    ("verblijfsobject in other panden", objects::other_panden),
    ("number in its own woonplaats", numbers::own_woonplaats),
    ("future change that takes effect", corrections::future),
    ("two voorkomens replaced", corrections::replaced),
    ("verblijfsobject and number withdrawn", objects::withdrawn),
    ("nevenadres added", numbers::nevenadres_added),
];

/// The changes made to the street outside the municipality of the delivery.
pub(crate) const OUTSIDE_CHANGES: [StreetChange; 12] = [
    houses::planned,
    objects::surface,
    objects::withdrawn,
    objects::pand_year,
    numbers::nevenadres_added,
    streets::renamed,
    corrections::replaced,
    corrections::annulled,
    corrections::pand_annulled,
    corrections::marked_niet_bag,
    corrections::objects_removed,
    places::added,
];

/// Completes a change of an earlier day. Returns the name of the change, or `None` if it no longer fits.
pub(crate) fn follow_up(edit: &mut StreetEdit<'_>, follow_up: FollowUp) -> Option<&'static str> {
    let (name, done) = match follow_up {
        FollowUp::Occupy { object, pand } => {
            ("planned house in use", houses::occupied(edit, object, pand))
        }
        FollowUp::Reopen(object) => (
            "rebuilt verblijfsobject in use",
            objects::reopened(edit, object),
        ),
        FollowUp::RestorePostcode(number, postcode) => (
            "postcode given back",
            numbers::postcode_set(edit, number, postcode),
        ),
        FollowUp::ReplaceFuture(object) => (
            "future change changed",
            corrections::future_replaced(edit, object),
        ),
    };
    done.then_some(name)
}
