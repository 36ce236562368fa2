//! Changes of berths and pitches.

use super::{Scene, of_number, of_place};
use crate::synth::facts::{Facts, NummeraanduidingFacts, PlaatsFacts};
use crate::synth::record::{Id, Kind, NummeraanduidingState, ObjectKind, Standing};
use crate::synth::shape::{Mm, Shape};

fn live(scene: &mut Scene<'_>, kind: Kind) -> Option<Id> {
    let today = scene.today();
    scene.any(kind, |_, object| {
        matches!(object.current(today), Some(Facts::Plaats(facts)) if facts.standing == Standing::Live)
    })
}

fn block(at: Mm) -> Shape {
    Shape::Block {
        at,
        u: Mm { x: 6_001, y: 400 },
        v: Mm { x: -200, y: 2_003 },
    }
}

fn moved(scene: &mut Scene<'_>, kind: Kind) -> bool {
    live(scene, kind).is_some_and(|id| {
        scene.succeed(
            id,
            of_place(|facts| facts.shape = block(facts.shape.centroid().plus(903, -407))),
        )
    })
}

pub(super) fn ligplaats_moved(scene: &mut Scene<'_>) -> bool {
    moved(scene, Kind::Ligplaats)
}

pub(super) fn standplaats_moved(scene: &mut Scene<'_>) -> bool {
    moved(scene, Kind::Standplaats)
}

/// The place, and its number with it.
pub(super) fn withdrawn(scene: &mut Scene<'_>) -> bool {
    let found = live(scene, Kind::Ligplaats).or_else(|| live(scene, Kind::Standplaats));
    let today = scene.today();
    let current = found.and_then(|id| scene.book.get(id)?.current(today));
    let (Some(id), Some(Facts::Plaats(facts))) = (found, current) else {
        return false;
    };
    let number = facts.hoofdadres;
    let gone = scene.succeed(id, of_place(|facts| facts.standing = Standing::Withdrawn));
    gone && scene.succeed(
        number,
        of_number(|facts| facts.state.standing = Standing::Withdrawn),
    )
}

/// One of each, with a number.
pub(super) fn added(scene: &mut Scene<'_>) -> bool {
    if !scene.book.has_room() {
        return false;
    }
    let kinds = [
        (Kind::Ligplaats, ObjectKind::Ligplaats),
        (Kind::Standplaats, ObjectKind::Standplaats),
    ];
    for (kind, of) in kinds {
        let number = scene.book.next_house_number();
        let postcode = scene.town().postcode(scene.plan.first_postcode);
        let middle = scene.town().street_middle(scene.plan.index);
        let hoofdadres = scene.book.issue(Kind::Nummeraanduiding);
        let facts = NummeraanduidingFacts {
            number,
            letter: None,
            addition: None,
            kind: of,
            street: scene.book.street().id,
            state: NummeraanduidingState::issued(postcode),
        };
        scene
            .editor
            .add_to(scene.book, hoofdadres, Facts::Nummeraanduiding(facts));
        let id = scene.book.issue(kind);
        let facts = PlaatsFacts {
            hoofdadres,
            nevenadressen: Vec::new(),
            shape: block(middle.plus(i64::from(number) * 31, 20_003)),
            standing: Standing::Live,
        };
        scene.editor.add_to(scene.book, id, Facts::Plaats(facts));
    }
    true
}
