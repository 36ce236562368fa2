//! The odd scenes of dates: changes that are still to come, that come today, and that lasted no day.

use super::calendar::Day;
use super::record::{
    Life, NummeraanduidingState, ObjectKind, PandStatus, Postcode, Purposes, Use,
    VerblijfsobjectStatus as Status,
};
use super::street::{Site, Suffix, Works};

/// What a number and its object say over one time.
type State = (NummeraanduidingState, Use);

/// Closed in the future: object and number are withdrawn on a day that is already known.
pub(super) fn ends_later(works: &mut Works<'_>, site: Site) {
    let day = Day(30 + works.rng.between(0, 300));
    let now = (NummeraanduidingState::issued(site.postcode), Use::LIVING);
    let then = (now.0.withdrawn(), now.1.with(Status::Ingetrokken));
    turn(works, site, day, [now, then]);
}

/// Another postcode and use from a day in the future on.
pub(super) fn moves_later(works: &mut Works<'_>, site: Site) {
    let now = (NummeraanduidingState::issued(site.postcode), Use::LIVING);
    let office = Use {
        purposes: Purposes::KANTOOR,
        ..Use::LIVING
    };
    let then = (
        NummeraanduidingState::issued(other_postcode(works, site)),
        office,
    );
    turn(works, site, Day(20), [now, then]);
}

/// A change that takes effect on the stand day itself: the new state is the one that counts.
pub(super) fn turns_today(works: &mut Works<'_>, site: Site) {
    let now = (NummeraanduidingState::issued(site.postcode), Use::LIVING);
    let smaller = Use {
        surface_m2: 40,
        ..Use::LIVING
    };
    let before = (
        NummeraanduidingState::issued(other_postcode(works, site)),
        smaller,
    );
    turn(works, site, Day::STAND, [before, now]);
}

/// Voorkomens that begin and end on one day, of number and object.
pub(super) fn zero_length(works: &mut Works<'_>, site: Site) {
    let now = (NummeraanduidingState::issued(site.postcode), Use::LIVING);
    let gone = (now.0.withdrawn(), now.1.with(Status::Ingetrokken));
    let day = Day(-777);
    let rng = &mut works.rng;
    let number = Life::since(rng, Day(-4_444), now.0)
        .then(rng, day, gone.0)
        .then(rng, day, now.0);
    let object = Life::since(rng, Day(-4_444), now.1)
        .then(rng, day, gone.1)
        .then(rng, day, now.1);
    place(works, site, number, object);
}

/// A number and an object that change on one day.
fn turn(works: &mut Works<'_>, site: Site, day: Day, [before, after]: [State; 2]) {
    let since = works.long_ago();
    let rng = &mut works.rng;
    let number = Life::since(rng, since, before.0).then(rng, day, after.0);
    let object = Life::since(rng, since, before.1).then(rng, day, after.1);
    place(works, site, number, object);
}

/// A dwelling in use, served so, with these voorkomens.
fn place(
    works: &mut Works<'_>,
    site: Site,
    number: Life<NummeraanduidingState>,
    object: Life<Use>,
) {
    let pand = works.pand_of(site, PandStatus::InGebruik, 1_949);
    let number = works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, number);
    works.stand(site, vec![number], pand, object);
    works.serve(site, number, Use::LIVING, Some(1_949));
}

/// A postcode of the street, or of the next one, that is not the one of the site.
fn other_postcode(works: &Works<'_>, site: Site) -> Postcode {
    let [first, second] = [0, 1].map(|step| works.town.postcode(works.plan.first_postcode + step));
    if site.postcode == first {
        second
    } else {
        first
    }
}
