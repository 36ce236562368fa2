//! Plans houses and then builds them.

use super::street_edit::{FollowUp, StreetEdit, on_pand, on_verblijfsobject};
use crate::geometry::{ObjectGeometry, RdPoint};
use crate::model::{
    Identificatie, NummeraanduidingAttributes, NummeraanduidingState, ObjectAttributes, ObjectKind,
    PandAttributes, PandState, PandStatus, SynthObjectType, SynthPostcode,
    VerblijfsobjectAttributes, VerblijfsobjectState, VerblijfsobjectStatus as Status,
};

/// Plans a house today. A later day puts the house in use.
pub(crate) fn plan_house(edit: &mut StreetEdit<'_>) -> bool {
    if !edit.objects.has_room() {
        return false;
    }
    let Some(beside) = edit.find_verblijfsobject() else {
        return false;
    };
    let today = edit.today();
    let beside = edit.objects.get(beside);
    let attributes = beside.and_then(|object| object.open_attributes(today));
    let Some(ObjectAttributes::Verblijfsobject(attributes)) = attributes else {
        return false;
    };
    let number = edit.objects.next_house_number();
    let location = attributes
        .geometry
        .centroid()
        .plus(7_003, i64::from(number % 90) * 211);
    let state = PandState {
        status: PandStatus::BouwvergunningVerleend,
        year: edit.country.calendar.year() + 1,
    };
    let address = (number, edit.first_postcode(), location);
    let [object, pand] = add_house(edit, address, Status::Gevormd, state);
    edit.reserve(&[object, pand], FollowUp::Occupy { object, pand });
    true
}

/// Adds a pand, a number and a verblijfsobject; returns the identificaties of the verblijfsobject and the pand.
pub(crate) fn add_house(
    edit: &mut StreetEdit<'_>,
    (number, postcode, at): (u32, SynthPostcode, RdPoint),
    status: Status,
    state: PandState,
) -> [Identificatie; 2] {
    let street = edit.objects.openbare_ruimte().id;
    let pand = edit.objects.issue_id(SynthObjectType::Pand);
    let geometry = ObjectGeometry::Parallelogram {
        at,
        u: RdPoint { x: 3_501, y: 0 },
        v: RdPoint { x: 0, y: 4_503 },
    };
    edit.add(
        pand,
        ObjectAttributes::Pand(PandAttributes { geometry, state }),
    );
    let hoofdadres = edit.objects.issue_id(SynthObjectType::Nummeraanduiding);
    let attributes = NummeraanduidingAttributes {
        number,
        letter: None,
        addition: None,
        kind: ObjectKind::Verblijfsobject,
        street,
        state: NummeraanduidingState::assigned(postcode),
    };
    edit.add(hoofdadres, ObjectAttributes::Nummeraanduiding(attributes));
    let object = edit.objects.issue_id(SynthObjectType::Verblijfsobject);
    let attributes = VerblijfsobjectAttributes {
        hoofdadres,
        nevenadressen: Vec::new(),
        geometry: ObjectGeometry::Point(at),
        panden: vec![pand],
        state: VerblijfsobjectState::DWELLING.with_status(status),
    };
    edit.add(object, ObjectAttributes::Verblijfsobject(attributes));
    [object, pand]
}

/// Completes a planned house: the pand now exists, and the verblijfsobject is in use.
pub(crate) fn occupy_house(
    edit: &mut StreetEdit<'_>,
    object: Identificatie,
    pand: Identificatie,
) -> bool {
    let built = edit.supersede(
        pand,
        on_pand(|pand| pand.state.status = PandStatus::InGebruik),
    );
    let occupied = edit.supersede(
        object,
        on_verblijfsobject(|object| object.state.status = Status::InGebruik),
    );
    built && occupied
}
