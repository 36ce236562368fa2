//! The scenes that serve no address of their own: withdrawn, not built, not yet, over, or without a postcode.

use super::calendar::Day;
use super::places;
use super::record::{
    Life, NummeraanduidingState, ObjectKind, PandState, PandStatus, Purposes, Standing, Use,
    VerblijfsobjectStatus as Status,
};
use super::street::{Site, Suffix, Works};

/// A life in two voorkomens, the second from `day` on.
fn turned<S>(works: &mut Works<'_>, day: Day, before: S, after: S) -> Life<S> {
    let rng = &mut works.rng;
    Life::since(rng, Day(-9_000), before).then(rng, day, after)
}

/// A number without a suffix that was withdrawn on this day.
fn withdrawn(works: &mut Works<'_>, site: Site, day: Day) -> Life<NummeraanduidingState> {
    let issued = NummeraanduidingState::issued(site.postcode);
    turned(works, day, issued, issued.withdrawn())
}

/// A transformer hut: live, with a number but without a postcode.
pub(super) fn hut(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let state = NummeraanduidingState {
        postcode: None,
        ..NummeraanduidingState::issued(site.postcode)
    };
    let life = Life::since(&mut works.rng, Day(-3_000), state);
    let number = works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, life);
    let hut = Use {
        purposes: Purposes::OVERIG,
        surface_m2: 8,
        ..Use::LIVING
    };
    let life = works.lived(hut);
    works.stand(site, vec![number], pand.id, life);
    works.street.without_postcode += 1;
}

/// A live object whose hoofdadres is withdrawn.
pub(super) fn number_withdrawn(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let life = withdrawn(works, site, Day(-300));
    let number = works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, life);
    let life = works.lived(Use::LIVING);
    works.stand(site, vec![number], pand.id, life);
    works.street.withdrawn += 1;
}

/// Number, object and pand are gone.
pub(super) fn demolished(works: &mut Works<'_>, site: Site) {
    let pand = [PandStatus::InGebruik, PandStatus::Gesloopt];
    let object = [Status::InGebruik, Status::Ingetrokken];
    gone(works, site, pand, object);
}

/// A plan that came to nothing.
pub(super) fn never_built(works: &mut Works<'_>, site: Site) {
    let pand = [
        PandStatus::BouwvergunningVerleend,
        PandStatus::NietGerealiseerd,
    ];
    let object = [Status::Gevormd, Status::NietGerealiseerd];
    gone(works, site, pand, object);
}

fn gone(works: &mut Works<'_>, site: Site, pand: [PandStatus; 2], object: [Status; 2]) {
    const GONE: Day = Day(-700);
    let [built, gone] = pand.map(|status| PandState {
        status,
        year: 1_921,
    });
    let life = turned(works, GONE, built, gone);
    let pand = works.pand(works.block(site.at, 4_000, 3_000), life);
    let life = withdrawn(works, site, GONE);
    let number = works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, life);
    let [used, ended] = object.map(|status| Use::LIVING.with(status));
    let life = turned(works, GONE, used, ended);
    works.stand(site, vec![number], pand, life);
}

/// The numbers still stand, their objects do not: one is withdrawn, one was entered by mistake.
pub(super) fn objects_withdrawn(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    for (status, letter) in [(Status::Ingetrokken, 'x'), (Status::TenOnrechte, 'y')] {
        let number = works.ordinary_number(site, Suffix::letter(letter));
        let life = turned(works, Day(-120), Use::LIVING, Use::LIVING.with(status));
        works.stand(site, vec![number], pand.id, life);
    }
}

/// Number, object and pand begin only after the stand day.
pub(super) fn not_yet(works: &mut Works<'_>, site: Site) {
    const BEGIN: Day = Day(50);
    let permit = PandState {
        status: PandStatus::BouwvergunningVerleend,
        year: 2_030,
    };
    let life = Life::since(&mut works.rng, BEGIN, permit);
    let pand = works.pand(works.block(site.at, 4_500, 4_500), life);
    let issued = NummeraanduidingState::issued(site.postcode);
    let life = Life::since(&mut works.rng, BEGIN, issued);
    let number = works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, life);
    let life = Life::since(&mut works.rng, BEGIN, Use::LIVING.with(Status::Gevormd));
    works.stand(site, vec![number], pand, life);
}

/// The last voorkomens are closed and nothing follows: number on an earlier day, object on the stand day itself.
pub(super) fn over(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let issued = NummeraanduidingState::issued(site.postcode);
    let rng = &mut works.rng;
    let life = Life::since(rng, Day(-6_000), issued).until(rng, Day(-40));
    let object = Life::since(rng, Day(-6_000), Use::LIVING).until(rng, Day::STAND);
    let number = works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, life);
    works.stand(site, vec![number], pand.id, object);
}

/// A live object with a live hoofdadres, which is served, and a withdrawn nevenadres, which is not.
pub(super) fn side_address_withdrawn(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let main = works.ordinary_number(site, Suffix::default());
    let life = withdrawn(works, site, Day(-200));
    let side = works.number(site, Suffix::letter('z'), ObjectKind::Verblijfsobject, life);
    let life = works.lived(Use::LIVING);
    works.stand(site, vec![main, side], pand.id, life);
    works.serve(site, main, Use::LIVING, pand.year);
    works.street.withdrawn += 1;
}

/// A withdrawn ligplaats and a withdrawn standplaats.
pub(super) fn empty_places(works: &mut Works<'_>, site: Site) {
    const GONE: Day = Day(-333);
    for (kind, letter) in [(ObjectKind::Ligplaats, 'v'), (ObjectKind::Standplaats, 'w')] {
        let life = withdrawn(works, site, GONE);
        let number = works.number(site, Suffix::letter(letter), kind, life);
        let life = turned(works, GONE, Standing::Live, Standing::Withdrawn);
        let shape = works.block(site.at, 7_000, 2_000);
        places::build(works, kind, shape, &[number], life);
    }
}
