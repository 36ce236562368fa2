//! Compares raw HTTP answers of v3 and of look-ups by id from the real process. Every line of the head and every byte of the body
//! must equal the answer that [`contract`](super::contract) writes from the register's files.

use std::collections::BTreeMap;

use super::contract::{ServedAddress, preferred};
use super::wire::{Expected, RawClient};
use crate::chance::{Chance, tries};

const NOT_FOUND: &str = r#"{"title":"Resource not found"}"#;
const OF_POSTCODE: &str =
    r#"{"name":"postcode","reason":"should match pattern \"^[0-9]{4}[a-zA-Z]{2}$\""}"#;
const OF_NUMBER: &str = r#"{"name":"number","reason":"should be integer"}"#;
const OF_ZERO: &str = r#"{"name":"number","reason":"should be >= 1"}"#;

type Pairs<'a> = BTreeMap<(String, u32), &'a ServedAddress>;

/// For an evenly spread sample of all pairs of postcode and number, requests the pair, a neighbouring pair that may not exist, and
/// the id of the found address.
pub(super) fn compare(wire: &mut RawClient, all: &[ServedAddress]) -> usize {
    let before = wire.answered();
    let mut chance = Chance::new();
    let pairs = preferred(all);
    let step = pairs.len().div_ceil(tries(600)).max(1);
    let first = chance.below(step);
    for (pair, served) in pairs.iter().skip(first).step_by(step) {
        let (postcode, number) = pair;
        check_look_up(wire, &pairs, &random_case(&mut chance, postcode), *number);
        let beside = 1 + (number + u32::try_from(chance.below(40)).expect("small")) % 99_999;
        check_look_up(wire, &pairs, postcode, beside);
        refused(wire, &mut chance, postcode, *number);
        let body = format!(r#"{{"data":{}}}}}"#, served.v1_open());
        let path = format!("/v1/addresses/{}", served.row.id);
        wire.check(&path, &Expected::ok(&body));
    }
    wire.answered() - before
}

/// The postcode in capitals, in small letters, or in a random mix.
fn random_case(chance: &mut Chance, postcode: &str) -> String {
    let small = chance.below(4);
    let one = |(place, letter): (usize, char)| match small & (1 << (place % 2)) {
        0 => letter,
        _ => letter.to_ascii_lowercase(),
    };
    postcode.chars().enumerate().map(one).collect()
}

#[track_caller]
fn check_look_up(wire: &mut RawClient, pairs: &Pairs<'_>, postcode: &str, number: u32) {
    let path = format!("/v3/lookup/{postcode}/{number}");
    let pair = (postcode.to_ascii_uppercase(), number);
    match pairs.get(&pair) {
        Some(served) => wire.check(&path, &Expected::ok(&served.v3())),
        None => wire.check(&path, &Expected::problem("404 Not Found", NOT_FOUND)),
    }
}

/// Requests a malformed pair, which must be refused.
#[track_caller]
fn refused(wire: &mut RawClient, chance: &mut Chance, postcode: &str, number: u32) {
    let both = format!("{OF_POSTCODE},{OF_NUMBER}");
    let (path, faults) = match chance.below(7) {
        0 => (format!("{postcode}/{number}a"), OF_NUMBER),
        1 => (format!("{}/{number}", &postcode[..5]), OF_POSTCODE),
        2 => (format!("{}/{number}-1", &postcode[..5]), both.as_str()),
        3 => (format!("{postcode}/0"), OF_ZERO),
        4 => (format!("{postcode}/{}", number + 100_000), OF_NUMBER),
        5 => (
            format!("{}%20{}/{number}", &postcode[..4], &postcode[4..]),
            OF_POSTCODE,
        ),
        _ => (format!("{postcode}/{number}.0"), OF_NUMBER),
    };
    let body = format!(r#"{{"title":"Request validation failed","invalidParams":[{faults}]}}"#);
    let expected = Expected::problem("400 Bad Request", &body);
    wire.check(&format!("/v3/lookup/{path}"), &expected);
}
