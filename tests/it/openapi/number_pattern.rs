//! Compares the pattern of the house number in a request of `/v1/validate` with the texts that the service accepts.

use serde_json::json;

use super::description;
use crate::app::TestApp;
use crate::chance::{Chance, tries};

/// The number of texts, unless `POSTDUIF_TEST_TRIES` is set.
const TEXTS: usize = 2_000;

/// What people write before a number, and texts that make it something else. The service also accepts characters without width, which the
/// pattern leaves out.
const BEFORE: [&str; 39] = [
    "", "", "", " ", "\n", "\u{a0}", "'", "\"", "nr", "NR.", "nr-", "No ", "n.r. ", "nrs", "num ",
    "nummer: ", "Huisnr. ", "HUISNUMMER ", "huis-nummer ", "huis", "hnr ", "h.nr. ", "hs nr",
    "(nr) ", "№", "№ ", "n° ", "Nº", "n.", "#", " # ", ":", "=", "#:", "-", "(", "½", "a",
    "no nr ",
];
const NUMBERS: [&str; 14] = [
    "1", "9", "12", "12", "01", "0012", "99999", "100000", "000099999", "0", "00", "", "999999",
    "1",
];
const AFTER: [&str; 31] = [
    "", "", " ", "  ", "\n", "\u{a0}", "'", "\"", ".", ",", ".0", ",00", ".000", ",5", "0", "a",
    "B", " bis", "-", "/", "#", "(", ")", "½", "²", " ¼", "٣", "３", "é", "nr", " - 2",
];

#[tokio::test(flavor = "multi_thread")]
async fn the_pattern_of_a_house_number_matches_the_texts_that_are_accepted() {
    let description = description();
    let number = &description["components"]["schemas"]["ValidateRequest"]["properties"]["number"];
    let schema = jsonschema::validator_for(number).expect("a schema");
    let app = TestApp::village();
    let mut chance = Chance::new();
    let mut accepted = 0;
    let cases = tries(TEXTS);
    for _ in 0..cases {
        let mut text = String::new();
        for (parts, most) in [(&BEFORE[..], 1), (&NUMBERS[..], 1), (&AFTER[..], 3)] {
            for _ in 0..=chance.below(most) {
                text.push_str(parts[chance.below(parts.len())]);
            }
        }
        let body = json!({ "postcode": "1234AB", "number": text });
        let reply = app.post("/v1/validate", body.to_string()).await;
        let status = reply.status.as_u16();
        let described = if schema.is_valid(&text.clone().into()) {
            200
        } else {
            400
        };
        assert_eq!(
            status,
            described,
            "{text:?}, seed {}: {}",
            chance.seed,
            reply.text()
        );
        accepted += usize::from(status == 200);
    }
    let refused = cases - accepted;
    assert!(
        accepted.min(refused) > cases / 10,
        "{accepted} accepted, {refused} refused"
    );
}
