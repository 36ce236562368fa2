//! Defines points and areas of objects on the RD grid, in whole millimetres. Every area is built around a known centroid, so no
//! centroid has to be computed.

/// A point on the RD grid (EPSG:28992) in millimetres: first east, then north.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RdPoint {
    pub(crate) x: i64,
    pub(crate) y: i64,
}

impl RdPoint {
    /// The point this many millimetres to the east and to the north of `self`.
    pub(crate) fn plus(self, x: i64, y: i64) -> RdPoint {
        RdPoint {
            x: self.x + x,
            y: self.y + y,
        }
    }
}

/// A point, or an area whose centroid is exactly the point `at`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ObjectGeometry {
    Point(RdPoint),
    /// An area with the corners `at ± u ± v`. Its centroid is `at` for any `u` and `v`.
    Parallelogram {
        at: RdPoint,
        u: RdPoint,
        v: RdPoint,
    },
    /// A square with sides of `12 unit`, without its upper right quarter. The centroid is `5 unit` to the right of and above the
    /// lower left corner.
    LShape {
        at: RdPoint,
        unit: i64,
    },
    /// A square with sides of `24 unit`. It has a square hole with sides of `12 unit`, `3 unit` to the east of the middle, so the
    /// centroid is `unit` to the west of the middle.
    SquareWithHole {
        at: RdPoint,
        unit: i64,
    },
}

impl ObjectGeometry {
    /// The point, or the centroid of the area.
    pub(crate) fn centroid(&self) -> RdPoint {
        match *self {
            ObjectGeometry::Point(at)
            | ObjectGeometry::Parallelogram { at, .. }
            | ObjectGeometry::LShape { at, .. }
            | ObjectGeometry::SquareWithHole { at, .. } => at,
        }
    }

    /// The closed rings of an area: the outline counter-clockwise, then the hole, if any, clockwise. Empty for a point.
    pub(crate) fn rings(&self) -> Vec<Vec<RdPoint>> {
        match *self {
            ObjectGeometry::Point(_) => Vec::new(),
            ObjectGeometry::Parallelogram { at, u, v } => vec![vec![
                at.plus(-u.x - v.x, -u.y - v.y),
                at.plus(u.x - v.x, u.y - v.y),
                at.plus(u.x + v.x, u.y + v.y),
                at.plus(v.x - u.x, v.y - u.y),
                at.plus(-u.x - v.x, -u.y - v.y),
            ]],
            ObjectGeometry::LShape { at, unit } => vec![ring(
                at.plus(-5 * unit, -5 * unit),
                unit,
                &[(0, 0), (12, 0), (12, 6), (6, 6), (6, 12), (0, 12), (0, 0)],
            )],
            ObjectGeometry::SquareWithHole { at, unit } => {
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

fn ring(from: RdPoint, unit: i64, steps: &[(i64, i64)]) -> Vec<RdPoint> {
    steps
        .iter()
        .map(|&(x, y)| from.plus(x * unit, y * unit))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice the signed area, and six times the product of the area and each coordinate of the centroid. Uses the shoelace formulas
    /// in whole numbers.
    fn moments(ring: &[RdPoint]) -> (i128, i128, i128) {
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
    fn case(shape: ObjectGeometry) {
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
    fn rings_have_the_given_centroid() {
        let at = RdPoint {
            x: 158_000_123,
            y: 454_000_457,
        };
        case(ObjectGeometry::Parallelogram {
            at,
            u: RdPoint { x: 4_001, y: 1_203 },
            v: RdPoint { x: -900, y: 3_007 },
        });
        case(ObjectGeometry::LShape { at, unit: 501 });
        case(ObjectGeometry::SquareWithHole { at, unit: 333 });
    }
}
