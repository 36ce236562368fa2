//! Checks spellings of streets and towns in autocomplete, which is lenient, and in validation, which is lenient only as documented.

use serde_json::{Value, json};

use super::{app, encoded, first_street_label, posted};
use crate::app::TestApp;

#[tokio::test]
async fn autocomplete_finds_a_name_in_every_spelling() {
    let app = app();
    #[rustfmt::skip]
    let cases = [
        (
            "Noordeinde, 's-Gravenhage",
            &[
                "noordeinde 's-gravenhage",
                "NOORDEINDE ’s Gravenhage",
                "noordeinde ‘s-gravenhage",
                "noordeinde den haag",
                "\u{200f}noordeinde\u{200e}",
                "noord\u{ad}einde",
                "\u{feff}Noordeinde",
                "ｎｏｏｒｄｅｉｎｄｅ",
                "noordeinde\0",
            ][..],
        ),
        (
            "1e Oosterparkstraat, Amsterdam",
            &[
                "1e oosterparkstraat",
                "1E OOSTERPARKSTRAAT",
                "1ᵉ oosterpark",
                "１e oosterpark",
                "eerste oosterparkstraat",
                "1e\u{a0}oosterparkstraat",
            ],
        ),
        ("IJburglaan, Amsterdam", &["ijburglaan", "IJBURGLAAN", "Ijburglaan", "Ĳburglaan", "ĳburglaan"]),
        ("Ĳsselveld, IJsselstein", &["ĳsselveld", "IJsselveld", "ijsselveld ijsselstein", "ĳsselveld ĳsselstein"]),
        (
            "Daniël Stalpertstraat, Amsterdam",
            &[
                "daniël stalpert",
                "danie\u{308}l stalpert",
                "daniel stalpert",
                "DANIËL STALPERT",
                "Dani\u{eb}l\u{200b} Stalpert",
            ],
        ),
        (
            "'t Hoekje, Âld Hertenterp",
            &[
                "'t hoekje",
                "’t hoekje",
                "t hoekje",
                "`t hoekje",
                "'t hoekje âld",
                "'t hoekje a\u{302}ld",
                "'t hoekje ald",
            ],
        ),
    ];
    for (label, ways) in cases {
        for way in ways {
            assert_eq!(
                first_street_label(&app, &encoded(way.as_bytes())).await,
                label,
                "{way:?}"
            );
        }
    }
}

/// Validates an address at number 12 of a postcode; returns the corrections of street and city.
async fn corrections(app: &TestApp, code: &str, street: &str, city: &str) -> Value {
    let entered = json!({ "postcode": code, "number": 12, "street": street, "city": city });
    let answer = posted(app, "/v1/validate", &entered).await["data"].clone();
    assert!(answer["address"].is_object(), "{entered}: {answer}");
    let reason = match answer["corrections"] == json!({}) {
        true => Value::Null,
        false => "field_mismatch".into(),
    };
    assert_eq!(
        (&answer["valid"], &answer["reason"]),
        (&Value::from(reason.is_null()), &reason),
        "{entered}"
    );
    answer["corrections"].clone()
}

#[tokio::test]
async fn validation_ignores_case_spaces_marks_and_hyphens_of_names() {
    let app = app();
    let right = json!({});
    for (code, street, city) in [
        ("2514GL", "noordeinde", "'S-GRAVENHAGE"),
        ("2514GL", "Noord einde", "den\u{a0}haag"),
        ("1091AA", "1E OOSTERPARK STRAAT", "amsterdam"),
        ("1087BX", "IJBURGLAAN", "Amsterdam"),
        ("1087BX", "ijburglaan", "Amsterdam"),
        ("3401AA", "ĳsselveld", "ijsselstein"),
        ("1074TZ", "DANIËL STALPERTSTRAAT", "Amsterdam"),
        ("1074TZ", "Danie\u{308}l Stalpertstraat", "Amsterdam"),
        ("1074TZ", "DANIE\u{308}L stalpertstraat", "Amsterdam"),
        ("3931AA", "'T HOEKJE", "a\u{302}ld hertenterp"),
    ] {
        assert_eq!(
            corrections(&app, code, street, city).await,
            right,
            "{street:?} {city:?}"
        );
    }
    for (code, street, city) in [
        ("2514GL", "Noordeinde", "’s-Gravenhage"),
        ("2514GL", "Noordeinde", "s Gravenhage"),
        ("1091AA", "Eerste Oosterparkstraat", "Amsterdam"),
        ("1087BX", "Ĳburglaan", "Amsterdam"),
        ("1074TZ", "Daniel Stalpertstraat", "Amsterdam"),
        ("1074TZ", "Daniël\u{200b} Stalpertstraat", "Amsterdam"),
        ("1091AA", "１e Oosterparkstr.", "Amsterdam"),
        ("3931AA", "’t Hoekje", "Ald Hertenterp"),
    ] {
        let corrected = corrections(&app, code, street, city).await;
        assert_eq!(corrected, right, "{street:?} {city:?}");
    }
    #[rustfmt::skip]
    let cases = [
        ("2514GL", "Noordende", "Gravenhage", json!({ "street": "Noordeinde", "city": "'s-Gravenhage" })),
        ("1091AA", "2e Oosterparkstraat", "Amsterdam", json!({ "street": "1e Oosterparkstraat" })),
    ];
    for (code, street, city, wrong) in cases {
        assert_eq!(
            corrections(&app, code, street, city).await,
            wrong,
            "{street:?} {city:?}"
        );
    }
}
