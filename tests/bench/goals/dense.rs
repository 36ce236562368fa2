//! Selects addresses in densely populated places.

use std::cmp::Reverse;
use std::collections::HashMap;

use postduif_schema::Address;

const SQUARE_SIDE_MM: i32 = 1_000_000;

/// The quarter of the addresses with the most other addresses in their square kilometre. Addresses without a location are ignored.
pub(crate) fn addresses_in_dense_squares(sample: &[Address]) -> Vec<&Address> {
    let mut squares: HashMap<[i32; 2], Vec<&Address>> = HashMap::new();
    for address in sample {
        if let Some(location) = address.location {
            let square =
                [location.rd.x_mm, location.rd.y_mm].map(|mm| mm.div_euclid(SQUARE_SIDE_MM));
            squares.entry(square).or_default().push(address);
        }
    }
    let located: usize = squares.values().map(Vec::len).sum();
    let mut squares: Vec<_> = squares.into_iter().collect();
    squares.sort_unstable_by_key(|(square, there)| (Reverse(there.len()), *square));
    let densest = squares.into_iter().flat_map(|(_, there)| there);
    densest.take((located / 4).max(1)).collect()
}
