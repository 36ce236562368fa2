//! Addresses along a street or through a postcode: those whose house number lies in a range, in the order of the numbers.

use std::ops::RangeInclusive;

use tantivy::postings::SegmentPostings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, InvertedIndexReader, TERMINATED};

use super::{AddressIndex, IndexError, Segment};
use crate::layout::number_key;
use crate::{Address, HouseNumber, ListingKey, Postcode, StreetKey};

/// Which house numbers.
pub struct Along {
    /// The first and the last number.
    pub numbers: RangeInclusive<HouseNumber>,
    /// As many addresses as there are at most. Those of the lowest numbers come first, at one number in the order of lists.
    pub limit: usize,
}

/// An address that was found. What a list is ordered by is known; the rest is read when it is asked for, because most of what
/// is found is not shown.
#[derive(Clone, Copy)]
pub struct Listed<'a> {
    /// Where it stands in a list.
    pub key: ListingKey,
    segment: &'a Segment,
    document: DocId,
}

impl<'a> Listed<'a> {
    /// All of it.
    ///
    /// # Errors
    /// When the index is damaged; likewise below.
    pub fn read(&self) -> Result<Address, IndexError> {
        self.segment.read(self.document)
    }

    /// The names of its street and its city.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn street_and_city(&self) -> Result<(&'a str, &'a str), IndexError> {
        let columns = &self.segment.columns;
        Ok(columns.texts(columns.street_names(self.document)?))
    }

    /// Whether it lies in the city of this name in the municipality of this name.
    #[must_use]
    pub fn lies_in(&self, city: &str, municipality: &str) -> bool {
        self.segment
            .columns
            .lies_in(self.document, city, municipality)
    }

    /// The street that it is found by; none when it names none.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn street_key(&self) -> Result<Option<StreetKey>, IndexError> {
        Ok(self.segment.columns.street_key(self.document)?)
    }
}

impl AddressIndex {
    /// Addresses at a street, ascending by house number. A street that crosses a town's border has those of both towns.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn along_street(
        &self,
        street: StreetKey,
        along: &Along,
    ) -> Result<Vec<Listed<'_>>, IndexError> {
        let ends = ends(along, |number| street.at(number));
        self.in_terms(|segment| &segment.streets, ends, along.limit)
    }

    /// Addresses of a postcode, ascending by house number.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn along_postcode(
        &self,
        postcode: Postcode,
        along: &Along,
    ) -> Result<Vec<Listed<'_>>, IndexError> {
        let ends = ends(along, |number| number_key(postcode, number));
        self.in_terms(|segment| &segment.numbers, ends, along.limit)
    }

    /// Whether a street has this house number or a higher one.
    ///
    /// # Errors
    /// When the index cannot be read; likewise below.
    pub fn street_reaches(
        &self,
        street: StreetKey,
        number: HouseNumber,
    ) -> Result<bool, IndexError> {
        let ends = [number, HouseNumber::LAST].map(|number| street.at(number).to_be_bytes());
        self.any_term(|segment| &segment.streets, ends)
    }

    /// Whether a postcode has this house number or a higher one.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn postcode_reaches(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<bool, IndexError> {
        let ends = [number, HouseNumber::LAST].map(|number| number_key(postcode, number));
        self.any_term(|segment| &segment.numbers, ends.map(u64::to_be_bytes))
    }

    /// A term outlives the last of its addresses until the next merge, so this may be true of none.
    fn any_term(
        &self,
        terms: impl Fn(&Segment) -> &InvertedIndexReader,
        [first, last]: [[u8; 8]; 2],
    ) -> Result<bool, IndexError> {
        for segment in &self.segments {
            let range = terms(segment).terms().range().ge(first).le(last);
            if range.into_stream()?.advance() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn in_terms(
        &self,
        terms: impl Fn(&Segment) -> &InvertedIndexReader,
        ends: [[u8; 8]; 2],
        limit: usize,
    ) -> Result<Vec<Listed<'_>>, IndexError> {
        let mut found = Vec::new();
        for segment in &self.segments {
            segment.collect(terms(segment), &ends, limit, &mut found)?;
        }
        // The segments that addresses lie in make no difference.
        found.sort_unstable_by_key(|Listed { key, .. }| (key.number, *key));
        found.truncate(limit);
        Ok(found)
    }
}

/// The terms of the first and the last number, as the dictionary spells them.
fn ends(along: &Along, term: impl Fn(HouseNumber) -> u64) -> [[u8; 8]; 2] {
    [along.numbers.start(), along.numbers.end()].map(|&number| term(number).to_be_bytes())
}

impl Segment {
    /// Adds what lies in the range, up to a limit. A house number is never left half-way.
    fn collect<'a>(
        &'a self,
        terms: &InvertedIndexReader,
        [first, last]: &[[u8; 8]; 2],
        limit: usize,
        found: &mut Vec<Listed<'a>>,
    ) -> Result<(), IndexError> {
        if first == last {
            // A stream through one term costs five times as much as looking it up.
            if let Some(number) = terms.terms().get(first)? {
                self.collect_all(terms.read_postings_from_terminfo(&number, BASIC)?, found)?;
            }
            return Ok(());
        }
        let before = found.len();
        let mut numbers = terms.terms().range().ge(first).le(last).into_stream()?;
        while found.len() - before < limit && numbers.advance() {
            let postings = terms.read_postings_from_terminfo(numbers.value(), BASIC)?;
            self.collect_all(postings, found)?;
        }
        Ok(())
    }

    fn collect_all<'a>(
        &'a self,
        mut postings: SegmentPostings,
        found: &mut Vec<Listed<'a>>,
    ) -> Result<(), IndexError> {
        while postings.doc() != TERMINATED {
            let document = postings.doc();
            postings.advance();
            if !self.reader.is_deleted(document) {
                found.push(Listed {
                    key: self.columns.listing_key(document)?,
                    segment: self,
                    document,
                });
            }
        }
        Ok(())
    }
}

const BASIC: IndexRecordOption = IndexRecordOption::Basic;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AddressKind, HouseLetter};

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

    fn spelled(found: Result<Vec<Listed<'_>>, IndexError>) -> Vec<String> {
        let spell = |found: Listed<'_>| {
            let address = found.read().expect("reads");
            assert_eq!(found.key, address.listing_key());
            assert_eq!(found.street_key().expect("reads"), StreetKey::of(&address));
            let names = found.street_and_city().expect("reads");
            assert_eq!(names, (&*address.street, &*address.city));
            assert!(found.lies_in(&address.city, &address.municipality));
            assert!(!found.lies_in(&address.city, "Ede") && !found.lies_in("Ede", "Weesp"));
            let letter = address.letter.map(|letter| letter.to_string());
            format!("{}{}", address.number, letter.unwrap_or_default())
        };
        found.expect("reads").into_iter().map(spell).collect()
    }

    #[test]
    fn numbers_come_in_order_up_to_the_limit() {
        let (index, street) = index();
        let along = |first, last, limit| Along {
            numbers: number(first)..=number(last),
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
        let reaches = [120, 121].map(|n| {
            let street = index.street_reaches(street, number(n)).expect("reads");
            (
                street,
                index.postcode_reaches(postcode, number(n)).expect("reads"),
            )
        });
        assert_eq!(reaches, [(true, true), (false, false)]);
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
            limit: 10,
        };
        let street = StreetKey::of(&first).expect("boxes have one");
        assert_eq!(spelled(index.along_street(street, &along)), ["1", "2", "3"]);
    }
}
