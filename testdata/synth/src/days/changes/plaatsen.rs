//! Changes ligplaatsen and standplaatsen.

use super::street_edit::{StreetEdit, on_nummeraanduiding, on_plaats};
use crate::geometry::{ObjectGeometry, RdPoint};
use crate::model::{
    AssignmentStatus, Identificatie, NummeraanduidingAttributes, NummeraanduidingState,
    ObjectAttributes, ObjectKind, PlaatsAttributes, SynthObjectType,
};

fn find_assigned(edit: &mut StreetEdit<'_>, object_type: SynthObjectType) -> Option<Identificatie> {
    let today = edit.today();
    edit.find_object(object_type, |_, object| {
        matches!(object.open_attributes(today), Some(ObjectAttributes::Plaats(plaats))
            if plaats.status == AssignmentStatus::Assigned)
    })
}

fn area(at: RdPoint) -> ObjectGeometry {
    ObjectGeometry::Parallelogram {
        at,
        u: RdPoint { x: 6_001, y: 400 },
        v: RdPoint { x: -200, y: 2_003 },
    }
}

fn move_plaats(edit: &mut StreetEdit<'_>, object_type: SynthObjectType) -> bool {
    find_assigned(edit, object_type).is_some_and(|id| {
        edit.supersede(
            id,
            on_plaats(|plaats| plaats.geometry = area(plaats.geometry.centroid().plus(903, -407))),
        )
    })
}

pub(crate) fn move_ligplaats(edit: &mut StreetEdit<'_>) -> bool {
    move_plaats(edit, SynthObjectType::Ligplaats)
}

pub(crate) fn move_standplaats(edit: &mut StreetEdit<'_>) -> bool {
    move_plaats(edit, SynthObjectType::Standplaats)
}

/// Withdraws a ligplaats or standplaats, and then its number.
pub(crate) fn withdraw_plaats(edit: &mut StreetEdit<'_>) -> bool {
    let found = find_assigned(edit, SynthObjectType::Ligplaats)
        .or_else(|| find_assigned(edit, SynthObjectType::Standplaats));
    let today = edit.today();
    let attributes = found.and_then(|id| edit.objects.get(id)?.open_attributes(today));
    let (Some(id), Some(ObjectAttributes::Plaats(plaats))) = (found, attributes) else {
        return false;
    };
    let number = plaats.hoofdadres;
    edit.supersede(
        id,
        on_plaats(|plaats| plaats.status = AssignmentStatus::Withdrawn),
    ) && edit.supersede(
        number,
        on_nummeraanduiding(|number| number.state.status = AssignmentStatus::Withdrawn),
    )
}

/// Adds one ligplaats and one standplaats, each with a number.
pub(crate) fn add_plaatsen(edit: &mut StreetEdit<'_>) -> bool {
    if !edit.objects.has_room() {
        return false;
    }
    let types = [
        (SynthObjectType::Ligplaats, ObjectKind::Ligplaats),
        (SynthObjectType::Standplaats, ObjectKind::Standplaats),
    ];
    for (object_type, kind) in types {
        let number = edit.objects.next_house_number();
        let middle = edit.town().street_middle(edit.plan.index);
        let hoofdadres = edit.objects.issue_id(SynthObjectType::Nummeraanduiding);
        let attributes = NummeraanduidingAttributes {
            number,
            letter: None,
            addition: None,
            kind,
            street: edit.objects.openbare_ruimte().id,
            state: NummeraanduidingState::assigned(edit.first_postcode()),
        };
        edit.add(hoofdadres, ObjectAttributes::Nummeraanduiding(attributes));
        let id = edit.objects.issue_id(object_type);
        let attributes = PlaatsAttributes {
            hoofdadres,
            nevenadressen: Vec::new(),
            geometry: area(middle.plus(i64::from(number) * 31, 20_003)),
            status: AssignmentStatus::Assigned,
        };
        edit.add(id, ObjectAttributes::Plaats(attributes));
    }
    true
}
