//! Shapes of objects on the RD grid, in whole millimetres, with centroids that are known beforehand rather than computed.

/// A place on the RD grid (EPSG:28992), east then north, in millimetres.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mm {
    pub(super) x: i64,
    pub(super) y: i64,
}

impl Mm {
    pub(super) fn plus(self, x: i64, y: i64) -> Mm {
        Mm {
            x: self.x + x,
            y: self.y + y,
        }
    }
}

/// A point or an area whose centroid is exactly `at`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Point(Mm),
    /// A parallelogram with the corners `at ± u ± v`: whatever `u` and `v` are, its centroid is `at`.
    Block {
        at: Mm,
        u: Mm,
        v: Mm,
    },
    /// A square of side `12 unit` without its upper right quarter: its centroid lies `5 unit` right of and above its lower left corner.
    Ell {
        at: Mm,
        unit: i64,
    },
    /// A square of side `24 unit` with a square hole of side `12 unit` in it, `3 unit` east of its middle: its centroid lies `unit` west of the middle.
    Pierced {
        at: Mm,
        unit: i64,
    },
}

impl Shape {
    /// The point, or the centroid of the area.
    pub(super) fn centroid(&self) -> Mm {
        match *self {
            Shape::Point(at)
            | Shape::Block { at, .. }
            | Shape::Ell { at, .. }
            | Shape::Pierced { at, .. } => at,
        }
    }

    /// The closed rings of an area: the outline counter-clockwise, then its hole clockwise. A point has none.
    pub(super) fn rings(&self) -> Vec<Vec<Mm>> {
        match *self {
            Shape::Point(_) => Vec::new(),
            Shape::Block { at, u, v } => vec![vec![
                at.plus(-u.x - v.x, -u.y - v.y),
                at.plus(u.x - v.x, u.y - v.y),
                at.plus(u.x + v.x, u.y + v.y),
                at.plus(v.x - u.x, v.y - u.y),
                at.plus(-u.x - v.x, -u.y - v.y),
            ]],
            Shape::Ell { at, unit } => vec![ring(
                at.plus(-5 * unit, -5 * unit),
                unit,
                &[(0, 0), (12, 0), (12, 6), (6, 6), (6, 12), (0, 12), (0, 0)],
            )],
            Shape::Pierced { at, unit } => {
                let middle = at.plus(unit, 0);
                vec![
                    ring(
                        middle,
                        unit,
                        &[(-12, -12), (12, -12), (12, 12), (-12, 12), (-12, -12)],
                    ),
                    ring(
                        middle,
                        unit,
                        &[(-3, -6), (-3, 6), (9, 6), (9, -6), (-3, -6)],
                    ),
                ]
            }
        }
    }
}

fn ring(from: Mm, unit: i64, steps: &[(i64, i64)]) -> Vec<Mm> {
    steps
        .iter()
        .map(|&(x, y)| from.plus(x * unit, y * unit))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice the signed area, and six times it times the centroid: the shoelace formulas, in whole numbers.
    fn moments(ring: &[Mm]) -> (i128, i128, i128) {
        ring.windows(2).fold((0, 0, 0), |(area, mx, my), pair| {
            let [a, b] = [pair[0], pair[1]].map(|p| (i128::from(p.x), i128::from(p.y)));
            let cross = a.0 * b.1 - b.0 * a.1;
            (
                area + cross,
                mx + (a.0 + b.0) * cross,
                my + (a.1 + b.1) * cross,
            )
        })
    }

    #[track_caller]
    fn case(shape: Shape) {
        let (area, mx, my) = shape
            .rings()
            .iter()
            .map(|ring| moments(ring))
            .fold((0, 0, 0), |s, m| (s.0 + m.0, s.1 + m.1, s.2 + m.2));
        assert!(area > 0);
        let at = shape.centroid();
        assert_eq!(
            (mx, my),
            (3 * area * i128::from(at.x), 3 * area * i128::from(at.y))
        );
    }

    #[test]
    fn the_centroid_is_the_one_that_is_told() {
        let at = Mm {
            x: 158_000_123,
            y: 454_000_457,
        };
        case(Shape::Block {
            at,
            u: Mm { x: 4_001, y: 1_203 },
            v: Mm { x: -900, y: 3_007 },
        });
        case(Shape::Ell { at, unit: 501 });
        case(Shape::Pierced { at, unit: 333 });
    }
}
