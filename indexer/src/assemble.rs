//! From objects of the register to an address. Pure: no file, no clock.
//!
//! The rules are those of decisions, Addresses.

use std::collections::BTreeMap;

use postduif_schema::{Address, AddressId, BagId, NummeraanduidingKind, PandKind, Purpose};

use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, Nummeraanduiding, ObjectStatus, Pand,
};
use crate::rd::RdToWgs84;
use crate::register_places::RegisterPlaces;

/// A nummeraanduiding with the objects that name it as their address, all as they are on the stand day.
pub(crate) struct AssemblyCandidate<'a> {
    /// The nummeraanduiding's id.
    pub id: BagId<NummeraanduidingKind>,
    /// The nummeraanduiding; none when the register has none with that id on the day.
    pub nummeraanduiding: Option<&'a Nummeraanduiding>,
    /// Every object that names it, gone ones too.
    pub objects: Vec<(AdresseerbaarObjectId, &'a AdresseerbaarObject)>,
}

/// Why a nummeraanduiding that is named, or that is in force, makes no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum LeftOutReason {
    /// It has no postcode.
    WithoutPostcode,
    /// A live object names it, but it is withdrawn.
    Withdrawn,
    /// It is in force, but no live object names it.
    WithoutObject,
    /// A live object names it, but the register does not have it.
    Missing,
    /// The register does not have its street.
    StreetMissing,
    /// The register does not have its town.
    TownMissing,
    /// No municipality has its town.
    TownWithoutMunicipality,
}

impl LeftOutReason {
    /// In plain words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WithoutPostcode => "without a postcode",
            Self::Withdrawn => "nummeraanduiding withdrawn",
            Self::WithoutObject => "no live object",
            Self::Missing => "nummeraanduiding missing",
            Self::StreetMissing => "street missing",
            Self::TownMissing => "town missing",
            Self::TownWithoutMunicipality => "town in no municipality",
        }
    }

    /// Whether the register refers to something that it does not hold, which a sound delivery hardly ever does.
    #[must_use]
    pub const fn is_dangling(&self) -> bool {
        matches!(
            self,
            Self::Missing | Self::StreetMissing | Self::TownMissing | Self::TownWithoutMunicipality
        )
    }
}

/// How many nummeraanduidingen made no address, and the first few of each reason.
pub type LeftOutCounts = BTreeMap<LeftOutReason, LeftOutCount>;

/// One reason's count.
#[derive(Debug, Default, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LeftOutCount {
    /// How many.
    pub count: u64,
    /// The first few ids.
    pub examples: Vec<String>,
}

/// Makes addresses.
pub(crate) struct AddressAssembler<'a> {
    places: &'a RegisterPlaces,
    transformation: RdToWgs84,
}

impl<'a> AddressAssembler<'a> {
    /// Prepares for one stand day, whose streets and towns `places` holds.
    #[must_use]
    pub(crate) fn new(places: &'a RegisterPlaces) -> Self {
        Self {
            places,
            transformation: RdToWgs84::new(),
        }
    }

    /// The address that a candidate makes; none when it is simply dead: withdrawn, and no live object names it.
    ///
    /// # Errors
    /// Why a candidate makes no address although something in it is live.
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
                return Err(LeftOutReason::Missing);
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
            .ok_or(LeftOutReason::StreetMissing)?;
        let town = self
            .places
            .town(nummeraanduiding.ligt_in.unwrap_or(street.woonplaats))
            .ok_or(LeftOutReason::TownMissing)?;
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
            surface_m2: object.surface_m2,
            construction_year: construction_year(object, find_pand),
            kind: object_id.kind(),
            planned: object.status == ObjectStatus::Planned,
        }))
    }
}

/// One nummeraanduiding may be the address of several objects (NLExtract issue 173): the one in use before one that is
/// planned, then a dwelling, then the lowest id.
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
    mut find_pand: impl FnMut(BagId<PandKind>) -> Option<Pand>,
) -> Option<u16> {
    let existing_panden = object
        .panden
        .iter()
        .filter_map(|&id| find_pand(id))
        .filter(|pand| pand.exists);
    existing_panden.filter_map(|pand| pand.bouwjaar).min()
}

/// How many ids are told of each reason.
const MAX_EXAMPLES: usize = 5;

/// Counts one more.
pub(crate) fn count_left_out(
    counts: &mut LeftOutCounts,
    reason: LeftOutReason,
    id: BagId<NummeraanduidingKind>,
) {
    let counted = counts.entry(reason).or_default();
    counted.count += 1;
    if counted.examples.len() < MAX_EXAMPLES {
        counted.examples.push(id.to_string());
    }
}

/// Adds the counts of what comes behind.
pub(crate) fn merge_left_out(counts: &mut LeftOutCounts, next: LeftOutCounts) {
    for (reason, LeftOutCount { count, examples }) in next {
        let counted = counts.entry(reason).or_default();
        counted.count += count;
        counted.examples.extend(examples);
        counted.examples.truncate(MAX_EXAMPLES);
    }
}

#[cfg(test)]
mod tests;
