//! The scenes that serve no address of their own: withdrawn, not built, not yet, over, or without a postcode.

use super::calendar::Day;
use super::homes::{Draft, Use};
use super::record::{
    Id, Kind, Life, NummeraanduidingState, ObjectKind, PandState, PandStatus, Plaats, Purposes,
    Standing, VerblijfsobjectState, VerblijfsobjectStatus as Status,
};
use super::shape::Shape;
use super::street::{Number, Site, Suffix, Works};

const STATE: VerblijfsobjectState = VerblijfsobjectState {
    status: Status::InGebruik,
    purposes: Purposes::WOON,
    surface_m2: 72,
};

fn number(works: &mut Works<'_>, site: Site, life: Life<NummeraanduidingState>) -> Number {
    works.number(site, Suffix::default(), ObjectKind::Verblijfsobject, life)
}

fn state(site: Site, standing: Standing) -> NummeraanduidingState {
    NummeraanduidingState {
        postcode: Some(site.postcode),
        standing,
        woonplaats: None,
    }
}

/// A life in two voorkomens, the second from `day` on.
fn turned<S>(works: &mut Works<'_>, day: Day, before: S, after: S) -> Life<S> {
    Life::since(&mut works.rng, Day(-9_000), before).then(&mut works.rng, day, after)
}

fn stand(
    works: &mut Works<'_>,
    site: Site,
    number: Number,
    pand: Id,
    life: Life<VerblijfsobjectState>,
) {
    works.verblijfsobject(Draft {
        numbers: vec![number],
        shape: Shape::Point(site.at),
        panden: vec![pand],
        life,
    });
}

/// A transformer hut: live, with a number but without a postcode.
pub(super) fn hut(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let life = Life::since(
        &mut works.rng,
        Day(-3_000),
        NummeraanduidingState {
            postcode: None,
            ..state(site, Standing::Live)
        },
    );
    let number = number(works, site, life);
    let life = works.lived(Use {
        status: Status::InGebruik,
        purposes: Purposes::OVERIG,
        surface_m2: 8,
    });
    stand(works, site, number, pand.id, life);
    works.street.without_postcode += 1;
}

/// A live object whose hoofdadres is withdrawn.
pub(super) fn number_withdrawn(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let life = turned(
        works,
        Day(-300),
        state(site, Standing::Live),
        state(site, Standing::Withdrawn),
    );
    let number = number(works, site, life);
    let life = Life::since(&mut works.rng, Day(-9_000), STATE);
    stand(works, site, number, pand.id, life);
    works.street.withdrawn += 1;
}

/// Number, object and pand are gone.
pub(super) fn demolished(works: &mut Works<'_>, site: Site) {
    let [built, gone] = [PandStatus::InGebruik, PandStatus::Gesloopt].map(|status| PandState {
        status,
        year: 1_921,
    });
    let life = turned(works, Day(-700), built, gone);
    let pand = works.pand(works.block(site.at, 4_000, 3_000), life);
    let life = turned(
        works,
        Day(-700),
        state(site, Standing::Live),
        state(site, Standing::Withdrawn),
    );
    let number = number(works, site, life);
    let life = turned(
        works,
        Day(-700),
        STATE,
        VerblijfsobjectState {
            status: Status::Ingetrokken,
            ..STATE
        },
    );
    stand(works, site, number, pand, life);
}

/// A plan that came to nothing.
pub(super) fn never_built(works: &mut Works<'_>, site: Site) {
    let [planned, dropped] = [
        PandStatus::BouwvergunningVerleend,
        PandStatus::NietGerealiseerd,
    ]
    .map(|status| PandState {
        status,
        year: 2_019,
    });
    let life = turned(works, Day(-450), planned, dropped);
    let pand = works.pand(works.block(site.at, 5_000, 5_000), life);
    let life = turned(
        works,
        Day(-450),
        state(site, Standing::Live),
        state(site, Standing::Withdrawn),
    );
    let number = number(works, site, life);
    let [planned, dropped] = [Status::Gevormd, Status::NietGerealiseerd]
        .map(|status| VerblijfsobjectState { status, ..STATE });
    let life = turned(works, Day(-450), planned, dropped);
    stand(works, site, number, pand, life);
}

