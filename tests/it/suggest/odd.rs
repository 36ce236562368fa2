//! Sends odd queries: every text must get an answer in JSON.

use axum::http::StatusCode;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use postduif::search::SuggestionFilter;
use proptest::prelude::*;
use serde_json::Value;

use super::{LIMIT, Suggester, places};
use crate::app::TestApp;

/// Checks that the status is 200 or 400; returns the parsed body.
#[track_caller]
fn checked_body(status: StatusCode, body: &[u8], suggester: &str) -> Value {
    let start: String = suggester.chars().take(80).collect();
    assert!(
        status == StatusCode::OK || status == StatusCode::BAD_REQUEST,
        "{status}: {start}"
    );
    let body: Value = serde_json::from_slice(body).expect("JSON");
    let rows = body["data"].as_array().map(Vec::len);
    assert_eq!(rows.is_some(), status == StatusCode::OK, "{start}");
    assert!(rows.unwrap_or_default() <= LIMIT, "{start}");
    body
}

#[tokio::test]
async fn odd_texts_are_answered() {
    let app = TestApp::from_addresses(&places::addresses());
    let words = "kerkstraat ".repeat(1_000);
    let numbers = "12 ".repeat(1_000);
    let single = "a b c d e f g ".repeat(1_000);
    let long = "k".repeat(10_000);
    let marked = "é\u{301}".repeat(2_000);
    let typed = [
        words.trim(),
        numbers.trim(),
        single.trim(),
        &long,
        &marked,
        "kerkstraat\0 7",
        "\0\0",
        "\u{1}\u{1b}[31m",
        "a\u{7f}b\u{9f}",
        "12",
        "00000000",
        "99999999999999999999999999",
        "1234567",
        "0000AA",
        "0123 AB 0",
        "--",
        "'s",
        "''",
        "\"\\/",
        "%%",
        "{}[]<script>",
        "' OR 1=1 --",
        "\u{202e}tartskrek\u{202c}",
        "\u{200f}\u{200e}",
        "kerk\u{ad}straat",
        "\u{feff}kerkstraat",
        "🕊🕊",
        "👩\u{200d}🚒 kerkstraat",
        "ＫＥＲＫＳＴＲＡＡＴ ７",
        "٧ kerkstraat",
        "Ⅶ Ⅷ",
        "ﬁﬂ",
        "İi̇ ŞŠ ſẞ",
        "ꙮꙮ",
        "𝕂erkstraat",
        "\u{10ffff}\u{10ffff}",
    ];
    for typed in typed {
        let encoded = utf8_percent_encode(typed, NON_ALPHANUMERIC).to_string();
        for kind in ["all", "address", "street", "city"] {
            let reply = app
                .get(&format!("/v1/autocomplete?type={kind}&q={encoded}"))
                .await;
            let body = checked_body(reply.status, &reply.body, typed);
            assert_eq!(reply.status, StatusCode::OK, "{typed:?}");
            assert_eq!(body["meta"]["query"], typed.trim(), "{typed:?}");
        }
    }
}

#[tokio::test]
async fn the_longest_possible_query_is_answered() {
    let app = TestApp::from_addresses(&places::addresses());
    for part in [
        "a", "kerkstraat+", "%20", "%E2%80%8F", "1", "12+a+", "%F0%9F%95%8A", "-",
    ] {
        let text = part.repeat(30_000 / part.len());
        let reply = app.get(&format!("/v1/autocomplete?q={text}")).await;
        checked_body(reply.status, &reply.body, part);
    }
}

#[tokio::test]
async fn a_query_of_invalid_utf8_is_answered() {
    let app = TestApp::from_addresses(&places::addresses());
    for query in [
        "q=%ff%fe",
        "q=kerk%ffstraat",
        "q=%C3",
        "q=kerkstraat%C3%28",
        "q=%ED%A0%80%ED%B0%80",
        "q=%F4%90%80%80",
        "q=%00%00",
        "q=%",
        "q=%%%",
        "q=%zz",
        "q=kerkstraat%2",
        "q=kerkstraat%",
        "q=+++kerkstraat+++7+++",
        "q=kerkstraat%2B7",
        "q==&=q",
        "q=a=b&&&",
        "&&&",
        "=&=&q=kerkstraat",
        "q[]=kerkstraat",
        "q=kerkstraat;type=city",
        "%71=kerkstraat",
    ] {
        let reply = app.get(&format!("/v1/autocomplete?{query}")).await;
        checked_body(reply.status, &reply.body, query);
    }
    for query in [
        "q=+++kerkstraat+++7+++",
        "q=kerkstraat%2B7",
        "%71=kerkstraat+7",
    ] {
        let reply = app.get(&format!("/v1/autocomplete?{query}&limit=1")).await;
        let body = checked_body(reply.status, &reply.body, query);
        let label = &body["data"][0]["label"];
        assert_eq!(label, "Kerkstraat 7, 3511AA Utrecht", "{query}");
    }
}

/// Parts of addresses, and separators, from which queries are made.
const PIECES: [&str; 44] = [
    "kerkstraat", "Kerkstr.", "oudegracht", "oude gracht", "plein", "1944", "burgemeester",
    "burg.", "v.d.", "van der", "'s-", "’t", "1e", "2de", "eerste", "str", "ln", "weesp", "bergen",
    "(NH.)", "hengelo", "gld", "noord-holland", "utrecht", "utr", "3511AA", "3511 ab", "3511",
    "1381", "12", "12a", "12-2", "7", "99999", "100000", "bis", "hs", "A", "nr.", "postbus",
    "nederland", "hoogstaat", "ĳ", "é",
];

const GLUE: [&str; 10] = [" ", "", ", ", "-", "/", "  ", ".", "\u{a0}", "\t", " - "];

fn glued() -> impl Strategy<Value = String> {
    let piece = (
        prop::sample::select(&PIECES[..]),
        prop::sample::select(&GLUE[..]),
    );
    let pieces = prop::collection::vec(piece, 1..12);
    pieces.prop_map(|pieces| {
        let parts = pieces.into_iter().flat_map(|(piece, glue)| [piece, glue]);
        parts.collect()
    })
}

thread_local! {
    static ASKED: Suggester = Suggester::new();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gets_suggestions_of_the_requested_type(
        typed in prop_oneof![any::<String>(), "\\PC{0,40}", glued()],
        wanted in prop::sample::select(vec![SuggestionFilter::All, SuggestionFilter::Address, SuggestionFilter::Street, SuggestionFilter::City]),
        limit in 1_usize..=LIMIT,
    ) {
        ASKED.with(|suggester| {
            let found = suggester.0.suggest(&typed, wanted, limit).expect("an index in memory");
            prop_assert!(found.len() <= limit, "{typed:?}");
            prop_assert!(found.iter().all(|found| wanted.includes(found.kind)), "{typed:?} {found:?}");
            let mut once: Vec<_> = found.iter().map(|found| (found.label(), found.id)).collect();
            once.sort();
            once.dedup();
            prop_assert_eq!(once.len(), found.len(), "{:?} {:?}", typed, found);
            Ok(())
        })?;
    }

    #[test]
    fn a_smaller_limit_returns_the_first_of_the_same_suggestions(typed in glued(), limit in 1_usize..LIMIT) {
        ASKED.with(|suggester| {
            let [few, all] = [limit, LIMIT]
                .map(|limit| suggester.0.suggest(&typed, SuggestionFilter::All, limit).expect("an index in memory"));
            prop_assert_eq!(&few[..], &all[..few.len()], "{:?}", typed);
            Ok(())
        })?;
    }
}
