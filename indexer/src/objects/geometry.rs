//! Reads the location of an object, which is its point or the centroid of its surfaces.
//!
//! Coordinates are in RD, in metres, x then y. A third coordinate, which is always 0.0, is ignored. The format allows a point or a
//! polygon. Real deliveries also have surfaces, and several points or surfaces for one object.

use geo::{Centroid, Coord, Geometry, GeometryCollection, LineString, MultiPoint, Point, Polygon};
use postduif_schema::Rd;

use crate::record_issues::IssueEffect;
use crate::xml::{XmlError, XmlReader};

/// Reads a `geometrie` element of a verblijfsobject, ligplaats or standplaats. Notes an issue and returns `None` if there is no
/// location in the country.
pub(super) fn read_location(xml: &mut XmlReader<'_>) -> Result<Option<Rd>, XmlError> {
    let mut geometry = GmlGeometry::default();
    geometry.read(xml, None)?;
    if let Some(value) = geometry.unreadable {
        note_location(xml, &value);
        return Ok(None);
    }
    let centroid = geometry.centroid();
    let location = centroid.and_then(|point| Rd::from_metres(point.x(), point.y()));
    if location.is_none() {
        let value = centroid.map(|point| format!("{} {}", point.x(), point.y()));
        note_location(xml, &value.unwrap_or_default());
    }
    Ok(location)
}

/// Notes a missing location, or one that is not in the country.
pub(super) fn note_location(xml: &mut XmlReader<'_>, value: &str) {
    let expected = "expected RD coordinates in metres, x then y, in the Netherlands";
    xml.note("geometrie", IssueEffect::Nulled, value, &expected);
}

/// The points and polygons of a geometry.
#[derive(Default)]
struct GmlGeometry {
    points: Vec<Point<f64>>,
    polygons: Vec<Polygon<f64>>,
    /// The first text that is not a list of coordinates.
    unreadable: Option<String>,
}

/// The number of coordinates per position, if an element around the positions states this number.
type Dimension = Option<usize>;

impl GmlGeometry {
    /// Reads the children of the current element. Elements around points and polygons (`vlak`, `MultiSurface`,
    /// `surfaceMember`, `Surface`, `patches` and so on) are read only for their content.
    fn read(&mut self, xml: &mut XmlReader<'_>, outer: Dimension) -> Result<(), XmlError> {
        xml.for_each_child(|xml, name| {
            match name {
                // The attributes of points are not read, because nearly every object has a point and reading them takes time.
                "punt" | "Point" | "pointMember" => self.read(xml, None)?,
                "pos" => {
                    // A `pos` has two or three numbers. The first two can be read even if the dimension is not known.
                    let positions = self.read_positions(xml, Some(3))?;
                    self.points.extend(positions.first().map(|&at| Point(at)));
                }
                "Polygon" | "PolygonPatch" | "Rectangle" | "Triangle" => {
                    let dimension = read_dimension(xml).or(outer);
                    self.read_polygon(xml, dimension)?;
                }
                _ => {
                    let dimension = read_dimension(xml).or(outer);
                    self.read(xml, dimension)?;
                }
            }
            Ok(())
        })
    }

    fn read_polygon(&mut self, xml: &mut XmlReader<'_>, outer: Dimension) -> Result<(), XmlError> {
        let (mut exterior, mut interiors) = (LineString::new(Vec::new()), Vec::new());
        xml.for_each_child(|xml, name| {
            match name {
                "exterior" => exterior = self.read_ring(xml, outer)?,
                "interior" => interiors.push(self.read_ring(xml, outer)?),
                _ => xml.skip()?,
            }
            Ok(())
        })?;
        self.polygons.push(Polygon::new(exterior, interiors));
        Ok(())
    }

    fn read_ring(
        &mut self,
        xml: &mut XmlReader<'_>,
        outer: Dimension,
    ) -> Result<LineString<f64>, XmlError> {
        let mut ring = Vec::new();
        xml.for_each_child(|xml, _| {
            xml.for_each_child(|xml, name| {
                match name {
                    "posList" => {
                        let dimension = read_dimension(xml).or(outer);
                        ring = self.read_positions(xml, dimension)?;
                    }
                    "pos" => ring.extend(self.read_positions(xml, Some(3))?.first()),
                    _ => xml.skip()?,
                }
                Ok(())
            })
        })?;
        Ok(LineString::new(ring))
    }

