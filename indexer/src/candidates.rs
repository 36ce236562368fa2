//! Lists every nummeraanduiding of a stand with its objects, in the order in which addresses are stored.

use postduif_schema::{BagId, NummeraanduidingKind};

use crate::address_index::storage_order_key;
use crate::assemble::AssemblyCandidate;
use crate::day::Day;
use crate::extract::StandTables;
use crate::objects::{AdresseerbaarObject, AdresseerbaarObjectId};
use crate::reverse_links::ReverseLinks;

/// The candidates of a stand, in storage order. In this order the addresses of a postcode are adjacent in the index, so that a look-up
/// reads adjacent data.
pub(crate) struct AssemblyCandidates<'a> {
    stand: &'a StandTables,
    links: &'a ReverseLinks,
    day: Day,
    slots: Vec<CandidateSlot>,
}

/// The position of a nummeraanduiding in storage order: by postcode and number, then by id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CandidateSlot {
    key: u64,
    id: BagId<NummeraanduidingKind>,
    /// The index of the nummeraanduiding's first link in `ReverseLinks::objects_of_nummeraanduiding`.
    first_link: usize,
}

impl<'a> AssemblyCandidates<'a> {
    /// Lists every nummeraanduiding that the stand has on the day, and every other nummeraanduiding that an object names.
    pub(crate) fn new(stand: &'a StandTables, links: &'a ReverseLinks, day: Day) -> Self {
        let of_objects = &links.objects_of_nummeraanduiding;
        let mut slots = Vec::with_capacity(of_objects.len());
        let mut linked = of_objects
            .iter()
            .enumerate()
            .map(|(link, &(id, _))| (id, link))
            .peekable();
        let slot_without_state = |(id, link): (BagId<NummeraanduidingKind>, usize)| CandidateSlot {
            key: u64::MAX,
            id,
            first_link: link,
        };
        for (id, state) in stand.nummeraanduidingen.states_on(day) {
            while let Some(named) = linked.next_if(|&(named, _)| named < id) {
                slots.push(slot_without_state(named));
            }
            let link = linked.peek().map_or(of_objects.len(), |&(_, link)| link);
            while linked.next_if(|&(named, _)| named == id).is_some() {}
            slots.push(CandidateSlot {
                key: storage_order_key(state.postcode, state.huisnummer, state.huisletter),
                id,
                first_link: link,
            });
        }
        slots.extend(linked.map(slot_without_state));
        // An id without a nummeraanduiding has a slot for each object that names it. Keep only the first slot.
        slots.sort_unstable();
        slots.dedup_by_key(|slot| slot.id);
        Self {
            stand,
            links,
            day,
            slots,
        }
    }

    /// Whether an object names a candidate only from a later day on.
    pub(crate) fn has_later_object(&self, candidate: &AssemblyCandidate<'_>) -> bool {
        let links = &self.links.objects_of_nummeraanduiding;
        let first = links.partition_point(|&(id, _)| id < candidate.id);
        links[first..]
            .iter()
            .take_while(|&&(id, _)| id == candidate.id)
            .any(|&(id, object)| self.object_with_address(object, id).is_none())
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = AssemblyCandidate<'a>> {
        self.slots.iter().map(|&slot| self.candidate(slot))
    }

