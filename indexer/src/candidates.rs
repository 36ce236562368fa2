//! Every nummeraanduiding of a stand with its objects, in the order in which addresses are stored.

use postduif_schema::{BagId, Nummeraanduiding as Kind};

use crate::assemble::Candidate;
use crate::day::Day;
use crate::extract::Stand;
use crate::links::Links;
use crate::objects::{AdresseerbaarObject, Nummeraanduiding, ObjectId};

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
                key: storage_key(state),
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

fn storage_key(state: &Nummeraanduiding) -> u64 {
    let postcode = state
        .postcode
        .map_or(u64::from(u32::MAX), |postcode| postcode.code().into());
    let letter = state.huisletter.map_or(0, |letter| letter.ascii().into());
    postcode << 32 | u64::from(state.huisnummer.get()) << 8 | letter
}
