//! Changes verblijfsobjecten and panden.

use super::street_edit::{FollowUp, StreetEdit, on_nummeraanduiding, on_pand, on_verblijfsobject};
use crate::geometry::ObjectGeometry;
use crate::model::{
    AssignmentStatus, GebruiksdoelSet, Identificatie, ObjectAttributes, PandStatus,
    SynthObjectType, VerblijfsobjectAttributes, VerblijfsobjectStatus as Status,
};

fn change_verblijfsobject(
    edit: &mut StreetEdit<'_>,
    change: impl FnOnce(&mut VerblijfsobjectAttributes),
) -> bool {
    edit.find_verblijfsobject()
        .is_some_and(|id| edit.supersede(id, on_verblijfsobject(change)))
}

pub(crate) fn change_surface(edit: &mut StreetEdit<'_>) -> bool {
    let more = u32::try_from(1 + edit.rng.below(40)).expect("a draw is small");
    change_verblijfsobject(edit, |object| {
        object.state.surface_m2 = (object.state.surface_m2 + more) % 9_000 + 1;
    })
}

pub(crate) fn change_gebruiksdoelen(edit: &mut StreetEdit<'_>) -> bool {
    let bit = 1_u16 << edit.rng.below(11);
    change_verblijfsobject(edit, |object| {
        let set = object.state.purposes.0 ^ bit;
        object.state.purposes = if set == 0 {
            GebruiksdoelSet::OVERIG
        } else {
            GebruiksdoelSet(set)
        };
    })
}

/// Starts rebuilding a verblijfsobject. A later day puts it in use again.
pub(crate) fn rebuild(edit: &mut StreetEdit<'_>) -> bool {
    let Some(dwelling) = edit.find_dwelling() else {
        return false;
    };
    edit.reserve(&[dwelling.object], FollowUp::Reopen(dwelling.object));
    edit.supersede(
        dwelling.object,
        on_verblijfsobject(|object| object.state.status = Status::Verbouwing),
    )
}

pub(crate) fn reopen(edit: &mut StreetEdit<'_>, id: Identificatie) -> bool {
    edit.supersede(
        id,
        on_verblijfsobject(|object| object.state.status = Status::InGebruik),
    )
}

/// Moves a verblijfsobject to another location.
pub(crate) fn move_verblijfsobject(edit: &mut StreetEdit<'_>) -> bool {
    let step = i64::from(edit.rng.between(-1_500, 1_500));
    change_verblijfsobject(edit, |object| {
        let location = object.geometry.centroid().plus(step, 701);
        object.geometry = ObjectGeometry::Point(location);
    })
}

/// Adds a pand to a verblijfsobject, or removes one of its panden.
pub(crate) fn change_panden(edit: &mut StreetEdit<'_>) -> bool {
    let today = edit.today();
    let pand = edit.find_object(SynthObjectType::Pand, |_, object| {
        matches!(object.open_attributes(today), Some(ObjectAttributes::Pand(pand))
            if pand.state.status.exists())
    });
    let (Some(pand), Some(id)) = (pand, edit.find_verblijfsobject()) else {
        return false;
    };
    edit.supersede(
        id,
        on_verblijfsobject(|object| {
            if object.panden.contains(&pand) && object.panden.len() > 1 {
                object.panden.retain(|&other| other != pand);
            } else if object.panden.contains(&pand) {
                object.state.surface_m2 += 1;
            } else if object.panden.len() > 2 {
                object.panden = vec![pand];
            } else {
                object.panden.push(pand);
                object.panden.sort_unstable();
            }
        }),
    )
}

/// Withdraws a verblijfsobject, then its number.
pub(crate) fn withdraw_verblijfsobject(edit: &mut StreetEdit<'_>) -> bool {
    let Some(dwelling) = edit.find_dwelling() else {
        return false;
    };
    edit.supersede(
        dwelling.object,
        on_verblijfsobject(|object| object.state.status = Status::Ingetrokken),
    ) && edit.supersede(
        dwelling.number,
        on_nummeraanduiding(|number| number.state.status = AssignmentStatus::Withdrawn),
    )
}

pub(crate) fn change_pand_year(edit: &mut StreetEdit<'_>) -> bool {
    let today = edit.today();
    let pand = edit.find_object(SynthObjectType::Pand, |_, object| {
        object.open_attributes(today).is_some()
    });
    let stand = edit.country.calendar.year();
    pand.is_some_and(|id| {
        edit.supersede(
            id,
            on_pand(|pand| {
                let known = pand.state.year < stand;
                pand.state.year = if known { pand.state.year + 1 } else { 1_950 };
            }),
        )
    })
}

/// Demolishes a pand. The verblijfsobject in the pand stays in the register.
pub(crate) fn demolish_pand(edit: &mut StreetEdit<'_>) -> bool {
    let Some(dwelling) = edit.find_dwelling() else {
        return false;
    };
    edit.supersede(
        dwelling.pand,
        on_pand(|pand| pand.state.status = PandStatus::Gesloopt),
    )
}
