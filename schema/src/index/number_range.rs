//! Finds the addresses of a street or postcode that have a house number in a range, in the order of the house numbers.

use std::ops::RangeInclusive;

use tantivy::postings::SegmentPostings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, InvertedIndexReader, TERMINATED};

use super::error::IndexError;
use crate::layout::postcode_number_key;
use crate::segment::Segment;
use crate::{Address, HouseNumber, ListingKey, Postcode, StreetKey};

/// A range of house numbers, and how many addresses to return from it.
pub struct NumberRangeQuery {
    /// The lowest and the highest number.
    pub numbers: RangeInclusive<HouseNumber>,
    /// Maximum number of addresses in the result; the rest is left out. The lowest house numbers come first. Addresses with the same number
    /// are in the order of lists ([`ListingKey`]).
    pub limit: usize,
}

/// A found address. Only its sort key has been read. The other values are read on demand, because most found addresses are not part of
/// a response.
#[derive(Clone, Copy)]
pub struct AddressRef<'a> {
    /// The key by which lists sort the address.
    pub listing_key: ListingKey,
    segment: &'a Segment,
    document: DocId,
}

/// Identifies a found address, so that the same index can find it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressHandle {
    segment: u32,
    document: DocId,
}

impl<'a> AddressRef<'a> {
    pub(super) fn from_handle(
        segments: &'a [Segment],
        handle: AddressHandle,
    ) -> Result<Self, IndexError> {
        let AddressHandle { segment, document } = handle;
        let segment = segments
            .get(segment as usize)
            .filter(|segment| document < segment.total_document_count())
            .ok_or(IndexError::ForeignHandle)?;
        Ok(Self {
            listing_key: segment.listing_key(document)?,
            segment,
            document,
        })
    }

    /// The handle of this address.
    #[must_use]
    pub fn handle(&self) -> AddressHandle {
        AddressHandle {
            segment: self.segment.position,
            document: self.document,
        }
    }

    /// Reads the whole address.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn read(&self) -> Result<Address, IndexError> {
        self.segment.read(self.document)
    }

    /// Reads only the street and the city of the address.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn street_and_city(&self) -> Result<(&'a str, &'a str), IndexError> {
        let names = &self.segment.columns.names;
        let ordinals = names.ordinals(self.document)?;
        Ok(names.street_and_city(ordinals.street_and_city))
    }

    /// Whether the address is in this city of this municipality.
    pub fn is_in_city(&self, city: &str, municipality: &str) -> bool {
        self.segment
            .columns
            .is_in_city(self.document, city, municipality)
    }

    /// The street key of the address; `None` if it has no street.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn street_key(&self) -> Result<Option<StreetKey>, IndexError> {
        Ok(self.segment.columns.street_key(self.document)?)
    }
}

