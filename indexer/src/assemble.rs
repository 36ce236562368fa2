//! Assembles an address from objects of the register. Uses no file and no clock.
//!
//! The rules are in `indexer/README.md`, section What becomes an address.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use postduif_schema::{Address, AddressId, BagId, NummeraanduidingKind, PandKind, Purpose};

use crate::day::Day;
use crate::example_count::ExampleCount;
use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, Nummeraanduiding, ObjectStatus, Pand,
};
use crate::rd::RdToWgs84;
use crate::register_places::RegisterPlaces;

/// A nummeraanduiding and the objects that name it as their address, with their states on the stand day.
pub(crate) struct AssemblyCandidate<'a> {
    /// The nummeraanduiding's id.
    pub id: BagId<NummeraanduidingKind>,
    /// The nummeraanduiding; `None` if the register does not have it on the stand day.
    pub nummeraanduiding: Option<&'a Nummeraanduiding>,
    /// Every object that names the nummeraanduiding, including objects with the status [`Gone`](ObjectStatus::Gone).
    pub objects: Vec<(AdresseerbaarObjectId, &'a AdresseerbaarObject)>,
}

postduif_schema::named_enum! {
    /// Why a nummeraanduiding makes no address although it is in force or a live object names it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
    #[serde(rename_all = "camelCase")]
    pub enum LeftOutReason {
        /// The nummeraanduiding has no postcode.
        WithoutPostcode = "without a postcode",
        /// A live object names the nummeraanduiding, but the nummeraanduiding is withdrawn.
        Withdrawn = "nummeraanduiding withdrawn",
        /// The nummeraanduiding is in force, but no live object names it.
        WithoutObject = "no live object",
        /// A live object names the nummeraanduiding, but the register does not have this nummeraanduiding.
        Missing = "nummeraanduiding missing",
        /// The register does not have the street of the nummeraanduiding.
        StreetMissing = "street missing",
        /// The register does not have the town of the nummeraanduiding.
        TownMissing = "town missing",
        /// The nummeraanduiding, its street or its town begins on a later day, or an object names the nummeraanduiding only from a later day on.
        NotInForce = "nummeraanduiding, street, town or object not in force",
        /// The town of the nummeraanduiding is in no municipality.
        TownWithoutMunicipality = "town in no municipality",
        /// The record of the nummeraanduiding, its street or its town in the delivery is invalid and was left out.
        RecordRejected = "record, street or town is invalid",
        /// The nummeraanduiding, its street or its town is outside the area of a register of some municipalities.
        OutsideArea = "nummeraanduiding, street or town outside the area",
    }
}

impl LeftOutReason {
    /// True if the cause is a reference to a missing object, which is rare in a complete delivery.
    pub const fn is_dangling(&self) -> bool {
        matches!(
            self,
            Self::Missing | Self::StreetMissing | Self::TownMissing | Self::TownWithoutMunicipality
        )
    }
}

/// The nummeraanduidingen that make no address, by reason.
pub type LeftOutCounts = BTreeMap<LeftOutReason, ExampleCount>;

/// Makes addresses.
pub(crate) struct AddressAssembler<'a> {
    places: &'a RegisterPlaces,
    rejected: Option<&'a HashSet<u64>>,
    transformation: RdToWgs84,
}

impl<'a> AddressAssembler<'a> {
    /// An assembler for the stand day of `places`.
    pub(crate) fn new(places: &'a RegisterPlaces) -> Self {
        Self {
            places,
            rejected: None,
            transformation: RdToWgs84::new(),
        }
    }

    /// Sets the ids of objects with a rejected record. If such an object is missing, the reason is [`LeftOutReason::RecordRejected`].
    pub(crate) fn with_rejected(self, rejected: Option<&'a HashSet<u64>>) -> Self {
        Self { rejected, ..self }
    }

    /// The reason why an object is missing: `RecordRejected` if a record of the object was rejected, otherwise `reason`.
    fn missing(&self, id: u64, reason: LeftOutReason) -> LeftOutReason {
        match self.rejected {
            Some(rejected) if rejected.contains(&id) => LeftOutReason::RecordRejected,
            _ => reason,
        }
    }

