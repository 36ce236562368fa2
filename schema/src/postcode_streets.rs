//! Which streets each postcode has, in memory: six megabytes for the whole country, some 0.2 µs a question, where the terms
//! would take 2 µs.
//!
//! Reading them all takes up to a second for the country. From one generation to the next only those postcodes are read again
//! that one of the addresses of which was deleted.

use std::collections::BTreeSet;

use tantivy::schema::IndexRecordOption;
use tantivy::termdict::TermStreamer;
use tantivy::{DocSet, TERMINATED};

use crate::columns::StreetNames;
use crate::{AddressIndex, IndexError, Postcode, PostcodeSet, Segment};

/// The streets of all postcodes of an index of addresses.
pub struct PostcodeStreets {
    /// Of each segment, in the order of its index.
    segments: Vec<OfSegment>,
    postcodes: PostcodeSet,
}

/// By postcode; in each, in the order in which the addresses stand.
type OfSegment = Vec<(Postcode, StreetNames)>;

impl PostcodeStreets {
    /// Reads them from the addresses that are not deleted. What is known of an index `before`, older or newer, is taken over
    /// where it holds the same segments.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn read(
        index: &AddressIndex,
        before: Option<(&AddressIndex, &Self)>,
    ) -> Result<Self, IndexError> {
        let mut segments = Vec::new();
        for segment in index.segments() {
            let known = before.and_then(|(index, streets)| streets.of_same(index, segment));
            segments.push(match known {
                Some((old, known)) => change(known, segment, &touched(old, segment)?)?,
                None => read_all(segment)?,
            });
        }
        let all = segments.iter().flatten();
        let postcodes = all.map(|(postcode, _)| *postcode).collect();
        Ok(Self {
            segments,
            postcodes,
        })
    }

    /// Every postcode that has an address.
    #[must_use]
    pub fn postcodes(&self) -> &PostcodeSet {
        &self.postcodes
    }

    /// Every street of a postcode with its city, each pair once a segment. The index is the one that this was read from.
    pub fn of<'a>(
        &'a self,
        index: &'a AddressIndex,
        postcode: Postcode,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        let segments = index.segments().iter().zip(&self.segments);
        segments.flat_map(move |(segment, all)| {
            let first = all.partition_point(|(other, _)| *other < postcode);
            let here = all[first..].iter();
            here.take_while(move |(other, _)| *other == postcode)
                .map(|(_, names)| segment.columns.texts(*names))
        })
    }

    /// The same segment in the index that this was read from, with its streets.
    fn of_same<'a>(
        &'a self,
        index: &'a AddressIndex,
        wanted: &Segment,
    ) -> Option<(&'a Segment, &'a OfSegment)> {
        let mut segments = index.segments().iter().zip(&self.segments);
        segments.find(|(segment, _)| segment.id() == wanted.id())
    }
}

/// The terms give the order, but outlive the last of their addresses until the next merge.
fn read_all(segment: &Segment) -> Result<OfSegment, IndexError> {
    let mut all = Vec::new();
    let mut terms = segment.postcodes.terms().stream()?;
    while terms.advance() {
        add(segment, &terms, &mut all)?;
    }
    all.shrink_to_fit();
    Ok(all)
}

fn add(segment: &Segment, terms: &TermStreamer<'_>, all: &mut OfSegment) -> Result<(), IndexError> {
    let first = all.len();
    let basic = IndexRecordOption::Basic;
    let mut postings = segment
        .postcodes
        .read_postings_from_terminfo(terms.value(), basic)?;
    while postings.doc() != TERMINATED {
        let document = postings.doc();
        postings.advance();
        if segment.is_deleted(document) {
            continue;
        }
        let columns = &segment.columns;
        let street = (columns.postcode(document)?, columns.street_names(document)?);
        if !all[first..].contains(&street) {
            all.push(street);
        }
    }
    Ok(())
}

/// The postcodes of all documents that are deleted in one of two states of a segment and not in the other.
fn touched(old: &Segment, new: &Segment) -> Result<BTreeSet<Postcode>, IndexError> {
    let others = (0..new.documents())
        .filter(|&document| old.is_deleted(document) != new.is_deleted(document));
    let postcodes = others.map(|document| Ok(new.columns.postcode(document)?));
    postcodes.collect()
}

/// The streets as they are now, where only those of some postcodes may be others than they were.
fn change(
    known: &OfSegment,
    segment: &Segment,
    touched: &BTreeSet<Postcode>,
) -> Result<OfSegment, IndexError> {
    let (mut all, mut rest) = (Vec::with_capacity(known.len()), &known[..]);
    for &postcode in touched {
        let before = rest.partition_point(|(other, _)| *other < postcode);
        let behind = rest.partition_point(|(other, _)| *other <= postcode);
        all.extend_from_slice(&rest[..before]);
        rest = &rest[behind..];
        let term = u64::from(postcode.code()).to_be_bytes();
        let terms = segment.postcodes.terms();
        let mut terms = terms.range().ge(term).le(term).into_stream()?;
        while terms.advance() {
            add(segment, &terms, &mut all)?;
        }
    }
    all.extend_from_slice(rest);
    Ok(all)
}
