//! The location of an object: its point, or the centroid of its polygon.
//!
//! Coordinates are RD metres, x then y; a third one, always 0.0, is ignored.

use geo::{Centroid, Coord, LineString, Polygon};
use postduif_schema::Rd;

use crate::xml::{XmlError, XmlReader};

/// Reads a `geometrie` element of a verblijfsobject, ligplaats or standplaats. Returns `None` if it is outside the country,
/// which occurs in the register.
pub(super) fn read_centre(xml: &mut XmlReader<'_>) -> Result<Option<Rd>, XmlError> {
    let mut centre = None;
    xml.for_each_child(|xml, name| {
        match name {
            "punt" | "vlak" => centre = self::read_centre(xml)?,
            "Point" => centre = read_point(xml)?,
            "Polygon" => centre = read_polygon_centroid(xml)?,
            _ => xml.skip()?,
        }
        Ok(())
    })?;
    Ok(centre)
}

fn read_point(xml: &mut XmlReader<'_>) -> Result<Option<Rd>, XmlError> {
    let mut centre = None;
    xml.for_each_child(|xml, name| match name {
        "pos" => {
            let position = read_positions(xml, 3)?.first().copied();
            centre = position.and_then(|coordinate| Rd::from_metres(coordinate.x, coordinate.y));
            Ok(())
        }
        _ => xml.skip(),
    })?;
    Ok(centre)
}

fn read_polygon_centroid(xml: &mut XmlReader<'_>) -> Result<Option<Rd>, XmlError> {
    let dimension = match xml.attribute("srsDimension").as_deref() {
        Some("3") => 3,
        Some("2") | None => 2,
        Some(other) => {
            return Err(xml.error(format!("srsDimension {other:?}; a polygon has 2 or 3")));
        }
    };
    let (mut exterior, mut interiors) = (LineString::new(Vec::new()), Vec::new());
    xml.for_each_child(|xml, name| {
        match name {
            "exterior" => exterior = read_ring(xml, dimension)?,
            "interior" => interiors.push(read_ring(xml, dimension)?),
            _ => xml.skip()?,
        }
        Ok(())
    })?;
    let centroid = Polygon::new(exterior, interiors).centroid();
    Ok(centroid.and_then(|point| Rd::from_metres(point.x(), point.y())))
}

fn read_ring(xml: &mut XmlReader<'_>, dimension: usize) -> Result<LineString<f64>, XmlError> {
    let mut ring = Vec::new();
    xml.for_each_child(|xml, _| {
        xml.for_each_child(|xml, name| {
            match name {
                "posList" => ring = read_positions(xml, dimension)?,
                _ => xml.skip()?,
            }
            Ok(())
        })
    })?;
    Ok(LineString::new(ring))
}

/// The coordinates of a `pos` or `posList`. A `pos` may omit the third.
fn read_positions(xml: &mut XmlReader<'_>, dimension: usize) -> Result<Vec<Coord<f64>>, XmlError> {
    let text = xml.text()?;
    let number = |word: &str| word.parse().ok().filter(|metres: &f64| metres.is_finite());
    let numbers: Option<Vec<f64>> = text.split_ascii_whitespace().map(number).collect();
    let numbers =
        numbers.ok_or_else(|| xml.error("a coordinate is not a number; RD metres are expected"))?;
    let pairs = numbers.chunks(dimension).filter_map(|coordinates| {
        Some(Coord {
            x: *coordinates.first()?,
            y: *coordinates.get(1)?,
        })
    });
    Ok(pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(gml: &str, expected: Option<(i32, i32)>) {
        let found = XmlReader::read_document("test.xml", gml.as_bytes(), |xml, _| read_centre(xml))
            .expect("reads");
        assert_eq!(found.map(|rd| (rd.x_mm, rd.y_mm)), expected, "{gml}");
    }

    #[test]
    fn points_and_polygons_have_a_centre() {
        case(
            r#"<g><punt><gml:Point srsDimension="3"><gml:pos>131009.0 482405.12 0.0</gml:pos></gml:Point></punt></g>"#,
            Some((131_009_000, 482_405_120)),
        );
        case(
            "<g><Point><pos>131009.0 482405.12</pos></Point></g>",
            Some((131_009_000, 482_405_120)),
        );
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
        case(
            &format!("<g><Polygon>{body}</Polygon></g>"),
            Some((100_007_500, 400_005_000)),
        );
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
    fn a_coordinate_that_is_not_a_number_is_an_error() {
        let read = |gml: &str| {
            XmlReader::read_document("test.xml", gml.as_bytes(), |xml, _| read_centre(xml))
        };
        for coordinates in ["1e5 west", "NaN 400000", "100000 inf"] {
            let gml = format!("<g><Point><pos>{coordinates}</pos></Point></g>");
            let error = read(&gml).expect_err("no coordinates").to_string();
            assert!(
                error.contains("test.xml") && error.contains("not a number"),
                "{error}"
            );
        }
    }
}
