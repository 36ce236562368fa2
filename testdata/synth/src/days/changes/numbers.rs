//! Changes nummeraanduidingen.

use super::street_edit::{
    FollowUp, StreetEdit, on_nummeraanduiding, on_plaats, on_verblijfsobject,
};
use crate::model::{
    AssignmentStatus, Identificatie, NummeraanduidingAttributes, NummeraanduidingState,
    ObjectAttributes, ObjectKind, SynthObjectType, SynthPostcode,
};

fn change_number(
    edit: &mut StreetEdit<'_>,
    change: impl FnOnce(&mut NummeraanduidingAttributes),
) -> bool {
    edit.find_dwelling()
        .is_some_and(|dwelling| edit.supersede(dwelling.number, on_nummeraanduiding(change)))
}

/// Removes the postcode of a number today. A later day gives the postcode back.
pub(crate) fn remove_postcode(edit: &mut StreetEdit<'_>) -> bool {
    let Some(dwelling) = edit.find_dwelling() else {
        return false;
    };
    let today = edit.today();
    let number = edit.objects.nummeraanduiding(dwelling.number, today);
    let Some(postcode) = number.and_then(|number| number.state.postcode) else {
        return false;
    };
    let ids = [dwelling.number, dwelling.object, dwelling.pand];
    edit.reserve(&ids, FollowUp::RestorePostcode(dwelling.number, postcode));
    edit.supersede(
        dwelling.number,
        on_nummeraanduiding(|number| number.state.postcode = None),
    )
}

pub(crate) fn set_postcode(
    edit: &mut StreetEdit<'_>,
    id: Identificatie,
    postcode: SynthPostcode,
) -> bool {
    edit.supersede(
        id,
        on_nummeraanduiding(|number| number.state.postcode = Some(postcode)),
    )
}

pub(crate) fn change_postcode(edit: &mut StreetEdit<'_>) -> bool {
    let step = usize::try_from(edit.rng.below(3)).expect("a draw is small");
    let postcode = edit.town().postcode(edit.plan.first_postcode + step);
    change_number(edit, |number| {
        let changed = number.state.postcode != Some(postcode);
        number.state.postcode = Some(postcode);
        if !changed {
            number.letter = Some('p');
        }
    })
}

/// Gives a postcode to a number without one.
pub(crate) fn give_postcode(edit: &mut StreetEdit<'_>) -> bool {
    let (today, postcode) = (edit.today(), edit.first_postcode());
    let without = edit.find_object(SynthObjectType::Nummeraanduiding, |_, object| {
        matches!(object.open_attributes(today), Some(ObjectAttributes::Nummeraanduiding(number))
            if number.state.status == AssignmentStatus::Assigned && number.state.postcode.is_none())
    });
    without.is_some_and(|id| set_postcode(edit, id, postcode))
}

pub(crate) fn change_house_number(edit: &mut StreetEdit<'_>) -> bool {
    let house_number = edit.objects.next_house_number();
    change_number(edit, |number| number.number = house_number)
}

pub(crate) fn change_letter(edit: &mut StreetEdit<'_>) -> bool {
    change_number(edit, |number| {
        number.letter = match number.letter {
            None => Some('h'),
            Some(_) => None,
        };
    })
}

pub(crate) fn change_addition(edit: &mut StreetEdit<'_>) -> bool {
    change_number(edit, |number| {
        number.addition = match number.addition {
            None => Some("7bis".to_owned()),
            Some(_) => None,
        };
    })
}

/// Withdraws a number to which its object still refers.
pub(crate) fn withdraw_number(edit: &mut StreetEdit<'_>) -> bool {
    change_number(edit, |number| {
        number.state.status = AssignmentStatus::Withdrawn;
    })
}

pub(crate) fn set_own_woonplaats(edit: &mut StreetEdit<'_>) -> bool {
    if edit.objects.is_outside {
        return false;
    }
    let neighbour = edit.country.neighbour(edit.plan.town).code;
    change_number(edit, |number| {
        number.state.woonplaats = match number.state.woonplaats {
            None => Some(neighbour),
            Some(_) => None,
        };
    })
}

/// Gives a verblijfsobject a second number.
pub(crate) fn add_nevenadres(edit: &mut StreetEdit<'_>) -> bool {
    if !edit.objects.has_room() {
        return false;
    }
    let Some(dwelling) = edit.find_dwelling() else {
        return false;
    };
    let id = edit.objects.issue_id(SynthObjectType::Nummeraanduiding);
    let attributes = NummeraanduidingAttributes {
        number: edit.objects.next_house_number(),
        letter: Some('n'),
        addition: None,
        kind: ObjectKind::Verblijfsobject,
        street: edit.objects.openbare_ruimte().id,
        state: NummeraanduidingState::assigned(edit.first_postcode()),
    };
    edit.add(id, ObjectAttributes::Nummeraanduiding(attributes));
    edit.supersede(
        dwelling.object,
        on_verblijfsobject(|object| object.nevenadressen.push(id)),
    )
}

/// Swaps the hoofdadres and a nevenadres of an object.
pub(crate) fn swap_hoofdadres(edit: &mut StreetEdit<'_>) -> bool {
    let today = edit.today();
    for object_type in [SynthObjectType::Verblijfsobject, SynthObjectType::Ligplaats] {
        let found = edit.find_object(object_type, |_, object| {
            match object.open_attributes(today) {
                Some(ObjectAttributes::Verblijfsobject(object)) => !object.nevenadressen.is_empty(),
                Some(ObjectAttributes::Plaats(plaats)) => !plaats.nevenadressen.is_empty(),
                _ => false,
            }
        });
        if let Some(id) = found {
            return edit.supersede(id, |attributes| {
                on_verblijfsobject(|object| {
                    std::mem::swap(&mut object.hoofdadres, &mut object.nevenadressen[0]);
                })(attributes);
                on_plaats(|plaats| {
                    std::mem::swap(&mut plaats.hoofdadres, &mut plaats.nevenadressen[0]);
                })(attributes);
            });
        }
    }
    false
}
