//! Addresses along a street or through a postcode: those whose house number lies in a range, in the order of the numbers.

use std::ops::RangeInclusive;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, InvertedIndexReader, TERMINATED};

use super::{AddressIndex, IndexError, Segment};
use crate::layout::number_key;
use crate::{Addition, Address, HouseLetter, HouseNumber, ListingKey, Postcode, StreetKey};

/// Which house numbers, and what may stand behind them.
pub struct Along<'a> {
    /// The first and the last number.
    pub numbers: RangeInclusive<HouseNumber>,
    /// Whether an address with this letter and addition is wanted.
    pub suffix: &'a dyn Fn(Option<HouseLetter>, Option<Addition>) -> bool,
    /// As many as there are at most. Those of the lowest numbers come first, at one number in the order of lists.
    pub limit: usize,
}

impl AddressIndex {
    /// Addresses at a street, ascending by house number. A street that crosses a town's border has those of both towns.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn along_street(
        &self,
        street: StreetKey,
        along: &Along<'_>,
    ) -> Result<Vec<Address>, IndexError> {
        let ends = ends(along, |number| street.at(number));
        self.in_terms(|segment| &segment.streets, ends, along)
    }

    /// Addresses of a postcode, ascending by house number.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn along_postcode(
        &self,
        postcode: Postcode,
        along: &Along<'_>,
    ) -> Result<Vec<Address>, IndexError> {
        let ends = ends(along, |number| number_key(postcode, number));
        self.in_terms(|segment| &segment.numbers, ends, along)
    }

    fn in_terms(
        &self,
        terms: impl Fn(&Segment) -> &InvertedIndexReader,
        ends: [[u8; 8]; 2],
        along: &Along<'_>,
    ) -> Result<Vec<Address>, IndexError> {
        let mut hits = Vec::new();
        for segment in &self.segments {
            let first = hits.len();
            segment.collect(terms(segment), &ends, along, &mut |hit| {
                hits.push((segment, hit));
                hits.len() - first
            })?;
        }
        hits.sort_unstable_by_key(|(_, Hit { key, .. })| (key.number, *key));
        hits.truncate(along.limit);
        let read = |(segment, hit): (&Segment, Hit)| segment.read(hit.document);
        hits.into_iter().map(read).collect()
    }
}

/// A document with where its address stands in a list: the segments that addresses lie in must make no difference.
struct Hit {
    key: ListingKey,
    document: DocId,
}

/// The terms of the first and the last number, as the dictionary spells them.
fn ends(along: &Along<'_>, term: impl Fn(HouseNumber) -> u64) -> [[u8; 8]; 2] {
    [along.numbers.start(), along.numbers.end()].map(|&number| term(number).to_be_bytes())
}

impl Segment {
    /// Hands out what lies in the range; `take` says how much of it there is by then. A house number is never left half-way.
    fn collect(
        &self,
        terms: &InvertedIndexReader,
        [first, last]: &[[u8; 8]; 2],
        along: &Along<'_>,
        take: &mut dyn FnMut(Hit) -> usize,
    ) -> Result<(), IndexError> {
        let mut taken = 0;
        let mut numbers = terms.terms().range().ge(first).le(last).into_stream()?;
        while taken < along.limit && numbers.advance() {
            let mut postings =
                terms.read_postings_from_terminfo(numbers.value(), IndexRecordOption::Basic)?;
            while postings.doc() != TERMINATED {
                let document = postings.doc();
                let (letter, addition) = self.columns.suffix(document)?;
                if !self.reader.is_deleted(document) && (along.suffix)(letter, addition) {
                    let key = self.columns.listing_key(document)?;
                    taken = take(Hit { key, document });
                }
                postings.advance();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AddressKind;

    fn number(number: u32) -> HouseNumber {
        HouseNumber::new(number).expect("a house number")
    }

    /// Long street 1 to 120 with a 12A, and the boxes 1 to 3 of the same town.
    fn index() -> (AddressIndex, StreetKey) {
        let boxed = |n| {
            let names = ["Weesp"; 3].map(Into::into);
            Address::of_box("1380AA".parse().expect("a postcode"), number(n), names)
        };
        let street = "0457300000000001".parse().expect("an id");
        let house = |n: u32, letter: Option<HouseLetter>| Address {
            id: format!("045720{:010}", n + 1000 * u32::from(letter.is_some()))
                .parse()
                .expect("an id"),
            postcode: "1381AB".parse().expect("a postcode"),
            letter,
            street_id: Some(street),
            street: "Langeweg".into(),
            kind: AddressKind::Verblijfsobject,
            ..boxed(n)
        };
        let houses = (1..=120).map(|n| house(n, None));
        let a = house(12, HouseLetter::from_ascii(b'A'));
        let all: Vec<Address> = houses.chain([a]).chain((1..=3).map(boxed)).collect();
        let index = AddressIndex::in_memory(&all).expect("an index in memory");
        (index, StreetKey::of_street(street))
    }

    fn spelled(found: Result<Vec<Address>, IndexError>) -> Vec<String> {
        let spell = |address: Address| {
            let letter = address.letter.map(|letter| letter.to_string());
            format!("{}{}", address.number, letter.unwrap_or_default())
        };
        found.expect("reads").into_iter().map(spell).collect()
    }

    #[test]
    fn numbers_come_in_order_up_to_the_limit() {
        let (index, street) = index();
        let any = |_, _| true;
        let along = |first, last, limit| Along {
            numbers: number(first)..=number(last),
            suffix: &any,
            limit,
        };
        let on =
            |first, last, limit| spelled(index.along_street(street, &along(first, last, limit)));
        assert_eq!(on(12, 12, 10), ["12", "12A"]);
        assert_eq!(on(11, 13, 3), ["11", "12", "12A"]);
        assert_eq!(on(119, 99_999, 10), ["119", "120"]);
        assert_eq!(on(121, 99_999, 10), [""; 0]);
        let postcode = "1381AB".parse().expect("a postcode");
        let through = index.along_postcode(postcode, &along(2, 5, 2));
        assert_eq!(spelled(through), ["2", "3"]);
    }

    #[test]
    fn only_wanted_suffixes_count() {
        let (index, street) = index();
        let along = Along {
            numbers: number(1)..=number(120),
            suffix: &|letter, _| letter.is_some(),
            limit: 10,
        };
        assert_eq!(spelled(index.along_street(street, &along)), ["12A"]);
    }

    #[test]
    fn the_boxes_of_a_town_are_a_street_of_their_own() {
        let (index, _) = index();
        let first = index.by_id(crate::AddressId::of_box(
            "1380AA".parse().expect("a postcode"),
            number(1),
        ));
        let first = first.expect("reads").expect("is there");
        let along = Along {
            numbers: number(1)..=number(99_999),
            suffix: &|_, _| true,
            limit: 10,
        };
        let street = StreetKey::of(&first).expect("boxes have one");
        assert_eq!(spelled(index.along_street(street, &along)), ["1", "2", "3"]);
    }
}
