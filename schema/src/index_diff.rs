//! Compares two indexes address by address.
//!
//! Generations share segments. If neither index has deleted a document of a shared segment, the document is the same address in the two
//! indexes, and is not read. So the cost depends on how much changed. If the two indexes share no segment, all addresses are read. The
//! comparison uses sixteen bytes of memory for each address that has to be read.

use std::collections::HashMap;
use std::iter::Peekable;
use std::vec;

use crate::{Address, AddressId, AddressIndex, IndexError, Segment};

/// How one address differs between an older and a newer index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressDiff {
    /// Only the newer index has the address.
    Added(Box<Address>),
    /// Only the older index has the address.
    Removed(Box<Address>),
    /// Both indexes have an address with this id, but its other values differ: first the older address, then the newer one.
    Changed(Box<[Address; 2]>),
}

/// The differences between two indexes, in ascending order of id.
pub struct IndexDiff<'a> {
    before: DiffSide<'a>,
    after: DiffSide<'a>,
}

/// The addresses of one index that may differ from the addresses of the other index.
struct DiffSide<'a> {
    index: &'a AddressIndex,
    candidates: Peekable<vec::IntoIter<DiffCandidate>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct DiffCandidate {
    id: AddressId,
    segment: u32,
    document: u32,
}

impl<'a> IndexDiff<'a> {
    /// Prepares the comparison of two indexes.
    ///
    /// # Errors
    /// If one of the indexes is damaged.
    pub fn new(before: &'a AddressIndex, after: &'a AddressIndex) -> Result<Self, IndexError> {
        Ok(Self {
            before: DiffSide::new(before, after)?,
            after: DiffSide::new(after, before)?,
        })
    }

    fn next_difference(&mut self) -> Result<Option<AddressDiff>, IndexError> {
        while let Some(id) = self.lowest_id() {
            let change = match (self.before.read_if(id)?, self.after.read_if(id)?) {
                (Some(before), Some(after)) if before == after => continue,
                (Some(before), Some(after)) => AddressDiff::Changed(Box::new([before, after])),
                (Some(before), None) => AddressDiff::Removed(Box::new(before)),
                (None, Some(after)) => AddressDiff::Added(Box::new(after)),
                (None, None) => continue,
            };
            return Ok(Some(change));
        }
        Ok(None)
    }

    /// The lowest id that remains in one of the indexes.
    fn lowest_id(&mut self) -> Option<AddressId> {
        let sides = [&mut self.before, &mut self.after].into_iter();
        sides
            .filter_map(|side| Some(side.candidates.peek()?.id))
            .min()
    }
}

impl Iterator for IndexDiff<'_> {
    type Item = Result<AddressDiff, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_difference().transpose()
    }
}

impl<'a> DiffSide<'a> {
    fn new(index: &'a AddressIndex, other: &AddressIndex) -> Result<Self, IndexError> {
        let others = other.segments().iter();
        let others: HashMap<_, _> = others.map(|segment| (segment.id(), segment)).collect();
        let mut candidates = Vec::new();
        for (number, segment) in (0..).zip(index.segments()) {
            let shared = others.get(&segment.id()).copied();
            let is_candidate = |&document: &u32| {
                !segment.is_deleted(document)
                    && shared.is_none_or(|shared: &Segment| shared.is_deleted(document))
            };
            for document in (0..segment.total_document_count()).filter(is_candidate) {
                candidates.push(DiffCandidate {
                    id: segment.address_id(document)?,
                    segment: number,
                    document,
                });
            }
        }
        candidates.sort_unstable();
        Ok(Self {
            index,
            candidates: candidates.into_iter().peekable(),
        })
    }

    /// Reads the next address, if it has this id.
    fn read_if(&mut self, id: AddressId) -> Result<Option<Address>, IndexError> {
        let Some(next) = self.candidates.next_if(|next| next.id == id) else {
            return Ok(None);
        };
        let segment = usize::try_from(next.segment).expect("a segment's number");
        self.index.segments()[segment].read(next.document).map(Some)
    }
}

#[cfg(test)]
mod tests;
