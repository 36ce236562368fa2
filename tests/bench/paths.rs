//! Makes the paths and bodies of requests for an address.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use postduif_schema::Address;

const KEY_HEADER: &str = "X-Api-Key";

pub(crate) fn v3(address: &Address) -> String {
    format!("/v3/lookup/{}/{}", address.postcode, address.number)
}

pub(crate) fn by_number(address: &Address) -> String {
    format!(
        "/v1/addresses?postcode={}&number={}",
        address.postcode, address.number
    )
}

pub(crate) fn by_id(address: &Address) -> String {
    format!("/v1/addresses/{}", address.id)
}

pub(crate) fn by_postcode(address: &Address) -> String {
    format!("/v1/addresses?postcode={}", address.postcode)
}

/// A type-ahead request for an address that is partly typed: at least its first three letters, at most all of it.
pub(crate) fn autocomplete_partly_typed(address: &Address) -> String {
    let Address {
        street,
        number,
        city,
        ..
    } = address;
    let whole = format!("{street} {number} {city}");
    let letters = whole.chars().count();
    // Start at the third letter, because the service ignores a final space.
    let moment = usize::try_from(address.id.get()).unwrap_or_default() % (letters - 2) + 3;
    let typed: String = whole.chars().take(moment).collect();
    autocomplete(&typed)
}

pub(crate) fn autocomplete(typed: &str) -> String {
    let typed = utf8_percent_encode(typed.trim(), NON_ALPHANUMERIC);
    format!("/v1/autocomplete?q={typed}")
}

/// A reverse request for a point about thirty metres from an address.
pub(crate) fn near(address: &Address, limit: u32) -> String {
    around(address, [3_000, -2_000], limit)
}

/// A reverse request for a point this far to the east and north of an address, in units of 10⁻⁷ degree.
pub(crate) fn around(address: &Address, [east, north]: [i32; 2], limit: u32) -> String {
    let lon_lat = address.location.map(|location| location.lon_lat);
    let [lon, lat] = lon_lat.map_or([50_000_000, 520_000_000], |place| {
        [place.lon_e7, place.lat_e7]
    });
    let [lon, lat] = [lon + east, lat + north].map(|e7| f64::from(e7) / 1e7);
    format!("/v1/reverse?lat={lat}&lon={lon}&limit={limit}")
}

/// The body of a validation: an address with the next letter of the alphabet at the end of its postcode.
pub(crate) fn validation_with_wrong_postcode(address: &Address) -> String {
    let mut postcode = address.postcode.ascii();
    postcode[5] = if postcode[5] == b'Z' {
        b'A'
    } else {
        postcode[5] + 1
    };
    let postcode = String::from_utf8_lossy(&postcode);
    let number = address.number;
    format!("{{\"postcode\":\"{postcode}\",\"number\":{number}}}")
}

/// A complete GET request.
pub(crate) fn get(path: &str, key: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: bench\r\n{KEY_HEADER}: {key}\r\n\r\n").into_bytes()
}

/// A complete POST request with a JSON body.
pub(crate) fn post(path: &str, key: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: bench\r\n{KEY_HEADER}: {key}\r\nContent-Type: application/json\r\n"
    );
    format!("{head}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}
