//! Changes of nummeraanduidingen.

use super::{Follow, Scene, of_number, of_object, of_place};
use crate::synth::facts::{Facts, NummeraanduidingFacts};
use crate::synth::record::{Id, Kind, NummeraanduidingState, ObjectKind, Postcode, Standing};

fn change(scene: &mut Scene<'_>, change: impl FnOnce(&mut NummeraanduidingFacts)) -> bool {
    scene
        .home()
        .is_some_and(|home| scene.succeed(home.number, of_number(change)))
}

/// None today, the same as before on a later day.
pub(super) fn postcode_off(scene: &mut Scene<'_>) -> bool {
    let Some(home) = scene.home() else {
        return false;
    };
    let today = scene.today();
    let number = scene.book.number(home.number, today);
    let Some(postcode) = number.and_then(|facts| facts.state.postcode) else {
        return false;
    };
    let ids = [home.number, home.object, home.pand];
    scene.keep(&ids, Follow::Restore(home.number, postcode));
    scene.succeed(home.number, of_number(|facts| facts.state.postcode = None))
}

pub(super) fn postcode_back(scene: &mut Scene<'_>, id: Id, postcode: Postcode) -> bool {
    scene.succeed(id, of_number(|facts| facts.state.postcode = Some(postcode)))
}

pub(super) fn postcode(scene: &mut Scene<'_>) -> bool {
    let step = usize::try_from(scene.rng.below(3)).expect("a draw is small");
    let postcode = scene.town().postcode(scene.plan.first_postcode + step);
    change(scene, |facts| {
        let changed = facts.state.postcode != Some(postcode);
        facts.state.postcode = Some(postcode);
        if !changed {
            facts.letter = Some('p');
        }
    })
}

/// A number that never had one.
pub(super) fn postcode_given(scene: &mut Scene<'_>) -> bool {
    let (today, postcode) = (
        scene.today(),
        scene.town().postcode(scene.plan.first_postcode),
    );
    let without = scene.any(Kind::Nummeraanduiding, |_, object| {
        matches!(
            object.current(today),
            Some(Facts::Nummeraanduiding(facts))
                if facts.state.standing == Standing::Live && facts.state.postcode.is_none()
        )
    });
    without.is_some_and(|id| postcode_back(scene, id, postcode))
}

pub(super) fn number(scene: &mut Scene<'_>) -> bool {
    let number = scene.book.next_house_number();
    change(scene, |facts| facts.number = number)
}

pub(super) fn letter(scene: &mut Scene<'_>) -> bool {
    change(scene, |facts| {
        facts.letter = match facts.letter {
            None => Some('h'),
            Some(_) => None,
        };
    })
}

pub(super) fn addition(scene: &mut Scene<'_>) -> bool {
    change(scene, |facts| {
        facts.addition = match facts.addition {
            None => Some("7bis".to_owned()),
            Some(_) => None,
        };
    })
}

/// The object stays, in a street without that number.
pub(super) fn withdrawn(scene: &mut Scene<'_>) -> bool {
    change(scene, |facts| facts.state.standing = Standing::Withdrawn)
}

pub(super) fn own_woonplaats(scene: &mut Scene<'_>) -> bool {
    if scene.book.outside {
        return false;
    }
    let neighbour = scene.country.neighbour(scene.plan.town).code;
    change(scene, |facts| {
        facts.state.woonplaats = match facts.state.woonplaats {
            None => Some(neighbour),
            Some(_) => None,
        };
    })
}

/// A new number for an object that has one.
pub(super) fn nevenadres(scene: &mut Scene<'_>) -> bool {
    if !scene.book.has_room() {
        return false;
    }
    let Some(home) = scene.home() else {
        return false;
    };
    let id = scene.book.issue(Kind::Nummeraanduiding);
    let postcode = scene.town().postcode(scene.plan.first_postcode);
    let facts = NummeraanduidingFacts {
        number: scene.book.next_house_number(),
        letter: Some('n'),
        addition: None,
        kind: ObjectKind::Verblijfsobject,
        street: scene.book.street().id,
        state: NummeraanduidingState::issued(postcode),
    };
    scene
        .editor
        .add_to(scene.book, id, Facts::Nummeraanduiding(facts));
    scene.succeed(home.object, of_object(|facts| facts.nevenadressen.push(id)))
}

/// The hoofdadres becomes a nevenadres, and the other way round.
pub(super) fn swapped(scene: &mut Scene<'_>) -> bool {
    let today = scene.today();
    for kind in [Kind::Verblijfsobject, Kind::Ligplaats] {
        let found = scene.any(kind, |_, object| match object.current(today) {
            Some(Facts::Verblijfsobject(facts)) => !facts.nevenadressen.is_empty(),
            Some(Facts::Plaats(facts)) => !facts.nevenadressen.is_empty(),
            _ => false,
        });
        if let Some(id) = found {
            return scene.succeed(id, |facts| {
                of_object(|facts| {
                    std::mem::swap(&mut facts.hoofdadres, &mut facts.nevenadressen[0]);
                })(facts);
                of_place(|facts| {
                    std::mem::swap(&mut facts.hoofdadres, &mut facts.nevenadressen[0]);
                })(facts);
            });
        }
    }
    false
}
