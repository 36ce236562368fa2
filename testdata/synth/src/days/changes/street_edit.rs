//! Holds a street on one day with everything needed to change it, and chooses an object for a change.

use crate::calendar::DayOffset;
use crate::days::editor::DayEditor;
use crate::model::{
    AssignmentStatus, Identificatie, NummeraanduidingAttributes, ObjectAttributes,
    OpenbareRuimteAttributes, PandAttributes, PlaatsAttributes, SynthObjectType, SynthPostcode,
    VerblijfsobjectAttributes, VerblijfsobjectStatus,
};
use crate::plan::{CountryPlan, StreetPlan, TownPlan};
use crate::register::{StreetObjects, SynthObject};
use crate::rng::Rng;

/// A street on one day with everything needed to change it.
pub(crate) struct StreetEdit<'a> {
    pub(crate) country: &'a CountryPlan<'a>,
    pub(crate) plan: &'a StreetPlan,
    pub(crate) objects: &'a mut StreetObjects,
    pub(crate) editor: &'a mut DayEditor,
    pub(crate) rng: &'a mut Rng,
    /// Receives the changes that the next day must make.
    pub(crate) follow_ups: &'a mut Vec<FollowUp>,
}

/// A change that a later day makes to complete an earlier change.
#[derive(Clone, Copy)]
pub(crate) enum FollowUp {
    /// The planned house comes into use.
    Occupy {
        object: Identificatie,
        pand: Identificatie,
    },
    /// The verblijfsobject comes into use again after rebuilding.
    Reopen(Identificatie),
    /// The nummeraanduiding gets its postcode back.
    RestorePostcode(Identificatie, SynthPostcode),
    /// Another change replaces the future change.
    ReplaceFuture(Identificatie),
}

/// Changes a street. Returns false, and changes nothing, if the change fits no object of the street.
pub(crate) type StreetChange = fn(&mut StreetEdit<'_>) -> bool;

/// The objects of a dwelling. No other object refers to its number.
#[derive(Clone, Copy)]
pub(crate) struct DwellingIds {
    pub(crate) number: Identificatie,
    pub(crate) object: Identificatie,
    pub(crate) pand: Identificatie,
}

impl StreetEdit<'_> {
    pub(crate) fn today(&self) -> DayOffset {
        self.editor.today()
    }

    pub(crate) fn town(&self) -> &TownPlan {
        &self.country.towns[self.plan.town]
    }

    /// The first postcode of the street.
    pub(crate) fn first_postcode(&self) -> SynthPostcode {
        self.town().postcode(self.plan.first_postcode)
    }

    /// Closes the open voorkomen of an object, and opens the next one with changed attributes.
    pub(crate) fn supersede(
        &mut self,
        id: Identificatie,
        change: impl FnOnce(&mut ObjectAttributes),
    ) -> bool {
        let Some(object) = self.objects.get_mut(id) else {
            return false;
        };
        self.editor.supersede(object, change)
    }

    /// Applies an operation of the editor to an object.
    pub(crate) fn edit_object(
        &mut self,
        id: Identificatie,
        edit: impl FnOnce(&mut DayEditor, &mut SynthObject) -> bool,
    ) -> bool {
        let Some(object) = self.objects.get_mut(id) else {
            return false;
        };
        edit(self.editor, object)
    }

    /// Adds an object to the street.
    pub(crate) fn add(&mut self, id: Identificatie, attributes: ObjectAttributes) {
        self.editor.add_to_street(self.objects, id, attributes);
    }

    /// Reserves objects of the street for a change on a later day.
    pub(crate) fn reserve(&mut self, ids: &[Identificatie], follow_up: FollowUp) {
        self.objects.reserved.extend(ids);
        self.follow_ups.push(follow_up);
    }

    /// An object of this type that is not reserved and for which `fits` returns true. The search starts at a random object.
    pub(crate) fn find_object(
        &mut self,
        object_type: SynthObjectType,
        fits: impl Fn(&StreetObjects, &SynthObject) -> bool,
    ) -> Option<Identificatie> {
        let free = self.objects.unreserved(object_type);
        let ids: Vec<Identificatie> = free.map(|object| object.id).collect();
        let start = usize::try_from(self.rng.below(ids.len() as u64)).expect("a draw is small");
        let mut rotated = ids[start..].iter().chain(&ids[..start]).copied();
        rotated.find(|&id| {
            self.objects
                .get(id)
                .is_some_and(|object| fits(self.objects, object))
        })
    }

    /// A live verblijfsobject, planned or not.
    pub(crate) fn find_verblijfsobject(&mut self) -> Option<Identificatie> {
        let today = self.today();
        self.find_object(SynthObjectType::Verblijfsobject, |_, object| {
            matches!(object.open_attributes(today), Some(ObjectAttributes::Verblijfsobject(object))
                if object.state.status.is_live())
        })
    }

    /// A dwelling in use, in one existing pand. No other object refers to the dwelling's number.
    pub(crate) fn find_dwelling(&mut self) -> Option<DwellingIds> {
        let today = self.today();
        let id = self.find_object(SynthObjectType::Verblijfsobject, |objects, object| {
            dwelling(objects, object, today).is_some()
        })?;
        dwelling(self.objects, self.objects.get(id)?, today)
    }
}