    /// Reads the positions of a `pos` or `posList`. A `pos` may omit the third coordinate.
    fn read_positions(
        &mut self,
        xml: &mut XmlReader<'_>,
        dimension: Dimension,
    ) -> Result<Vec<Coord<f64>>, XmlError> {
        let count = match dimension {
            Some(_) => None,
            None => xml.attribute("count").and_then(|count| count.parse().ok()),
        };
        let text = match xml.text_or_child()? {
            Ok(text) => text,
            Err(child) => {
                self.unreadable.get_or_insert(child);
                return Ok(Vec::new());
            }
        };
        let number = |word: &str| word.parse().ok().filter(|metres: &f64| metres.is_finite());
        let numbers: Option<Vec<f64>> = text.split_ascii_whitespace().map(number).collect();
        let Some(numbers) = numbers else {
            self.unreadable.get_or_insert_with(|| text.into_owned());
            return Ok(Vec::new());
        };
        let by_count = |count: usize| numbers.len().checked_div(count);
        let dimension = dimension
            .or_else(|| count.and_then(by_count))
            .filter(|dimension| matches!(dimension, 2 | 3))
            .unwrap_or_else(|| likely_dimension(&numbers));
        let is_point = (2..=3).contains(&numbers.len());
        if !is_point && !numbers.len().is_multiple_of(dimension) {
            self.unreadable.get_or_insert_with(|| text.into_owned());
            return Ok(Vec::new());
        }
        let pairs = numbers.chunks(dimension).filter_map(|coordinates| {
            Some(Coord {
                x: *coordinates.first()?,
                y: *coordinates.get(1)?,
            })
        });
        Ok(pairs.collect())
    }

    /// The centroid of the polygons, or of the points if there are no polygons.
    fn centroid(self) -> Option<Point<f64>> {
        match (&*self.points, &*self.polygons) {
            // The usual case: nearly every object has one point.
            ([point], []) => Some(*point),
            (_, []) => MultiPoint::new(self.points).centroid(),
            _ => {
                let polygons = self.polygons.into_iter().map(Geometry::Polygon);
                GeometryCollection::from_iter(polygons).centroid()
            }
        }
    }
}

/// The dimension (2 or 3) for which the last position of a ring equals the first position; 2 if the ring is not closed for either
/// dimension.
fn likely_dimension(numbers: &[f64]) -> usize {
    let is_closed = |dimension: &usize| {
        let ends = numbers
            .first_chunk::<2>()
            .zip(numbers.get(numbers.len().saturating_sub(*dimension)..));
        numbers.len().is_multiple_of(*dimension)
            && ends.is_some_and(|(first, last)| last.starts_with(first))
    };
    [2, 3].into_iter().find(is_closed).unwrap_or(2)
}

