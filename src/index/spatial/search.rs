//! The search: rectangles that grow until they surely hold enough addresses, then the distances themselves.
//!
//! Taking the whole radius at once would measure thousands of addresses in a town to answer with ten.

use postduif_schema::{Address, AddressIndex, IndexError, ListingKey, Segment};

use super::{Centre, Trees};

/// How far the first rectangle reaches, in metres; each next one reaches twice as far.
const FIRST_REACH_M: f64 = 30.0;

/// An address and how far it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearby {
    /// The address.
    pub address: Address,
    /// Metres from the centre of the search, along the sphere; not rounded.
    pub distance_m: f64,
}

/// A document that is near enough.
struct Hit<'a> {
    distance_m: f64,
    segment: &'a Segment,
    document: u32,
}

/// One search through the segments of a snapshot and their trees.
pub(crate) struct Search<'a> {
    pub(crate) addresses: &'a AddressIndex,
    /// The trees of these very segments.
    pub(crate) trees: &'a Trees,
    pub(crate) centre: Centre,
}

impl<'a> Search<'a> {
    /// The nearest `limit` addresses within `radius_m`, nearest first; those at the same distance in listing order.
    ///
    /// # Errors
    /// When the index is damaged.
    pub(crate) fn nearest(&self, radius_m: f64, limit: usize) -> Result<Vec<Nearby>, IndexError> {
        let mut found = Vec::new();
        for hit in closest(self.enough(radius_m, limit), limit) {
            found.push((hit.distance_m, hit.listing_key()?, hit));
        }
        found.sort_unstable_by(|(a_m, a, _), (b_m, b, _)| a_m.total_cmp(b_m).then(a.cmp(b)));
        found.truncate(limit);
        found.iter().map(|(_, _, hit)| hit.read()).collect()
    }

    /// Everything within a distance at which there are `limit` addresses, or within the radius.
    fn enough(&self, radius_m: f64, limit: usize) -> Vec<Hit<'a>> {
        let mut reach_m = radius_m.min(FIRST_REACH_M);
        loop {
            let hits = self.within(reach_m);
            if hits.len() >= limit || reach_m >= radius_m {
                return hits;
            }
            reach_m = radius_m.min(2.0 * reach_m);
        }
    }

    /// Everything within a distance. The corners of the rectangle are farther and do not count: what lies just outside its
    /// sides is nearer than they are.
    fn within(&self, reach_m: f64) -> Vec<Hit<'a>> {
        let around = self.centre.around(reach_m);
        let mut hits = Vec::new();
        for (segment, tree) in self.addresses.segments().iter().zip(self.trees.iter()) {
            let alive = tree
                .locate_in_envelope(around)
                .filter(|spot| !segment.is_deleted(spot.document));
            let measured = alive.map(|spot| Hit {
                distance_m: self.centre.distance_m(spot.place),
                segment,
                document: spot.document,
            });
            hits.extend(measured.filter(|hit| hit.distance_m <= reach_m));
        }
        hits
    }
}

/// Drops what is farther than the last of `limit`. Those that are just as far stay: which of them is to be answered takes
/// more than the distance.
fn closest(mut hits: Vec<Hit<'_>>, limit: usize) -> Vec<Hit<'_>> {
    if let Some(last) = limit.checked_sub(1).filter(|&last| last < hits.len()) {
        let (_, last, _) =
            hits.select_nth_unstable_by(last, |a, b| a.distance_m.total_cmp(&b.distance_m));
        let farthest_m = last.distance_m;
        hits.retain(|hit| hit.distance_m <= farthest_m);
    }
    hits
}

impl Hit<'_> {
    fn listing_key(&self) -> Result<ListingKey, IndexError> {
        self.segment.listing_key(self.document)
    }

    fn read(&self) -> Result<Nearby, IndexError> {
        Ok(Nearby {
            address: self.segment.read(self.document)?,
            distance_m: self.distance_m,
        })
    }
}
