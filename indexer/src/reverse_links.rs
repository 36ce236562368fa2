//! Collects the reverse links of a stand. A reverse link leads from the target of a reference to the object that refers to it.

use postduif_schema::{BagId, NummeraanduidingKind, OpenbareRuimteKind, PandKind, WoonplaatsCode};

use crate::extract::StandTables;
use crate::objects::AdresseerbaarObjectId;

/// Sorted, unique pairs of a target and the object that refers to the target. They include the references of every voorkomen that
/// holds on the stand day or later, so that all addresses that a change affects now or later can be found.
pub(crate) struct ReverseLinks {
    pub(crate) streets_in_woonplaats: Vec<(WoonplaatsCode, BagId<OpenbareRuimteKind>)>,
    pub(crate) nummeraanduidingen_in_woonplaats: Vec<(WoonplaatsCode, BagId<NummeraanduidingKind>)>,
    pub(crate) nummeraanduidingen_at_street:
        Vec<(BagId<OpenbareRuimteKind>, BagId<NummeraanduidingKind>)>,
    pub(crate) objects_of_nummeraanduiding:
        Vec<(BagId<NummeraanduidingKind>, AdresseerbaarObjectId)>,
    pub(crate) objects_in_pand: Vec<(BagId<PandKind>, AdresseerbaarObjectId)>,
}

impl ReverseLinks {
    pub(crate) fn from_stand(stand: &StandTables) -> Self {
        let streets = &stand.openbare_ruimten.records;
        let nummeraanduidingen = &stand.nummeraanduidingen.records;
        let objects = &stand.objects.records;
        Self {
            streets_in_woonplaats: sorted_unique(
                streets
                    .iter()
                    .map(|street| (street.voorkomen.state.woonplaats, street.id)),
            ),
            nummeraanduidingen_in_woonplaats: sorted_unique(
                nummeraanduidingen
                    .iter()
                    .filter_map(|record| Some((record.voorkomen.state.ligt_in?, record.id))),
            ),
            nummeraanduidingen_at_street: sorted_unique(
                nummeraanduidingen
                    .iter()
                    .map(|record| (record.voorkomen.state.ligt_aan, record.id)),
            ),
            objects_of_nummeraanduiding: sorted_unique(objects.iter().flat_map(|object| {
                object
                    .voorkomen
                    .state
                    .adressen()
                    .map(|nummeraanduiding| (nummeraanduiding, object.id))
            })),
            objects_in_pand: sorted_unique(objects.iter().flat_map(|object| {
                object
                    .voorkomen
                    .state
                    .panden
                    .iter()
                    .map(|&pand| (pand, object.id))
            })),
        }
    }
}

fn sorted_unique<A: Ord, B: Ord>(pairs: impl Iterator<Item = (A, B)>) -> Vec<(A, B)> {
    let mut pairs: Vec<(A, B)> = pairs.collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{id, nummeraanduiding, object, object_id, stand, town, version};
    use crate::objects::{AdresseerbaarObject, Nummeraanduiding as State, VoorkomenRecord};
    use postduif_schema::VerblijfsobjectKind;

    #[test]
    fn the_references_of_every_version_are_linked_once() {
        let num = |number, period, street, ligt_in: Option<&str>| VoorkomenRecord {
            id: id(1),
            voorkomen: version(
                number,
                period,
                State {
                    ligt_aan: id(street),
                    ligt_in: ligt_in.map(town),
                    ..nummeraanduiding()
                },
            ),
        };
        let naming = |number, period, nums: [u64; 2], panden: &[u64]| VoorkomenRecord {
            id: object_id::<VerblijfsobjectKind>(1),
            voorkomen: version(
                number,
                period,
                AdresseerbaarObject {
                    hoofdadres: id(nums[0]),
                    nevenadressen: [id(nums[1])].into(),
                    panden: panden.iter().map(|&number| id(number)).collect(),
                    ..object()
                },
            ),
        };
        let (now, later) = ("2010-01-01..2022-01-01", "2022-01-01..");
        let nums = vec![
            num(1, now, 2, None),
            num(2, later, 1, Some("1012")),
            num(3, later, 1, Some("1012")),
        ];
        let objects = vec![
            naming(1, now, [3, 1], &[2, 1]),
            naming(2, later, [1, 2], &[1, 3]),
        ];
        let links = ReverseLinks::from_stand(&stand(nums, objects));
        let object = object_id::<VerblijfsobjectKind>(1);
        assert_eq!(
            links.nummeraanduidingen_at_street,
            [(id(1), id(1)), (id(2), id(1))]
        );
        assert_eq!(
            links.nummeraanduidingen_in_woonplaats,
            [(town("1012"), id(1))]
        );
        assert_eq!(
            links.objects_of_nummeraanduiding,
            [1, 2, 3].map(|number| (id(number), object))
        );
        assert_eq!(
            links.objects_in_pand,
            [1, 2, 3].map(|number| (id(number), object))
        );
        assert_eq!(links.streets_in_woonplaats, [(town("3631"), id(1))]);
    }
}
