//! Compares two indexes address by address.
//!
//! Generations share segments. If neither index has deleted a document of a shared segment, the document is the same address in the two
//! indexes, and is not read. So the cost depends on how much changed. If the two indexes share no segment, all addresses are read. The
//! comparison uses sixteen bytes of memory for each address that has to be read.

use std::cmp::Ordering;
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
        while let Some(order) = self.next_side() {
            let [before, after] = match order {
                Ordering::Less => [Some(self.before.read_next()?), None],
                Ordering::Greater => [None, Some(self.after.read_next()?)],
                Ordering::Equal => [
                    Some(self.before.read_next()?),
                    Some(self.after.read_next()?),
                ],
            };
            let change = match (before, after) {
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

    /// Which index has the lowest remaining id: `Less` for the older index, `Greater` for the newer index, `Equal` for both indexes.
    /// `None` if no id remains.
    fn next_side(&mut self) -> Option<Ordering> {
        match (self.before.peek_id(), self.after.peek_id()) {
            (None, None) => None,
            (Some(_), None) => Some(Ordering::Less),
            (None, Some(_)) => Some(Ordering::Greater),
            (Some(before), Some(after)) => Some(before.cmp(&after)),
        }
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

    fn peek_id(&mut self) -> Option<AddressId> {
        self.candidates.peek().map(|candidate| candidate.id)
    }

    fn read_next(&mut self) -> Result<Address, IndexError> {
        let next = self
            .candidates
            .next()
            .expect("`next_side` found a candidate on this side");
        let segment = usize::try_from(next.segment).expect("a segment's number");
        self.index.segments()[segment].read(next.document)
    }
}

#[cfg(test)]
mod tests;
