//! Where the Netherlands is land: squares of ten kilometres of the RD grid with addresses in them, cut into nine places for towns.
//!
//! Source: the squares hold at least three four-digit postcode areas each (coarse, own reading of the public PC4 table); coast and border run through some.

use super::shape::Mm;

/// From x = 20 km (left) and y = 600 km (top), one character a square.
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

/// Places for towns, neighbours one after the other: square by square in lines that turn back, nine places a square.
pub(super) fn places() -> Vec<Mm> {
    (0_i64..)
        .zip(SQUARES)
        .flat_map(|(row, squares)| squares_of(row, squares))
        .flat_map(places_of)
        .collect()
}

fn squares_of(row: i64, squares: &str) -> Vec<Mm> {
    let land = (0_i64..)
        .zip(squares.bytes())
        .filter(|&(_, square)| square == b'#');
    let mut corners: Vec<Mm> = land
        .map(|(column, _)| Mm {
            x: LEFT_MM + column * SIDE_MM,
            y: TOP_MM - row * SIDE_MM,
        })
        .collect();
    if row % 2 == 1 {
        corners.reverse();
    }
    corners
}

fn places_of(corner: Mm) -> impl Iterator<Item = Mm> {
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

/// The index of the place nearest to a point.
pub(super) fn nearest(places: &[Mm], to: Mm) -> usize {
    let distance_2 = |at: &Mm| (at.x - to.x).pow(2) + (at.y - to.y).pow(2);
    (0..places.len())
        .min_by_key(|&index| distance_2(&places[index]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_place_for_every_town() {
        let places = places();
        assert!(places.len() >= 2_500, "{}", places.len());
        assert!(
            places
                .iter()
                .all(|at| (20_000_000..270_000_000).contains(&at.x)
                    && (310_000_000..610_000_000).contains(&at.y))
        );
    }
}
