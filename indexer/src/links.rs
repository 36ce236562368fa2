//! The ways back: which objects refer to one.

use postduif_schema::{BagId, Nummeraanduiding, OpenbareRuimte, Pand, WoonplaatsCode};

use crate::extract::Stand;
use crate::objects::ObjectId;

/// Pairs of what is referred to and what refers to it, sorted, each once. Every voorkomen that holds on the stand day or
/// later counts, so that a change finds what it reaches now or will reach.
pub(crate) struct Links {
    pub(crate) streets_in_woonplaats: Vec<(WoonplaatsCode, BagId<OpenbareRuimte>)>,
    pub(crate) nummeraanduidingen_in_woonplaats: Vec<(WoonplaatsCode, BagId<Nummeraanduiding>)>,
    pub(crate) nummeraanduidingen_at_street: Vec<(BagId<OpenbareRuimte>, BagId<Nummeraanduiding>)>,
    pub(crate) objects_of_nummeraanduiding: Vec<(BagId<Nummeraanduiding>, ObjectId)>,
    pub(crate) objects_in_pand: Vec<(BagId<Pand>, ObjectId)>,
}

impl Links {
    pub(crate) fn of(stand: &Stand) -> Self {
        let streets = stand.openbare_ruimten.records();
        let nummeraanduidingen = stand.nummeraanduidingen.records();
        let objects = stand.objects.records();
        Self {
            streets_in_woonplaats: sorted(
                streets
                    .iter()
                    .map(|street| (street.voorkomen.state.woonplaats, street.id)),
            ),
            nummeraanduidingen_in_woonplaats: sorted(
                nummeraanduidingen
                    .iter()
                    .filter_map(|record| Some((record.voorkomen.state.ligt_in?, record.id))),
            ),
            nummeraanduidingen_at_street: sorted(
                nummeraanduidingen
                    .iter()
                    .map(|record| (record.voorkomen.state.ligt_aan, record.id)),
            ),
            objects_of_nummeraanduiding: sorted(objects.iter().flat_map(|object| {
                object
                    .voorkomen
                    .state
                    .adressen()
                    .map(|nummeraanduiding| (nummeraanduiding, object.id))
            })),
            objects_in_pand: sorted(objects.iter().flat_map(|object| {
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

fn sorted<A: Ord, B: Ord>(pairs: impl Iterator<Item = (A, B)>) -> Vec<(A, B)> {
    let mut pairs: Vec<(A, B)> = pairs.collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
