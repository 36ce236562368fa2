//! Defines the land area of the Netherlands: the squares of ten kilometres of the RD grid that have addresses. Each square is
//! divided into nine locations for towns.
//!
//! Source: own, coarse reading of the public PC4 table. Each of these squares has at least three four-digit postcode areas. The
//! coast and the border cross some squares.

use crate::geometry::RdPoint;

/// The squares, one character per square: columns from x = 20 km eastward, rows from y = 600 km southward.
const SQUARES: [&str; 30] = [
    "..............#...#.####.",
    "............#..#########.",
    "..........#...###########",
    "..........#..############",
    ".........#..############.",
    ".........#..############.",
    ".........#.....#########.",
    "........####...########..",
    "........#####..########..",
    "........#####.....####...",
    "........####.##########..",
    "........######...######..",
    ".......######.#########..",
    ".......#####..########...",
    "......################...",
    ".....############..##....",
    "....###################..",
    "....##################...",
    "...###############.......",
    "..################.......",
    "...###############.......",
    "..###################....",
    "#####.#.#.#.#######......",
    "####......#####.###......",
    "..###.........#####......",
    "................##.......",
    "................##.......",
    "................##.......",
    "...............####......",
    "...............####......",
];
const SIDE_MM: i64 = 10_000_000;
const LEFT_MM: i64 = 20_000_000;
const TOP_MM: i64 = 600_000_000;

/// Locations for towns, nine per square, ordered so that successive locations are adjacent: square by square, every second row from
/// right to left.
pub(crate) fn town_locations() -> Vec<RdPoint> {
    (0_i64..)
        .zip(SQUARES)
        .flat_map(|(row, squares)| squares_of(row, squares))
        .flat_map(locations_in_square)
        .collect()
}

fn squares_of(row: i64, squares: &str) -> Vec<RdPoint> {
    let land = (0_i64..)
        .zip(squares.bytes())
        .filter(|&(_, square)| square == b'#');
    let mut corners: Vec<RdPoint> = land
        .map(|(column, _)| RdPoint {
            x: LEFT_MM + column * SIDE_MM,
            y: TOP_MM - row * SIDE_MM,
        })
        .collect();
    if row % 2 == 1 {
        corners.reverse();
    }
    corners
}

fn locations_in_square(corner: RdPoint) -> impl Iterator<Item = RdPoint> {
    const NINTHS: [(i64, i64); 9] = [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 2),
        (1, 1),
        (1, 0),
        (2, 0),
        (2, 1),
        (2, 2),
    ];
    NINTHS
        .into_iter()
        .map(move |(x, y)| corner.plus((2 * x + 1) * SIDE_MM / 6, (2 * y + 1) * SIDE_MM / 6))
}

/// The index of the location nearest to a point.
pub(crate) fn nearest(locations: &[RdPoint], to: RdPoint) -> usize {
    let distance_2 = |at: &RdPoint| (at.x - to.x).pow(2) + (at.y - to.y).pow(2);
    (0..locations.len())
        .min_by_key(|&index| distance_2(&locations[index]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_location_for_every_town() {
        let locations = town_locations();
        assert!(locations.len() >= 2_500, "{}", locations.len());
        assert!(
            locations
                .iter()
                .all(|at| (20_000_000..270_000_000).contains(&at.x)
                    && (310_000_000..610_000_000).contains(&at.y))
        );
    }
}
