//! Corrects registered voorkomens, and registers changes that take effect on a later day.

use super::street_edit::{FollowUp, StreetEdit, on_verblijfsobject};
use crate::calendar::DayOffset;
use crate::days::editor::DayEditor;
use crate::model::{Identificatie, ObjectAttributes, SynthObjectType};
use crate::register::SynthObject;

fn add_surface(surface_m2: u32) -> impl FnOnce(&mut ObjectAttributes) {
    on_verblijfsobject(move |object| {
        object.state.surface_m2 = (object.state.surface_m2 + surface_m2) % 9_000 + 1;
    })
}

/// An object of this type whose open voorkomen has begun and is not the object's first one.
fn find_with_predecessor(
    edit: &mut StreetEdit<'_>,
    object_type: SynthObjectType,
) -> Option<Identificatie> {
    let today = edit.today();
    edit.find_object(object_type, |_, object| {
        object.last_two().is_some() && object.open_attributes(today).is_some()
    })
}

fn edit_verblijfsobject(
    edit: &mut StreetEdit<'_>,
    act: impl FnOnce(&mut DayEditor, &mut SynthObject) -> bool,
) -> bool {
    edit.find_verblijfsobject()
        .is_some_and(|id| edit.edit_object(id, act))
}

/// Registers a change two days ahead, so the next delivery contains no mutation on the day on which the change takes effect.
pub(crate) fn add_future_change(edit: &mut StreetEdit<'_>) -> bool {
    let begin = DayOffset(edit.today().0 + 2);
    edit_verblijfsobject(edit, |editor, object| {
        editor.supersede_on(object, begin, add_surface(50))
    })
}

/// Registers a change so far ahead that a later delivery can replace it before it takes effect.
pub(crate) fn add_far_future_change(edit: &mut StreetEdit<'_>) -> bool {
    let begin = DayOffset(edit.today().0 + 6);
    let Some(id) = edit.find_verblijfsobject() else {
        return false;
    };
    edit.reserve(&[id], FollowUp::ReplaceFuture(id));
    edit.edit_object(id, |editor, object| {
        editor.supersede_on(object, begin, add_surface(70))
    })
}

/// Replaces a future change by another one that takes effect on the same day.
pub(crate) fn replace_future_change(edit: &mut StreetEdit<'_>, id: Identificatie) -> bool {
    edit.edit_object(id, |editor, object| {
        let Some(begin) = object
            .open_index()
            .map(|open| object.voorkomens[open].times.begin)
        else {
            return false;
        };
        editor.supersede_on(object, begin, add_surface(90))
    })
}

/// Annuls a future change that the plan registered. If the street has none, registers a future change and annuls it on the same
/// day.
pub(crate) fn annul_future_change(edit: &mut StreetEdit<'_>) -> bool {
    let today = edit.today();
    for object_type in [
        SynthObjectType::Nummeraanduiding,
        SynthObjectType::Verblijfsobject,
    ] {
        let planned = edit.find_object(object_type, |_, object| {
            object.last_two().is_some() && object.open_attributes(today).is_none()
        });
        if let Some(id) = planned {
            return edit.edit_object(id, DayEditor::annul);
        }
    }
    let begin = DayOffset(edit.today().0 + 30);
    edit_verblijfsobject(edit, |editor, object| {
        editor.supersede_on(object, begin, add_surface(30)) && editor.annul(object)
    })
}

pub(crate) fn replace_voorkomens(edit: &mut StreetEdit<'_>) -> bool {
    find_with_predecessor(edit, SynthObjectType::Verblijfsobject).is_some_and(|id| {
        edit.edit_object(id, |editor, object| editor.correct(object, add_surface(11)))
    })
}

fn annul(edit: &mut StreetEdit<'_>, object_type: SynthObjectType) -> bool {
    find_with_predecessor(edit, object_type)
        .is_some_and(|id| edit.edit_object(id, DayEditor::annul))
}

pub(crate) fn annul_voorkomen(edit: &mut StreetEdit<'_>) -> bool {
    annul(edit, SynthObjectType::Verblijfsobject)
}

pub(crate) fn annul_number(edit: &mut StreetEdit<'_>) -> bool {
    annul(edit, SynthObjectType::Nummeraanduiding)
}

pub(crate) fn annul_pand(edit: &mut StreetEdit<'_>) -> bool {
    annul(edit, SynthObjectType::Pand)
}

pub(crate) fn mark_niet_bag(edit: &mut StreetEdit<'_>) -> bool {
    edit_verblijfsobject(edit, DayEditor::mark_niet_bag)
}

pub(crate) fn remove_first_voorkomen(edit: &mut StreetEdit<'_>) -> bool {
    find_with_predecessor(edit, SynthObjectType::Pand)
        .is_some_and(|id| edit.edit_object(id, DayEditor::remove_first))
}

pub(crate) fn remove_last_voorkomen(edit: &mut StreetEdit<'_>) -> bool {
    find_with_predecessor(edit, SynthObjectType::Verblijfsobject)
        .is_some_and(|id| edit.edit_object(id, DayEditor::remove_last))
}

/// Removes a verblijfsobject and its number with all their voorkomens.
pub(crate) fn remove_objects(edit: &mut StreetEdit<'_>) -> bool {
    let Some(dwelling) = edit.find_dwelling() else {
        return false;
    };
    edit.editor.remove(edit.objects, dwelling.number);
    edit.editor.remove(edit.objects, dwelling.object);
    true
}

/// Changes an object this many times on one day.
fn change_repeatedly(editor: &mut DayEditor, object: &mut SynthObject, times: u32) -> bool {
    (1..=times).all(|time| editor.supersede(object, add_surface(time)))
}

/// Changes an object twice on one day, so that the voorkomen in between has zero length.
pub(crate) fn add_zero_length_voorkomen(edit: &mut StreetEdit<'_>) -> bool {
    edit_verblijfsobject(edit, |editor, object| change_repeatedly(editor, object, 2))
}

/// Changes one object three times on one day.
pub(crate) fn change_three_times(edit: &mut StreetEdit<'_>) -> bool {
    edit_verblijfsobject(edit, |editor, object| change_repeatedly(editor, object, 3))
}
