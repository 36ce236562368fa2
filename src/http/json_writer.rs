//! Writes JSON directly to bytes, for objects that a response contains dozens of times. The bytes are the same as serde_json's, at a third
//! of the cost. All other objects are serialised with serde.

use postduif_schema::LonLat;
use serde::Serialize;

/// The number of decimals of a coordinate.
const DECIMALS: usize = 7;

/// serde_json writes a coordinate with an exponent if the coordinate is less than this many units of 10⁻⁷ degree from zero.
const EXPONENT_BELOW_E7: u32 = 1_000;

/// A JSON text that is being written.
pub(crate) struct JsonWriter(Vec<u8>);

impl JsonWriter {
    /// An empty text with capacity for `bytes` bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    /// The bytes that were written.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Appends text that is already JSON.
    #[inline]
    pub(crate) fn raw(&mut self, json: &str) {
        self.0.extend_from_slice(json.as_bytes());
    }

    /// Appends a text in quotes, with escapes where they are needed.
    pub(crate) fn string(&mut self, text: &str) {
        let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
        if text.bytes().all(is_plain) {
            self.plain_string(text);
        } else {
            serde_json::to_writer(&mut self.0, text).expect("writing to a Vec cannot fail");
        }
    }

    /// Appends a text that needs no escape, in quotes.
    #[inline]
    pub(crate) fn plain_string(&mut self, plain: &str) {
        self.0.push(b'"');
        self.raw(plain);
        self.0.push(b'"');
    }

    /// Appends an ASCII text that needs no escape, in quotes.
    #[inline]
    pub(crate) fn ascii_string(&mut self, plain: &[u8]) {
        self.0.push(b'"');
        self.0.extend_from_slice(plain);
        self.0.push(b'"');
    }

    /// Appends a value by calling `write`; appends null for `None`.
    #[inline]
    pub(crate) fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        match value {
            Some(value) => write(self, value),
            None => self.raw("null"),
        }
    }

    /// Appends an array; `write` appends each value.
    pub(crate) fn array<T>(
        &mut self,
        values: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.0.push(b'[');
        for (at, value) in values.enumerate() {
            if at > 0 {
                self.0.push(b',');
            }
            write(self, value);
        }
        self.0.push(b']');
    }

    /// Appends the fields of an object without its braces. The keys need no escapes; the values are escaped where needed.
    pub(crate) fn string_fields<'t>(
        &mut self,
        fields: impl Iterator<Item = (&'static str, &'t str)>,
    ) {
        for (at, (key, text)) in fields.enumerate() {
            if at > 0 {
                self.0.push(b',');
            }
            self.plain_string(key);
            self.0.push(b':');
            self.string(text);
        }
    }

    /// Appends a number as serde_json writes it. A fraction that is not finite becomes null.
    pub(crate) fn number(&mut self, number: impl Serialize) {
        serde_json::to_writer(&mut self.0, &number).expect("writing to a Vec cannot fail");
    }

    /// Appends a number in quotes, padded with zeros to sixteen digits.
    pub(crate) fn sixteen_digits(&mut self, number: u64) {
        let mut digits = [b'0'; 16];
        let mut rest = number;
        for place in digits.iter_mut().rev() {
            *place += last_digit(rest);
            rest /= 10;
        }
        self.ascii_string(&digits);
    }

    /// Appends a point as GeoJSON. Source: contract.md, section GeoJsonPoint; RFC 7946, section 3.1.1: longitude comes first.
    pub(crate) fn geo_json_point(&mut self, place: LonLat) {
        self.raw("{\"type\":\"Point\",\"coordinates\":[");
        self.degrees(place.lon_e7, place.lon_deg());
        self.0.push(b',');
        self.degrees(place.lat_e7, place.lat_deg());
        self.raw("]}");
    }

    /// Appends `e7` units of 10⁻⁷ degree as a decimal fraction. serde_json writes the shortest fraction that parses to the same double.
    /// That is the same text, because no two fractions of so few digits parse to the same double.
    fn degrees(&mut self, e7: i32, degrees: f64) {
        if e7.unsigned_abs() < EXPONENT_BELOW_E7 {
            return self.number(degrees);
        }
        if e7 < 0 {
            self.0.push(b'-');
        }
        let units = u64::from(e7.unsigned_abs());
        self.number(units / 10_000_000);
        let mut decimals = [b'0'; DECIMALS];
        let mut rest = units % 10_000_000;
        for place in decimals.iter_mut().rev() {
            *place += last_digit(rest);
            rest /= 10;
        }
        let zeros = decimals
            .iter()
            .rev()
            .take_while(|&&decimal| decimal == b'0');
        let kept = (DECIMALS - zeros.count()).max(1);
        self.0.push(b'.');
        self.0.extend_from_slice(&decimals[..kept]);
    }
}

fn last_digit(number: u64) -> u8 {
    (number % 10).to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(write: impl FnOnce(&mut JsonWriter)) -> String {
        let mut json = JsonWriter::with_capacity(0);
        write(&mut json);
        String::from_utf8(json.into_bytes()).expect("JSON is UTF-8")
    }

    fn by_serde(value: impl serde::Serialize) -> String {
        serde_json::to_string(&value).expect("JSON")
    }

    #[test]
    fn ids_are_padded_with_zeros_to_sixteen_digits() {
        assert_eq!(
            written(|json| json.sixteen_digits(0)),
            "\"0000000000000000\""
        );
        let id = written(|json| json.sixteen_digits(363_200_012_345_678));
        assert_eq!(id, "\"0363200012345678\"");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

        #[test]
        fn values_are_written_as_serde_writes_them(
            text in prop_oneof![any::<String>(), "[ -~]{0,9}"],
            e7 in prop_oneof![any::<i32>(), -2_000..2_000_i32, (-180..=180_i32).prop_map(|deg| deg * 10_000_000)],
        ) {
            prop_assert_eq!(written(|json| json.string(&text)), by_serde(&text));
            let degrees = f64::from(e7) / 1e7;
            prop_assert_eq!(written(|json| json.degrees(e7, degrees)), by_serde(degrees));
        }

        #[test]
        fn lists_are_written_as_serde_writes_them(values in prop::collection::vec(prop::option::of(any::<u64>()), 0..4)) {
            let number = |json: &mut JsonWriter, value| json.option(value, JsonWriter::number);
            let list = written(|json| json.array(values.iter().copied(), number));
            prop_assert_eq!(list, by_serde(&values));
        }
    }
}