    fn candidate(&self, slot: CandidateSlot) -> AssemblyCandidate<'a> {
        let links = self.links.objects_of_nummeraanduiding[slot.first_link..].iter();
        let objects = links
            .take_while(|&&(id, _)| id == slot.id)
            .filter_map(|&(id, object)| self.object_with_address(object, id));
        AssemblyCandidate {
            id: slot.id,
            nummeraanduiding: self.stand.nummeraanduidingen.state_on(slot.id, self.day),
            objects: objects.collect(),
        }
    }

    /// The state of the object on the day. `None` if the object does not name the nummeraanduiding on that day. The link then comes from a
    /// version of the object that begins on a later day.
    fn object_with_address(
        &self,
        object: AdresseerbaarObjectId,
        id: BagId<NummeraanduidingKind>,
    ) -> Option<(AdresseerbaarObjectId, &'a AdresseerbaarObject)> {
        let state = self.stand.objects.state_on(object, self.day)?;
        state
            .adressen()
            .any(|named| named == id)
            .then_some((object, state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{
        TODAY, day, id, nummeraanduiding, object, object_id, record, stand, version,
    };
    use crate::objects::{Nummeraanduiding, VoorkomenRecord};
    use postduif_schema::{HouseLetter, HouseNumber, VerblijfsobjectKind};

    fn num(
        number: u64,
        postcode: &str,
        house: u32,
        letter: Option<u8>,
    ) -> VoorkomenRecord<BagId<NummeraanduidingKind>, Nummeraanduiding> {
        let state = Nummeraanduiding {
            postcode: postcode.parse().ok(),
            huisnummer: HouseNumber::new(house).expect("a number"),
            huisletter: letter.and_then(HouseLetter::from_ascii),
            ..nummeraanduiding()
        };
        record(id(number), state)
    }

    fn object_with_addresses(
        number: u64,
        hoofdadres: u64,
        nevenadressen: &[u64],
    ) -> VoorkomenRecord<AdresseerbaarObjectId, AdresseerbaarObject> {
        let state = AdresseerbaarObject {
            hoofdadres: id(hoofdadres),
            nevenadressen: nevenadressen.iter().map(|&number| id(number)).collect(),
            ..object()
        };
        record(object_id::<VerblijfsobjectKind>(number), state)
    }

    /// For each candidate, the last digits of its id, whether it has a nummeraanduiding, and the last digits of its objects' ids.
    fn candidates(stand: &StandTables) -> Vec<(u64, bool, Vec<u64>)> {
        let links = ReverseLinks::from_stand(stand);
        let candidates = AssemblyCandidates::new(stand, &links, day(TODAY));
        let last = |id: u64| id % 1000;
        let listed = candidates.iter().map(|candidate| {
            let objects = candidate
                .objects
                .iter()
                .map(|(id, _)| last(id.get()))
                .collect();
            (
                last(candidate.id.get()),
                candidate.nummeraanduiding.is_some(),
                objects,
            )
        });
        assert_eq!(candidates.len(), candidates.iter().count());
        listed.collect()
    }

    #[test]
    fn addresses_of_a_postcode_are_adjacent() {
        let stand = stand(
            vec![
                num(1, "1381AB", 1, None),
                num(2, "", 1, None),
                num(3, "1381AA", 10, None),
                num(4, "1381AA", 2, Some(b'a')),
                num(5, "1381AA", 2, None),
                num(6, "1381AA", 2, None),
            ],
            Vec::new(),
        );
        let order: Vec<u64> = candidates(&stand).into_iter().map(|(id, ..)| id).collect();
        assert_eq!(order, [5, 6, 4, 3, 1, 2]);
    }

    #[test]
    fn a_candidate_has_every_object_that_names_it() {
        let nums = (1..=3)
            .map(|number| num(number, "1381AA", 1, None))
            .collect();
        let objects = vec![
            object_with_addresses(1, 1, &[2, 9]),
            object_with_addresses(2, 1, &[]),
            object_with_addresses(3, 9, &[]),
            object_with_addresses(4, 7, &[]),
        ];
        let expected = [
            (1, true, vec![1, 2]),
            (2, true, vec![1]),
            (3, true, vec![]),
            (7, false, vec![4]),
            (9, false, vec![1, 3]),
        ];
        assert_eq!(candidates(&stand(nums, objects)), expected);
    }

    #[test]
    fn a_candidate_has_only_states_of_the_day() {
        let on =
            |number,
             period,
             record: VoorkomenRecord<AdresseerbaarObjectId, AdresseerbaarObject>| {
                VoorkomenRecord {
                    id: record.id,
                    voorkomen: version(number, period, record.voorkomen.state),
                }
            };
        let later = VoorkomenRecord {
            id: id(2),
            voorkomen: version(1, "2022-01-01..", nummeraanduiding()),
        };
        // Until the end of the year the object has address 1, then address 2.
        let moves = vec![
            on(
                1,
                "2010-01-01..2022-01-01",
                object_with_addresses(1, 1, &[]),
            ),
            on(2, "2022-01-01..", object_with_addresses(1, 2, &[])),
        ];
        let stand = stand(vec![num(1, "1381AA", 1, None), later], moves);
        assert_eq!(candidates(&stand), [(1, true, vec![1]), (2, false, vec![])]);
    }
}
