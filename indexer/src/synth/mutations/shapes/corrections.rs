//! Corrections of what was registered, and changes that are still to come.

use super::{Follow, Scene, of_object};
use crate::synth::calendar::Day;
use crate::synth::mutations::editor::Editor;
use crate::synth::mutations::object::Object;
use crate::synth::record::{Id, Kind};

fn more(surface_m2: u32) -> impl FnOnce(&mut super::Facts) {
    of_object(move |facts| {
        facts.usage.surface_m2 = (facts.usage.surface_m2 + surface_m2) % 9_000 + 1;
    })
}

/// An object of this kind that is open today and has replaced a voorkomen.
fn replaced_one(scene: &mut Scene<'_>, kind: Kind) -> Option<Id> {
    let today = scene.today();
    scene.any(kind, |_, object| {
        object.last_two().is_some() && object.current(today).is_some()
    })
}

/// Takes effect on the day after the delivery, without a record that says so.
pub(super) fn future(scene: &mut Scene<'_>) -> bool {
    let begin = Day(scene.today().0 + 2);
    scene.object().is_some_and(|id| {
        scene.with(id, |editor, object| {
            editor.succeed_from(object, begin, more(50))
        })
    })
}

/// Far enough ahead for a later day to think better of it.
pub(super) fn far_future(scene: &mut Scene<'_>) -> bool {
    let begin = Day(scene.today().0 + 6);
    let Some(id) = scene.object() else {
        return false;
    };
    scene.keep(&[id], Follow::Reconsider(id));
    scene.with(id, |editor, object| {
        editor.succeed_from(object, begin, more(70))
    })
}

/// On the day that it was to begin on, it will say something else.
pub(super) fn reconsidered(scene: &mut Scene<'_>, id: Id) -> bool {
    scene.with(id, |editor, object| {
        let Some(begin) = object
            .open()
            .map(|open| object.versions[open].history.begin)
        else {
            return false;
        };
        editor.succeed_from(object, begin, more(90))
    })
}

/// What the plan has still to come, or what is said and taken back on one day, before it held.
pub(super) fn future_annulled(scene: &mut Scene<'_>) -> bool {
    let today = scene.today();
    for kind in [Kind::Nummeraanduiding, Kind::Verblijfsobject] {
        let planned = scene.any(kind, |_, object| {
            object.last_two().is_some() && object.current(today).is_none()
        });
        if let Some(id) = planned {
            return scene.with(id, Editor::annul);
        }
    }
    let begin = Day(scene.today().0 + 30);
    scene.object().is_some_and(|id| {
        scene.with(id, |editor, object| {
            editor.succeed_from(object, begin, more(30)) && editor.annul(object)
        })
    })
}

pub(super) fn replaced(scene: &mut Scene<'_>) -> bool {
    replaced_one(scene, Kind::Verblijfsobject)
        .is_some_and(|id| scene.with(id, |editor, object| editor.correct(object, more(11))))
}

fn annul(scene: &mut Scene<'_>, kind: Kind) -> bool {
    replaced_one(scene, kind).is_some_and(|id| scene.with(id, Editor::annul))
}

pub(super) fn annulled(scene: &mut Scene<'_>) -> bool {
    annul(scene, Kind::Verblijfsobject)
}

pub(super) fn number_annulled(scene: &mut Scene<'_>) -> bool {
    annul(scene, Kind::Nummeraanduiding)
}

pub(super) fn pand_annulled(scene: &mut Scene<'_>) -> bool {
    annul(scene, Kind::Pand)
}

pub(super) fn disowned(scene: &mut Scene<'_>) -> bool {
    scene
        .object()
        .is_some_and(|id| scene.with(id, Editor::disown))
}

pub(super) fn old_removed(scene: &mut Scene<'_>) -> bool {
    replaced_one(scene, Kind::Pand).is_some_and(|id| scene.with(id, Editor::remove_first))
}

pub(super) fn last_removed(scene: &mut Scene<'_>) -> bool {
    replaced_one(scene, Kind::Verblijfsobject).is_some_and(|id| scene.with(id, Editor::remove_last))
}

/// A verblijfsobject and its number, with all they ever said.
pub(super) fn objects_removed(scene: &mut Scene<'_>) -> bool {
    let Some(home) = scene.home() else {
        return false;
    };
    scene.editor.remove(scene.book, home.number);
    scene.editor.remove(scene.book, home.object);
    true
}

fn again(editor: &mut Editor, object: &mut Object, times: u32) -> bool {
    (1..=times).all(|time| editor.succeed(object, more(time)))
}

/// Opened and closed on one day.
pub(super) fn zero_length(scene: &mut Scene<'_>) -> bool {
    scene
        .object()
        .is_some_and(|id| scene.with(id, |editor, object| again(editor, object, 2)))
}

pub(super) fn thrice(scene: &mut Scene<'_>) -> bool {
    scene
        .object()
        .is_some_and(|id| scene.with(id, |editor, object| again(editor, object, 3)))
}
