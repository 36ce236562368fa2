//! Every nummeraanduiding of a stand with its objects, in the order in which addresses are stored.

use postduif_schema::{BagId, Nummeraanduiding as Kind};

use crate::address_index::storage_key;
use crate::assemble::Candidate;
use crate::day::Day;
use crate::extract::Stand;
use crate::objects::{AdresseerbaarObject, ObjectId};
use crate::reverse_links::Links;

/// The candidates of a stand. Addresses of one postcode stand side by side in the index, so that a look-up reads one place.
pub(crate) struct Candidates<'a> {
    stand: &'a Stand,
    links: &'a Links,
    day: Day,
    order: Vec<Slot>,
}

/// A nummeraanduiding's place in the order: postcode and number first, then the id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Slot {
    key: u64,
    id: BagId<Kind>,
    /// Where its links begin.
    link: usize,
}

impl<'a> Candidates<'a> {
    /// Lists every nummeraanduiding that the register has on the day or that an object names.
    pub(crate) fn new(stand: &'a Stand, links: &'a Links, day: Day) -> Self {
        let of_objects = &links.objects_of_nummeraanduiding;
        let mut order = Vec::with_capacity(of_objects.len());
        let mut linked = of_objects
            .iter()
            .enumerate()
            .map(|(link, &(id, _))| (id, link))
            .peekable();
        let unknown = |(id, link): (BagId<Kind>, usize)| Slot {
            key: u64::MAX,
            id,
            link,
        };
        for (id, state) in stand.nummeraanduidingen.all_on(day) {
            while let Some(named) = linked.next_if(|&(named, _)| named < id) {
                order.push(unknown(named));
            }
            let link = linked.peek().map_or(of_objects.len(), |&(_, link)| link);
            while linked.next_if(|&(named, _)| named == id).is_some() {}
            order.push(Slot {
                key: storage_key(state.postcode, state.huisnummer, state.huisletter),
                id,
                link,
            });
        }
        order.extend(linked.map(unknown));
        // An id that only objects name stands once per object.
        order.sort_unstable();
        order.dedup_by_key(|slot| slot.id);
        Self {
            stand,
            links,
            day,
            order,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Candidate<'a>> {
        self.order.iter().map(|&slot| self.candidate(slot))
    }

    fn candidate(&self, slot: Slot) -> Candidate<'a> {
        let links = self.links.objects_of_nummeraanduiding[slot.link..].iter();
        let objects = links
            .take_while(|&&(id, _)| id == slot.id)
            .filter_map(|&(id, object)| self.named_by(object, id));
        Candidate {
            id: slot.id,
            nummeraanduiding: self.stand.nummeraanduidingen.on(slot.id, self.day),
            objects: objects.collect(),
        }
    }

    /// The object as it is on the day, if it then names the nummeraanduiding; a link may be of a later day.
    fn named_by(
        &self,
        object: ObjectId,
        id: BagId<Kind>,
    ) -> Option<(ObjectId, &'a AdresseerbaarObject)> {
        let state = self.stand.objects.on(object, self.day)?;
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
    use crate::objects::{Nummeraanduiding, Record};
    use postduif_schema::{HouseLetter, HouseNumber, Verblijfsobject};

    fn num(
        number: u64,
        postcode: &str,
        house: u32,
        letter: Option<u8>,
    ) -> Record<BagId<Kind>, Nummeraanduiding> {
        let state = Nummeraanduiding {
            postcode: postcode.parse().ok(),
            huisnummer: HouseNumber::new(house).expect("a number"),
            huisletter: letter.and_then(HouseLetter::from_ascii),
            ..nummeraanduiding()
        };
        record(id(number), state)
    }

    fn naming(
        number: u64,
        hoofdadres: u64,
        nevenadressen: &[u64],
    ) -> Record<ObjectId, AdresseerbaarObject> {
        let state = AdresseerbaarObject {
            hoofdadres: id(hoofdadres),
            nevenadressen: nevenadressen.iter().map(|&number| id(number)).collect(),
            ..object()
        };
        record(object_id::<Verblijfsobject>(number), state)
    }

    /// The last digits of each candidate's id, whether its nummeraanduiding is there, and of its objects' ids.
    fn candidates(stand: &Stand) -> Vec<(u64, bool, Vec<u64>)> {
        let links = Links::of(stand);
        let candidates = Candidates::new(stand, &links, day(TODAY));
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
    fn addresses_of_a_postcode_stand_side_by_side() {
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
    fn each_is_with_the_objects_that_name_it_in_whatever_way() {
        let nums = (1..=3)
            .map(|number| num(number, "1381AA", 1, None))
            .collect();
        let objects = vec![
            naming(1, 1, &[2, 9]),
            naming(2, 1, &[]),
            naming(3, 9, &[]),
            naming(4, 7, &[]),
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
    fn what_holds_on_another_day_is_not_there() {
        let on = |number, period, record: Record<ObjectId, AdresseerbaarObject>| Record {
            id: record.id,
            voorkomen: version(number, period, record.voorkomen.state),
        };
        let later = Record {
            id: id(2),
            voorkomen: version(1, "2022-01-01..", nummeraanduiding()),
        };
        // Until the end of the year the object is at 1, from then on at 2.
        let moves = vec![
            on(1, "2010-01-01..2022-01-01", naming(1, 1, &[])),
            on(2, "2022-01-01..", naming(1, 2, &[])),
        ];
        let stand = stand(vec![num(1, "1381AA", 1, None), later], moves);
        assert_eq!(candidates(&stand), [(1, true, vec![1]), (2, false, vec![])]);
    }
}
