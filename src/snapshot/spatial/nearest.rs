//! Searches for the addresses nearest to a point. Enlarges a rectangle until it contains enough addresses, then sorts them by distance.
//!
//! Searching the whole radius at once would measure thousands of addresses in a town to return ten.

use std::ops::ControlFlow;

use postduif_schema::{Address, AddressIndex, IndexError, Segment};

use super::{SearchCentre, SegmentTrees};

/// The first search radius in metres if one address is wanted. For n addresses the first radius is √n times as large, because the
/// number of addresses within a radius grows with the square of the radius.
const FIRST_RADIUS_M: f64 = 10.0;

/// The next radius is chosen so that, at the same density, this many times the wanted number of addresses is found.
const GROWTH_MARGIN: f64 = 1.5;

/// Minimum factor by which one step enlarges the radius. The last step may be smaller, because it ends at the whole radius.
const MIN_GROWTH: f64 = 1.3;

/// Maximum factor by which one step enlarges the radius.
const MAX_GROWTH: f64 = 4.0;

/// An address and its distance.
#[derive(Debug, Clone, PartialEq)]
pub struct NearbyAddress<'a> {
    /// The address. Its names are borrowed from the index.
    pub address: Address<&'a str>,
    /// Distance from the centre of the search along the sphere in metres, not rounded.
    pub distance_m: f64,
}

/// A document within the radius.
#[derive(Clone, Copy)]
struct NearbyHit<'a> {
    distance_m: f64,
    segment: &'a Segment,
    document: u32,
}

/// One search through the segments of a snapshot and their trees.
pub(crate) struct NearestSearch<'a> {
    pub(crate) addresses: &'a AddressIndex,
    /// The trees of the segments of `addresses`.
    pub(crate) trees: &'a SegmentTrees,
    pub(crate) centre: SearchCentre,
}

impl<'a> NearestSearch<'a> {
    /// The nearest `limit` addresses within `radius_m`, sorted by distance. Addresses at the same distance are sorted by
    /// [`ListingKey`](postduif_schema::ListingKey).
    ///
    /// # Errors
    /// When the index is damaged.
    pub(crate) fn nearest(
        &self,
        radius_m: f64,
        limit: usize,
    ) -> Result<Vec<NearbyAddress<'a>>, IndexError> {
        let mut hits = keep_closest(self.hits_within_growing_radius(radius_m, limit), limit);
        hits.sort_unstable_by(|a, b| a.distance_m.total_cmp(&b.distance_m));
        let mut found = Vec::with_capacity(limit);
        for same_distance in hits.chunk_by_mut(|a, b| a.distance_m.total_cmp(&b.distance_m).is_eq())
        {
            sort_by_listing_key(same_distance)?;
            let room = limit - found.len();
            for hit in same_distance.iter().take(room) {
                found.push(hit.read_address()?);
            }
        }
        Ok(found)
    }

    /// Enlarges the search radius until it contains at least `limit` documents or reaches `radius_m`. Returns all documents within the last
    /// search radius.
    fn hits_within_growing_radius(&self, radius_m: f64, limit: usize) -> Vec<NearbyHit<'a>> {
        let wanted = at_least_one(limit);
        let mut search_radius_m = radius_m.min(FIRST_RADIUS_M * wanted.sqrt());
        loop {
            let hits = self.hits_within(search_radius_m);
            if hits.len() >= limit || search_radius_m >= radius_m {
                return hits;
            }
            let growth = (GROWTH_MARGIN * wanted / at_least_one(hits.len())).sqrt();
            search_radius_m = radius_m.min(search_radius_m * growth.clamp(MIN_GROWTH, MAX_GROWTH));
        }
    }

    /// All documents within a radius. Skips documents in the corners of the rectangle, because they are farther away than the radius.
    fn hits_within(&self, radius_m: f64) -> Vec<NearbyHit<'a>> {
        let bounding_box = self.centre.bounding_box(radius_m);
        let mut hits = Vec::new();
        for (segment, tree) in self.addresses.segments().iter().zip(self.trees.iter()) {
            let control_flow: ControlFlow<()> =
                tree.locate_in_envelope_int(bounding_box, |point| {
                    let distance_m = self.centre.distance_m(point.location);
                    if distance_m <= radius_m && !segment.is_deleted(point.document) {
                        hits.push(NearbyHit {
                            distance_m,
                            segment,
                            document: point.document,
                        });
                    }
                    ControlFlow::Continue(())
                });
            debug_assert!(control_flow.is_continue());
        }
        hits
    }
}

/// Converts a count to a divisor; 0 becomes 1.
fn at_least_one(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, |count| count.max(1).into())
}

/// Sorts documents at the same distance by their listing key. Usually only one document has a given distance.
fn sort_by_listing_key(same_distance: &mut [NearbyHit<'_>]) -> Result<(), IndexError> {
    if same_distance.len() < 2 {
        return Ok(());
    }
    let mut keyed = Vec::with_capacity(same_distance.len());
    for hit in &*same_distance {
        keyed.push((hit.segment.listing_key(hit.document)?, *hit));
    }
    keyed.sort_unstable_by_key(|(key, _)| *key);
    for (place, (_, hit)) in same_distance.iter_mut().zip(keyed) {
        *place = hit;
    }
    Ok(())
}

/// Keeps the nearest `limit` documents, and all others at the same distance as the last of them. The caller chooses between documents at
/// the same distance by their listing key.
fn keep_closest(mut hits: Vec<NearbyHit<'_>>, limit: usize) -> Vec<NearbyHit<'_>> {
    if let Some(last) = limit.checked_sub(1).filter(|&last| last < hits.len()) {
        let (_, last, _) =
            hits.select_nth_unstable_by(last, |a, b| a.distance_m.total_cmp(&b.distance_m));
        let farthest_m = last.distance_m;
        hits.retain(|hit| hit.distance_m <= farthest_m);
    }
    hits
}

impl<'a> NearbyHit<'a> {
    fn read_address(&self) -> Result<NearbyAddress<'a>, IndexError> {
        Ok(NearbyAddress {
            address: self.segment.read_borrowed(self.document)?,
            distance_m: self.distance_m,
        })
    }
}