    /// The address of a candidate; `None` if its nummeraanduiding is withdrawn or missing and no live object names it.
    ///
    /// # Errors
    /// The reason, if the nummeraanduiding is in force or a live object names it, but there is no address.
    pub(crate) fn assemble(
        &self,
        candidate: &AssemblyCandidate<'_>,
        find_pand: impl FnMut(BagId<PandKind>) -> Option<Pand>,
    ) -> Result<Option<Address>, LeftOutReason> {
        let issued = candidate
            .nummeraanduiding
            .filter(|nummeraanduiding| nummeraanduiding.uitgegeven);
        let (nummeraanduiding, (object_id, object)) = match (issued, choose_object(candidate)) {
            (Some(nummeraanduiding), Some(object)) => (nummeraanduiding, object),
            (Some(_), None) => return Err(LeftOutReason::WithoutObject),
            (None, Some(_)) if candidate.nummeraanduiding.is_none() => {
                return Err(self.missing(candidate.id.get(), LeftOutReason::Missing));
            }
            (None, Some(_)) => return Err(LeftOutReason::Withdrawn),
            (None, None) => return Ok(None),
        };
        let postcode = nummeraanduiding
            .postcode
            .ok_or(LeftOutReason::WithoutPostcode)?;
        let street = self
            .places
            .street(nummeraanduiding.ligt_aan)
            .ok_or_else(|| {
                self.missing(
                    nummeraanduiding.ligt_aan.get(),
                    LeftOutReason::StreetMissing,
                )
            })?;
        let town = nummeraanduiding.ligt_in.unwrap_or(street.woonplaats);
        let town = self
            .places
            .town(town)
            .ok_or_else(|| self.missing(town.get().into(), LeftOutReason::TownMissing))?;
        let town = town.ok_or(LeftOutReason::TownWithoutMunicipality)?;
        Ok(Some(Address {
            id: AddressId::from(candidate.id),
            postcode,
            number: nummeraanduiding.huisnummer,
            letter: nummeraanduiding.huisletter,
            addition: nummeraanduiding.toevoeging,
            street_id: Some(nummeraanduiding.ligt_aan),
            street: street.name.clone(),
            city: town.city.clone(),
            municipality: town.municipality.clone(),
            province: town.province.clone(),
            location: object
                .location
                .and_then(|rd| self.transformation.transform(rd)),
            purposes: object.purposes,
            other_purposes: object
                .other_purposes
                .as_ref()
                .map(|others| Arc::from(&*others.0)),
            surface_m2: object.surface_m2,
            construction_year: construction_year(object, self.places.day, find_pand),
            kind: object_id.kind(),
            planned: object.status == ObjectStatus::Planned,
        }))
    }
}

/// Chooses one of several objects with the same address (NLExtract issue 173). An object in use comes before a planned one, then a
/// dwelling before another object, then the lower id.
fn choose_object<'a>(
    candidate: &AssemblyCandidate<'a>,
) -> Option<(AdresseerbaarObjectId, &'a AdresseerbaarObject)> {
    let live = candidate
        .objects
        .iter()
        .copied()
        .filter(|(_, object)| object.status != ObjectStatus::Gone);
    live.min_by_key(|&(id, object)| {
        (
            object.status == ObjectStatus::Planned,
            !object.purposes.contains(Purpose::Woonfunctie),
            id,
        )
    })
}

fn construction_year(
    object: &AdresseerbaarObject,
    stand: Day,
    mut find_pand: impl FnMut(BagId<PandKind>) -> Option<Pand>,
) -> Option<u16> {
    let existing_panden = object
        .panden
        .iter()
        .filter_map(|&id| find_pand(id))
        .filter(|pand| pand.exists);
    existing_panden
        .filter_map(|pand| pand.bouwjaar_on(stand))
        .min()
}

/// Counts one nummeraanduiding that makes no address.
pub(crate) fn count_left_out(
    counts: &mut LeftOutCounts,
    reason: LeftOutReason,
    id: BagId<NummeraanduidingKind>,
) {
    counts.entry(reason).or_default().add(id);
}

/// Adds the counts of the next nummeraanduidingen to `counts`.
pub(crate) fn merge_left_out(counts: &mut LeftOutCounts, next: &LeftOutCounts) {
    for (reason, counted) in next {
        counts.entry(*reason).or_default().append(counted);
    }
}

#[cfg(test)]
mod tests;