fn dwelling(
    objects: &StreetObjects,
    object: &SynthObject,
    today: DayOffset,
) -> Option<DwellingIds> {
    let Some(ObjectAttributes::Verblijfsobject(attributes)) = object.open_attributes(today) else {
        return None;
    };
    let (number, pand) = (attributes.hoofdadres, *attributes.panden.first()?);
    let hoofdadres = objects.nummeraanduiding(number, today)?;
    let fits = attributes.state.status == VerblijfsobjectStatus::InGebruik
        && attributes.nevenadressen.is_empty()
        && attributes.panden.len() == 1
        && hoofdadres.state.status == AssignmentStatus::Assigned
        && hoofdadres.state.postcode.is_some()
        && objects.pand(pand, today)?.state.status.exists()
        && ![number, pand]
            .iter()
            .any(|id| objects.reserved.contains(id))
        && objects.count_references(number) == 1;
    fits.then_some(DwellingIds {
        number,
        object: object.id,
        pand,
    })
}

/// Returns a change that applies `change` to an openbare ruimte, and does nothing to other objects.
pub(crate) fn on_openbare_ruimte(
    change: impl FnOnce(&mut OpenbareRuimteAttributes),
) -> impl FnOnce(&mut ObjectAttributes) {
    move |attributes| {
        if let ObjectAttributes::OpenbareRuimte(attributes) = attributes {
            change(attributes);
        }
    }
}

/// Returns a change that applies `change` to a nummeraanduiding, and does nothing to other objects.
pub(crate) fn on_nummeraanduiding(
    change: impl FnOnce(&mut NummeraanduidingAttributes),
) -> impl FnOnce(&mut ObjectAttributes) {
    move |attributes| {
        if let ObjectAttributes::Nummeraanduiding(attributes) = attributes {
            change(attributes);
        }
    }
}

/// Returns a change that applies `change` to a verblijfsobject, and does nothing to other objects.
pub(crate) fn on_verblijfsobject(
    change: impl FnOnce(&mut VerblijfsobjectAttributes),
) -> impl FnOnce(&mut ObjectAttributes) {
    move |attributes| {
        if let ObjectAttributes::Verblijfsobject(attributes) = attributes {
            change(attributes);
        }
    }
}

/// Returns a change that applies `change` to a ligplaats or standplaats, and does nothing to other objects.
pub(crate) fn on_plaats(
    change: impl FnOnce(&mut PlaatsAttributes),
) -> impl FnOnce(&mut ObjectAttributes) {
    move |attributes| {
        if let ObjectAttributes::Plaats(attributes) = attributes {
            change(attributes);
        }
    }
}

/// Returns a change that applies `change` to a pand, and does nothing to other objects.
pub(crate) fn on_pand(
    change: impl FnOnce(&mut PandAttributes),
) -> impl FnOnce(&mut ObjectAttributes) {
    move |attributes| {
        if let ObjectAttributes::Pand(attributes) = attributes {
            change(attributes);
        }
    }
}
