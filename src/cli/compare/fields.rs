//! Finds the fields in which two addresses differ.

use std::collections::BTreeSet;

use postduif_schema::LonLat;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::snapshot::SearchCentre;

/// A field that differs between the two answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FieldDifference {
    #[serde(skip)]
    pub(super) name: String,
    /// The value in the answer of the old service; `None` if that answer lacks the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) old: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) new: Option<Value>,
    /// The distance between the two values in metres; `None` if one of the values is not a point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) distance_m: Option<f64>,
}

/// Compares two addresses field by field. Ignores the order of the fields. Two points are equal if they are at most
/// `location_tolerance_m` apart.
pub(super) fn differing_fields(
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    location_tolerance_m: f64,
) -> Vec<FieldDifference> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differences = names.into_iter().filter_map(|name| {
        let (old, new) = (old.get(name), new.get(name));
        if old == new {
            return None;
        }
        let distance_m = distance_m(old, new);
        if distance_m.is_some_and(|distance_m| distance_m <= location_tolerance_m) {
            return None;
        }
        Some(FieldDifference {
            name: name.clone(),
            old: old.cloned(),
            new: new.cloned(),
            distance_m: distance_m.map(|metres| (metres * 10.0).round() / 10.0),
        })
    });
    differences.collect()
}

/// The distance between two points; `None` if one of the values is not a point.
fn distance_m(old: Option<&Value>, new: Option<&Value>) -> Option<f64> {
    let ([old_lon, old_lat], [new_lon, new_lat]) = (point(old?)?, point(new?)?);
    let old = SearchCentre::from_degrees(old_lon, old_lat)?;
    Some(old.distance_m(LonLat::from_degrees(new_lon, new_lat)?))
}

/// Longitude and latitude of a GeoJSON point. Source: RFC 7946, section 3.1.2.
fn point(value: &Value) -> Option<[f64; 2]> {
    if value["type"] != "Point" {
        return None;
    }
    match value["coordinates"].as_array()?.as_slice() {
        [lon, lat] => Some([lon.as_f64()?, lat.as_f64()?]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn differing(old: &Value, new: &Value) -> Vec<(String, Option<f64>)> {
        let [old, new] = [old, new].map(|value| value.as_object().expect("an object"));
        let differences = differing_fields(old, new, 1.0);
        let name = |difference: FieldDifference| (difference.name, difference.distance_m);
        differences.into_iter().map(name).collect()
    }

    #[test]
    fn every_field_is_compared_and_their_order_is_ignored() {
        let old = json!({"number": 5, "street": "Dijk", "extra": 1});
        let reordered = json!({"extra": 1, "street": "Dijk", "number": 5});
        assert!(differing(&old, &reordered).is_empty());
        let new = json!({"number": "5", "street": "dijk", "location": null});
        let expected =
            ["extra", "location", "number", "street"].map(|name| (name.to_owned(), None::<f64>));
        assert_eq!(differing(&old, &new), expected);
    }

    #[test]
    fn points_within_the_tolerance_are_equal() {
        let place =
            |lon: f64, lat: f64| json!({"location": {"type": "Point", "coordinates": [lon, lat]}});
        let old = place(5.04, 52.327_654_3);
        // A ten-thousandth of a degree of latitude is 11.1 m.
        assert!(differing(&old, &place(5.04, 52.327_655)).is_empty());
        let far = [("location".to_owned(), Some(11.1))];
        assert_eq!(differing(&old, &place(5.04, 52.327_754_3)), far);
        let none = [("location".to_owned(), None::<f64>)];
        for other in [json!({"location": null}), place(500.0, 52.0)] {
            assert_eq!(differing(&old, &other), none);
        }
    }
}