/// The `srsDimension` of the current element.
fn read_dimension(xml: &XmlReader<'_>) -> Dimension {
    match xml.attribute("srsDimension").as_deref() {
        Some("2") => Some(2),
        Some("3") => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(gml: &str, expected: Option<(i32, i32)>) {
        let found =
            XmlReader::read_document("test.xml", gml.as_bytes(), |xml, _| read_location(xml))
                .expect("reads");
        assert_eq!(found.map(|rd| (rd.x_mm, rd.y_mm)), expected, "{gml}");
    }

    #[test]
    #[rustfmt::skip]
    fn points_and_polygons_have_a_centre() {
        case(
            r#"<g><punt><gml:Point srsDimension="3"><gml:pos>131009.0 482405.12 0.0</gml:pos></gml:Point></punt></g>"#,
            Some((131_009_000, 482_405_120)),
        );
        case("<g><Point><pos>131009.0 482405.12</pos></Point></g>", Some((131_009_000, 482_405_120)));
        let square = "100000 400000 100010 400000 100010 400010 100000 400010 100000 400000";
        let ring =
            |positions: &str| format!("<LinearRing><posList>{positions}</posList></LinearRing>");
        case(
            &format!(
                r#"<g><Polygon srsDimension="2"><exterior>{}</exterior></Polygon></g>"#,
                ring(square)
            ),
            Some((100_005_000, 400_005_000)),
        );
        // The left half is a hole, so the centroid is at three quarters.
        let hole = "100000 400000 100000 400010 100005 400010 100005 400000 100000 400000";
        let body = format!(
            "<exterior>{}</exterior><interior>{}</interior>",
            ring(square),
            ring(hole)
        );
        case(&format!("<g><Polygon>{body}</Polygon></g>"), Some((100_007_500, 400_005_000)));
        let plane: Vec<&str> = square.split(' ').collect();
        let spatial: Vec<String> = plane
            .chunks(2)
            .map(|at| format!("{} {} 0.0", at[0], at[1]))
            .collect();
        case(
            &format!(
                r#"<g><vlak><Polygon srsDimension="3"><exterior>{}</exterior></Polygon></vlak></g>"#,
                ring(&spatial.join(" "))
            ),
            Some((100_005_000, 400_005_000)),
        );
    }

    #[test]
    fn geometry_without_a_location_in_the_country_has_no_centre() {
        case("<g/>", None);
        case("<g><Point><pos>0.0 0.0 0.0</pos></Point></g>", None);
        case("<g><Point><pos></pos></Point></g>", None);
        case("<g><Polygon><exterior></exterior></Polygon></g>", None);
        case(
            "<g><Polygon><exterior><LinearRing><posList>1</posList></LinearRing></exterior></Polygon></g>",
            None,
        );
    }

    #[test]
    fn surfaces_and_several_points_have_a_centre() {
        let square = |x: u32| {
            let (near, far) = (x, x + 10);
            format!(
                "<exterior><LinearRing><posList>{near} 400000 {far} 400000 {far} 400010 {near} 400010 {near} 400000</posList>\
                 </LinearRing></exterior>"
            )
        };
        let (one, other) = (square(100_000), square(100_020));
        let middle = Some((100_015_000, 400_005_000));
        case(
            &format!(
                "<g><multivlak><MultiSurface><surfaceMember><Polygon>{one}</Polygon></surfaceMember><surfaceMember><Polygon>\
                 {other}</Polygon></surfaceMember></MultiSurface></multivlak></g>"
            ),
            middle,
        );
        case(
            &format!(
                "<g><vlak><Surface><patches><PolygonPatch>{one}</PolygonPatch><PolygonPatch>{other}</PolygonPatch></patches>\
                 </Surface></vlak></g>"
            ),
            middle,
        );
        let point = |x: u32| format!("<Point><pos>{x} 400005 0.0</pos></Point>");
        case(
            &format!(
                "<g><punt><MultiPoint><pointMember>{}</pointMember><pointMember>{}</pointMember></MultiPoint></punt></g>",
                point(100_005),
                point(100_025)
            ),
            middle,
        );
        // An element around the positions states the dimension, or the dimension follows from the coordinates.
        let spatial =
            "100000 400000 0 100010 400000 0 100010 400010 0 100000 400010 0 100000 400000 0";
        for (surface, list) in [
            (" srsDimension=\"3\"", ""),
            ("", " srsDimension=\"3\""),
            ("", " count=\"5\""),
            ("", ""),
        ] {
            case(
                &format!(
                    "<g><MultiSurface{surface}><surfaceMember><Polygon><exterior><LinearRing><posList{list}>{spatial}</posList>\
                     </LinearRing></exterior></Polygon></surfaceMember></MultiSurface></g>"
                ),
                Some((100_005_000, 400_005_000)),
            );
        }
    }

    #[test]
    fn coordinates_that_are_not_in_the_country_are_noted() {
        for coordinates in [
            "1e5 west",
            "NaN 400000",
            "100000 inf",
            "482405 131009",
            "0 0",
            "",
        ] {
            let gml = format!("<g><Point><pos>{coordinates}</pos></Point></g>");
            let read = XmlReader::read_document("test.xml", gml.as_bytes(), |xml, _| {
                Ok((read_location(xml)?, xml.take_issues()))
            });
            let (location, issues) = read.expect("reads");
            assert_eq!(location, None);
            assert_eq!(issues[0].value, coordinates);
        }
    }
}