/// Whether a postcode has this number or a higher one. May be `true` even if all such addresses are deleted.
pub(super) fn postcode_has_at_or_above(
    segments: &[Segment],
    postcode: Postcode,
    number: HouseNumber,
) -> Result<bool, IndexError> {
    let numbers = number..=HouseNumber::LAST;
    let bounds = range_bounds(&numbers, |number| postcode_number_key(postcode, number));
    for segment in segments {
        if has_term_in_range(&segment.postcode_number_terms, bounds)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a street has this number or a higher one. May be `true` even if all such addresses are deleted.
pub(super) fn street_has_at_or_above(
    segments: &[Segment],
    street: StreetKey,
    number: HouseNumber,
) -> Result<bool, IndexError> {
    let bounds = street_bounds(street, &(number..=HouseNumber::LAST));
    for segment in segments {
        let has_number = match &segment.directory {
            Some(directory) => directory.streets.has_at_or_above(street, number),
            None => has_term_in_range(&segment.street_number_terms, bounds)?,
        };
        if has_number {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the dictionary has a term from `first` to `last`. All addresses of the term may be deleted, because a
/// term stays in its segment until the next merge.
fn has_term_in_range(
    terms: &InvertedIndexReader,
    [first, last]: [[u8; 8]; 2],
) -> Result<bool, IndexError> {
    Ok(terms
        .terms()
        .range()
        .ge(first)
        .le(last)
        .into_stream()?
        .advance())
}

pub(super) fn collect_in_postcode<'a>(
    segments: &'a [Segment],
    postcode: Postcode,
    query: &NumberRangeQuery,
) -> Result<Vec<AddressRef<'a>>, IndexError> {
    let bounds = range_bounds(&query.numbers, |number| {
        postcode_number_key(postcode, number)
    });
    let mut found = Vec::new();
    for segment in segments {
        let terms = &segment.postcode_number_terms;
        collect_range(segment, terms, &bounds, query.limit, &mut found)?;
    }
    Ok(first_in_order(found, query.limit))
}

pub(super) fn collect_in_street<'a>(
    segments: &'a [Segment],
    street: StreetKey,
    query: &NumberRangeQuery,
) -> Result<Vec<AddressRef<'a>>, IndexError> {
    let mut found = Vec::new();
    for segment in segments {
        match &segment.directory {
            Some(directory) => {
                let documents = directory.streets.in_range(street, &query.numbers);
                collect_documents(segment, documents, query, &mut found)?;
            }
            None => {
                let bounds = street_bounds(street, &query.numbers);
                let terms = &segment.street_number_terms;
                collect_range(segment, terms, &bounds, query.limit, &mut found)?;
            }
        }
    }
    Ok(first_in_order(found, query.limit))
}

/// Sorts by house number, and addresses of the same number by [`ListingKey`], so that the result does not depend on the segments. Keeps the
/// first `limit` addresses.
fn first_in_order(mut found: Vec<AddressRef<'_>>, limit: usize) -> Vec<AddressRef<'_>> {
    found.sort_unstable_by_key(|found| (found.listing_key.number, found.listing_key));
    found.truncate(limit);
    found
}

fn street_bounds(street: StreetKey, numbers: &RangeInclusive<HouseNumber>) -> [[u8; 8]; 2] {
    range_bounds(numbers, |number| street.house_number_term(number))
}

/// The terms of the first and the last number of a range, as the bytes that the dictionary stores.
fn range_bounds(
    numbers: &RangeInclusive<HouseNumber>,
    term: impl Fn(HouseNumber) -> u64,
) -> [[u8; 8]; 2] {
    [numbers.start(), numbers.end()].map(|&number| term(number).to_be_bytes())
}

/// Adds the addresses of those documents that have a house number in the range, up to the limit. `documents` must be in the order of house
/// numbers. All addresses of the last house number are added, even beyond the limit, because the caller sorts them before it cuts the list.
fn collect_documents<'a>(
    segment: &'a Segment,
    documents: &[DocId],
    query: &NumberRangeQuery,
    found: &mut Vec<AddressRef<'a>>,
) -> Result<(), IndexError> {
    let before = found.len();
    for &document in documents {
        if segment.reader.is_deleted(document) {
            continue;
        }
        let listing_key = segment.columns.listing_key(document)?;
        let last = found[before..].last().map(|found| found.listing_key.number);
        if found.len() - before >= query.limit && last != Some(listing_key.number) {
            break;
        }
        if query.numbers.contains(&listing_key.number) {
            found.push(AddressRef {
                listing_key,
                segment,
                document,
            });
        }
    }
    Ok(())
}

/// Adds the addresses in the range, up to a limit. All addresses of the last house number are added, even beyond the limit, because the
/// caller sorts them before it cuts the list.
fn collect_range<'a>(
    segment: &'a Segment,
    terms: &InvertedIndexReader,
    [first, last]: &[[u8; 8]; 2],
    limit: usize,
    found: &mut Vec<AddressRef<'a>>,
) -> Result<(), IndexError> {
    if first == last {
        // The range is a single term, so look it up. Reading it as a stream costs five times as much.
        if let Some(number) = terms.terms().get(first)? {
            collect_postings(
                segment,
                terms.read_postings_from_terminfo(&number, BASIC)?,
                found,
            )?;
        }
        return Ok(());
    }
    let before = found.len();
    let mut numbers = terms.terms().range().ge(first).le(last).into_stream()?;
    while found.len() - before < limit && numbers.advance() {
        let postings = terms.read_postings_from_terminfo(numbers.value(), BASIC)?;
        collect_postings(segment, postings, found)?;
    }
    Ok(())
}