/// The number still stands, its object does not: withdrawn, or entered by mistake.
pub(super) fn object_withdrawn(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let life = works.numbered(site.postcode);
    let number = number(works, site, life);
    let status = if works.plan.index.is_multiple_of(2) {
        Status::Ingetrokken
    } else {
        Status::TenOnrechte
    };
    let life = turned(
        works,
        Day(-120),
        STATE,
        VerblijfsobjectState { status, ..STATE },
    );
    stand(works, site, number, pand.id, life);
}

/// Number, object and pand begin only after the stand day.
pub(super) fn not_yet(works: &mut Works<'_>, site: Site) {
    let day = Day(50);
    let life = Life::since(
        &mut works.rng,
        day,
        PandState {
            status: PandStatus::BouwvergunningVerleend,
            year: 2_030,
        },
    );
    let pand = works.pand(works.block(site.at, 4_500, 4_500), life);
    let life = Life::since(&mut works.rng, day, state(site, Standing::Live));
    let number = number(works, site, life);
    let life = Life::since(
        &mut works.rng,
        day,
        VerblijfsobjectState {
            status: Status::Gevormd,
            ..STATE
        },
    );
    stand(works, site, number, pand, life);
}

/// The last voorkomens are closed and nothing follows: number on an earlier day, object on the stand day itself.
pub(super) fn over(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let life = Life::since(&mut works.rng, Day(-6_000), state(site, Standing::Live))
        .until(&mut works.rng, Day(-40));
    let number = number(works, site, life);
    let life = Life::since(&mut works.rng, Day(-6_000), STATE).until(&mut works.rng, Day::STAND);
    stand(works, site, number, pand.id, life);
}

/// A live object with a live hoofdadres, which is served, and a withdrawn nevenadres, which is not.
pub(super) fn side_address_withdrawn(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let life = works.numbered(site.postcode);
    let main = number(works, site, life);
    let life = turned(
        works,
        Day(-200),
        state(site, Standing::Live),
        state(site, Standing::Withdrawn),
    );
    let side = works.number(
        site,
        Suffix {
            letter: Some('z'),
            addition: None,
        },
        ObjectKind::Verblijfsobject,
        life,
    );
    let life = Life::since(&mut works.rng, Day(-8_000), STATE);
    works.verblijfsobject(Draft {
        numbers: vec![main, side],
        shape: Shape::Point(site.at),
        panden: vec![pand.id],
        life,
    });
    works.serve(
        site,
        main,
        Use {
            status: STATE.status,
            purposes: STATE.purposes,
            surface_m2: STATE.surface_m2,
        },
        pand.year,
    );
    works.street.withdrawn += 1;
}

/// A withdrawn ligplaats or standplaats.
pub(super) fn empty_place(works: &mut Works<'_>, site: Site) {
    let (kind, of) = if works.plan.index.is_multiple_of(2) {
        (ObjectKind::Ligplaats, Kind::Ligplaats)
    } else {
        (ObjectKind::Standplaats, Kind::Standplaats)
    };
    let life = turned(
        works,
        Day(-333),
        state(site, Standing::Live),
        state(site, Standing::Withdrawn),
    );
    let number = works.number(site, Suffix::default(), kind, life);
    let shape = works.block(site.at, 7_000, 2_000);
    let life = turned(works, Day(-333), Standing::Live, Standing::Withdrawn);
    let id = works.id(of);
    works.street.plaatsen.push(Plaats {
        id,
        hoofdadres: number.id,
        nevenadressen: Vec::new(),
        shape,
        life,
    });
}
