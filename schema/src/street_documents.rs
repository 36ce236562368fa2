//! Finds the documents of a street in one segment of an index, by house number.

use std::ops::{Range, RangeInclusive};

use rustc_hash::FxHashMap;
use tantivy::DocId;

use crate::{HouseNumber, StreetKey};

/// All streets of a segment, and for each street its documents and their house numbers. Deleted documents are included.
pub(crate) struct StreetDocuments {
    /// For each street its range in `numbers` and `documents`.
    ranges: FxHashMap<StreetKey, Range<u32>>,
    /// The house numbers of each street in ascending order. A number above 65,535 is stored as 65,535, so that it fits 16 bits.
    numbers: Vec<u16>,
    documents: Vec<DocId>,
}

impl StreetDocuments {
    /// Builds a table of the first `count` documents. `read` returns the street and house number of a document; `None` if the document
    /// has no street. Each document is read twice, because keeping the results would take twice the memory of the table.
    ///
    /// # Errors
    /// If `read` fails.
    pub(crate) fn new<E>(
        count: DocId,
        read: impl Fn(DocId) -> Result<Option<(StreetKey, HouseNumber)>, E>,
    ) -> Result<Self, E> {
        let mut ranges: FxHashMap<StreetKey, Range<u32>> = FxHashMap::default();
        for document in 0..count {
            if let Some((street, _)) = read(document)? {
                ranges.entry(street).or_default().end += 1;
            }
        }
        ranges.shrink_to_fit();
        let mut total = 0;
        for range in ranges.values_mut() {
            // Make each range empty. The next loop extends the range by one for each document of the street.
            let count = std::mem::replace(range, total..total).end;
            total += count;
        }
        let mut houses = vec![(0, 0); total as usize];
        for document in 0..count {
            let place = read(document)?.and_then(|(street, number)| {
                let range = ranges.get_mut(&street)?;
                range.end += 1;
                Some((range.end - 1, number))
            });
            if let Some((place, number)) = place {
                houses[place as usize] = (number_key(number), document);
            }
        }
        for range in ranges.values() {
            houses[to_usize(range)].sort_unstable();
        }
        let (numbers, documents) = houses.into_iter().unzip();
        Ok(Self {
            ranges,
            numbers,
            documents,
        })
    }

    /// The documents of a street with a house number in a range, in ascending order of the house numbers. House numbers from 65,535 on are
    /// treated as equal, so the caller must check the house numbers of the result.
    pub(crate) fn in_range(
        &self,
        street: StreetKey,
        numbers: &RangeInclusive<HouseNumber>,
    ) -> &[DocId] {
        let Some(range) = self.ranges.get(&street).map(to_usize) else {
            return &[];
        };
        let known = &self.numbers[range.clone()];
        let first = known.partition_point(|&number| number < number_key(*numbers.start()));
        let last = number_key(*numbers.end());
        let count = known[first..].partition_point(|&number| number <= last);
        &self.documents[range][first..first + count]
    }

    /// Whether a street has this house number or a higher one. May be `true` even if all such documents are deleted.
    pub(crate) fn has_at_or_above(&self, street: StreetKey, number: HouseNumber) -> bool {
        let range = self.ranges.get(&street).map(to_usize);
        let highest = range.and_then(|range| self.numbers[range].last());
        highest.is_some_and(|&highest| highest >= number_key(number))
    }
}

fn number_key(number: HouseNumber) -> u16 {
    u16::try_from(number.get()).unwrap_or(u16::MAX)
}

fn to_usize(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn documents_are_found_by_street_and_number() {
        let number = |number| HouseNumber::new(number).expect("a number");
        let street = StreetKey::from_number;
        let all = [
            Some((9, 1)),
            Some((7, 12)),
            None,
            Some((7, 12)),
            Some((7, 99_999)),
            Some((7, 2)),
            Some((7, 65_535)),
        ];
        let read = |document: DocId| -> Result<_, Infallible> {
            Ok(all[document as usize].map(|(key, house)| (street(key), number(house))))
        };
        let Ok(table) = StreetDocuments::new(7, read);
        let find = |key, first, last| table.in_range(street(key), &(number(first)..=number(last)));
        assert_eq!(find(7, 12, 12), [1, 3]);
        assert_eq!(find(7, 1, 99), [5, 1, 3]);
        assert!(find(7, 3, 11).is_empty());
        assert_eq!(find(7, 70_000, 99_999), [4, 6]);
        assert!(find(8, 1, 99).is_empty());
        assert_eq!(find(9, 1, 1), [0]);
        let reaches = |key, house| table.has_at_or_above(street(key), number(house));
        assert!(reaches(7, 99_999) && reaches(9, 1) && !reaches(9, 2) && !reaches(8, 1));
    }
}