fn collect_postings<'a>(
    segment: &'a Segment,
    mut postings: SegmentPostings,
    found: &mut Vec<AddressRef<'a>>,
) -> Result<(), IndexError> {
    while postings.doc() != TERMINATED {
        let document = postings.doc();
        postings.advance();
        if !segment.reader.is_deleted(document) {
            found.push(AddressRef {
                listing_key: segment.columns.listing_key(document)?,
                segment,
                document,
            });
        }
    }
    Ok(())
}

const BASIC: IndexRecordOption = IndexRecordOption::Basic;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AddressIndex, AddressKind, HouseLetter};

    fn number(number: u32) -> HouseNumber {
        HouseNumber::new(number).expect("a house number")
    }

    /// A long street with the numbers 1 to 120 and 12A, and the boxes 1 to 3 of the same town.
    fn index() -> (AddressIndex, StreetKey) {
        let boxed = |n| {
            let names = ["Weesp"; 3].map(Into::into);
            Address::new_po_box("1380AA".parse().expect("a postcode"), number(n), names)
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
        (index, StreetKey::from_street_id(street))
    }

    fn describe(found: Result<Vec<AddressRef<'_>>, IndexError>) -> Vec<String> {
        let spell = |found: AddressRef<'_>| {
            let address = found.read().expect("reads");
            assert_eq!(found.listing_key, address.listing_key());
            assert_eq!(
                found.street_key().expect("reads"),
                StreetKey::from_address(&address)
            );
            let names = found.street_and_city().expect("reads");
            assert_eq!(names, (&*address.street, &*address.city));
            assert!(found.is_in_city(&address.city, &address.municipality));
            assert!(!found.is_in_city(&address.city, "Ede") && !found.is_in_city("Ede", "Weesp"));
            let letter = address.letter.map(|letter| letter.to_string());
            format!("{}{}", address.number, letter.unwrap_or_default())
        };
        found.expect("reads").into_iter().map(spell).collect()
    }

    #[test]
    fn addresses_come_in_the_order_of_their_numbers_up_to_the_limit() {
        let (index, street) = index();
        let along = |first, last, limit| NumberRangeQuery {
            numbers: number(first)..=number(last),
            limit,
        };
        let on =
            |first, last, limit| describe(index.query_street(street, &along(first, last, limit)));
        assert_eq!(on(12, 12, 10), ["12", "12A"]);
        assert_eq!(on(11, 13, 3), ["11", "12", "12A"]);
        assert_eq!(on(119, 99_999, 10), ["119", "120"]);
        assert_eq!(on(121, 99_999, 10), [""; 0]);
        let postcode = "1381AB".parse().expect("a postcode");
        let through = index.query_postcode(postcode, &along(2, 5, 2));
        assert_eq!(describe(through), ["2", "3"]);
        let reaches = [120, 121].map(|n| {
            let street = index
                .street_has_number_at_or_above(street, number(n))
                .expect("reads");
            (
                street,
                index
                    .postcode_has_number_at_or_above(postcode, number(n))
                    .expect("reads"),
            )
        });
        assert_eq!(reaches, [(true, true), (false, false)]);
    }

    #[test]
    fn the_boxes_of_a_town_form_one_street() {
        let (index, _) = index();
        let first = index.get_by_id(crate::AddressId::from_po_box(
            "1380AA".parse().expect("a postcode"),
            number(1),
        ));
        let first = first.expect("reads").expect("is there");
        let along = NumberRangeQuery {
            numbers: number(1)..=number(99_999),
            limit: 10,
        };
        let street = StreetKey::from_address(&first).expect("boxes have a street key");
        assert_eq!(
            describe(index.query_street(street, &along)),
            ["1", "2", "3"]
        );
    }
}
