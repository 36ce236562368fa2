//! Houses that are planned and then built.

use super::{Follow, Scene, of_object, of_pand};
use crate::synth::facts::{Facts, NummeraanduidingFacts, PandFacts, VerblijfsobjectFacts};
use crate::synth::record::{
    Id, Kind, NummeraanduidingState, ObjectKind, PandState, PandStatus, Postcode, Use,
    VerblijfsobjectStatus as Status,
};
use crate::synth::shape::{Mm, Shape};

/// Planned today, in use on a later day.
pub(super) fn house(scene: &mut Scene<'_>) -> bool {
    if !scene.book.has_room() {
        return false;
    }
    let Some(beside) = scene.object() else {
        return false;
    };
    let Some(Facts::Verblijfsobject(facts)) = scene
        .book
        .get(beside)
        .and_then(|object| object.current(scene.today()))
    else {
        return false;
    };
    let number = scene.book.next_house_number();
    let at = facts
        .shape
        .centroid()
        .plus(7_003, i64::from(number % 90) * 211);
    let postcode = scene.town().postcode(scene.plan.first_postcode);
    let planned = PandState {
        status: PandStatus::BouwvergunningVerleend,
        year: scene.country.calendar.year() + 1,
    };
    let [object, pand] = build(scene, (number, postcode, at), Status::Gevormd, planned);
    scene.keep(&[object, pand], Follow::Occupy { object, pand });
    true
}

/// A pand, a number and a verblijfsobject, all new; the ids of the last and the first.
pub(super) fn build(
    scene: &mut Scene<'_>,
    (number, postcode, at): (u32, Postcode, Mm),
    status: Status,
    state: PandState,
) -> [Id; 2] {
    let street = scene.book.street().id;
    let pand = scene.book.issue(Kind::Pand);
    let shape = Shape::Block {
        at,
        u: Mm { x: 3_501, y: 0 },
        v: Mm { x: 0, y: 4_503 },
    };
    let facts = Facts::Pand(PandFacts { shape, state });
    scene.editor.add_to(scene.book, pand, facts);
    let hoofdadres = scene.book.issue(Kind::Nummeraanduiding);
    let facts = Facts::Nummeraanduiding(NummeraanduidingFacts {
        number,
        letter: None,
        addition: None,
        kind: ObjectKind::Verblijfsobject,
        street,
        state: NummeraanduidingState::issued(postcode),
    });
    scene.editor.add_to(scene.book, hoofdadres, facts);
    let object = scene.book.issue(Kind::Verblijfsobject);
    let facts = Facts::Verblijfsobject(VerblijfsobjectFacts {
        hoofdadres,
        nevenadressen: Vec::new(),
        shape: Shape::Point(at),
        panden: vec![pand],
        usage: Use::LIVING.with(status),
    });
    scene.editor.add_to(scene.book, object, facts);
    [object, pand]
}

/// The house stands and is lived in.
pub(super) fn occupy(scene: &mut Scene<'_>, object: Id, pand: Id) -> bool {
    let stood = scene.succeed(
        pand,
        of_pand(|facts| facts.state.status = PandStatus::InGebruik),
    );
    let used = scene.succeed(
        object,
        of_object(|facts| facts.usage.status = Status::InGebruik),
    );
    stood && used
}
