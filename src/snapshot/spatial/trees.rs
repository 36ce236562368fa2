//! Builds a tree of points for each segment. A segment that the next generation still has keeps its tree.

use std::sync::Arc;

use postduif_schema::{AddressIndex, LonLat, Segment, SegmentId};
use rstar::{AABB, RTree, RTreeObject};

/// The trees of one snapshot, in the order of its segments.
pub(crate) struct SegmentTrees {
    trees: Vec<(SegmentId, Arc<RTree<AddressPoint>>)>,
    built_count: usize,
}

/// The number of a document in its segment, and the location of the document's address. Takes twelve bytes.
///
/// The coordinates are integers, so a rectangle is exact. Bulk loading and searching a rectangle only compare coordinates. Do not
/// use rstar's search for the nearest points: it squares coordinates, which overflows an `i32`.
pub(super) struct AddressPoint {
    pub(super) document: u32,
    pub(super) location: LonLat,
}

impl RTreeObject for AddressPoint {
    type Envelope = AABB<[i32; 2]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_point([self.location.lon_e7, self.location.lat_e7])
    }
}

impl SegmentTrees {
    /// Reuses the trees of segments that `previous` has too, and builds the others. Building takes a few hundred nanoseconds per
    /// point.
    pub(crate) fn build_reusing(addresses: &AddressIndex, previous: Option<&Self>) -> Self {
        let mut built_count = 0;
        let trees = addresses.segments().iter().map(|segment| {
            let id = segment.id();
            let tree = previous
                .and_then(|previous| previous.find_tree(&id))
                .unwrap_or_else(|| {
                    built_count += 1;
                    Arc::new(build_tree(segment))
                });
            (id, tree)
        });
        Self {
            trees: trees.collect(),
            built_count,
        }
    }

    /// How many trees were built. The other trees were reused.
    pub(crate) fn built_count(&self) -> usize {
        self.built_count
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &RTree<AddressPoint>> {
        self.trees.iter().map(|(_, tree)| &**tree)
    }

    /// Searches linearly, because there are only about ten segments.
    fn find_tree(&self, wanted: &SegmentId) -> Option<Arc<RTree<AddressPoint>>> {
        let (_, tree) = self.trees.iter().find(|(id, _)| id == wanted)?;
        Some(tree.clone())
    }
}

/// Builds a tree of all locations of a segment. Includes deleted documents, because another generation that reuses the tree may
/// have other deletions.
fn build_tree(segment: &Segment) -> RTree<AddressPoint> {
    let mut points =
        Vec::with_capacity(usize::try_from(segment.total_document_count()).unwrap_or_default());
    points.extend(
        segment
            .locations()
            .map(|(document, location)| AddressPoint { document, location }),
    );
    RTree::bulk_load(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::sandbox::sandbox_addresses;

    /// There are ten million points, so eight more bytes per node would take 80 MB more memory.
    #[test]
    fn a_point_takes_twelve_bytes_and_a_node_forty() {
        assert_eq!(size_of::<AddressPoint>(), 12);
        assert_eq!(size_of::<rstar::RTreeNode<AddressPoint>>(), 40);
    }

    #[test]
    fn a_reused_segment_keeps_its_tree() {
        let index = || AddressIndex::in_memory(&sandbox_addresses()).expect("an index of four");
        let (here, elsewhere) = (index(), index());
        let first = SegmentTrees::build_reusing(&here, None);
        assert_eq!((first.built_count(), first.trees.len()), (1, 1));
        assert_eq!(first.iter().map(RTree::size).collect::<Vec<_>>(), [3]);
        let next = SegmentTrees::build_reusing(&here, Some(&first));
        assert_eq!(next.built_count(), 0);
        assert!(Arc::ptr_eq(&next.trees[0].1, &first.trees[0].1));
        // Another segment with the same addresses does not share the tree.
        assert_eq!(
            SegmentTrees::build_reusing(&elsewhere, Some(&first)).built_count(),
            1
        );
    }
}
