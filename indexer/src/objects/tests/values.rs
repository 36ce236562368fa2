//! Tests the effect of each invalid value.

use super::*;
use IssueEffect::{Kept, Nulled, Rejected};

/// Replaces a part of a record, and checks which issue the change causes, if any.
#[track_caller]
fn case<T: FromXml>(
    template: &str,
    from: &str,
    to: &str,
    field: &str,
    effect: Option<IssueEffect>,
) {
    let xml = whole(template);
    assert!(xml.contains(from), "{from}");
    let found = issues::<T>(&xml.replace(from, to));
    let found: Vec<_> = found.iter().map(|issue| (issue.0, issue.1)).collect();
    let expected: Vec<_> = effect.map(|effect| (field, effect)).into_iter().collect();
    assert_eq!(found, expected, "{to}");
}

#[test]
fn an_invalid_identity_rejects_the_record() {
    let num = |from: &str, to: &str, field: &str, effect| {
        case::<Nummeraanduiding>(NUMMERAANDUIDING, from, to, field, effect);
    };
    for wrong in [
        "0457910000000001",
        "",
        "457200000000001",
        "045720000000000x",
    ] {
        num("0457200000000001", wrong, "identificatie", Some(Rejected));
    }
    for wrong in ["0", "-1", "100000", "12.5", "twaalf", "012", "000007"] {
        num(">12<", &format!(">{wrong}<"), "huisnummer", Some(Rejected));
    }
    num(">a<", ">aa<", "huisletter", Some(Rejected));
    num(">a<", "> <", "huisletter", None);
    num(">bis<", ">-2<", "huisnummertoevoeging", Some(Rejected));
    num(">bis<", ">12345<", "huisnummertoevoeging", Some(Rejected));
    num(">bis<", "><", "huisnummertoevoeging", None);
    num("1381AA", "1381A", "postcode", Some(Rejected));
    for wrong in ["0381AA", "1381SA", "1381SD", "1381SS", "1381aa", "1381Aa"] {
        num("1381AA", wrong, "postcode", Some(Rejected));
    }
    num("1381AA", "", "postcode", None);
    num(">1012<", "><", "ligtIn", Some(Nulled));
    num(">1012<", ">101<", "ligtIn", Some(Rejected));
    num(
        "0457300000000001",
        "0457310000000001",
        "ligtAan",
        Some(Rejected),
    );
}

#[test]
fn a_street_name_rejects_the_record_only_if_nothing_is_left() {
    case::<OpenbareRuimte>(OPENBARE_RUIMTE, ">3631<", "><", "ligtIn", Some(Rejected));
    case::<OpenbareRuimte>(
        OPENBARE_RUIMTE,
        "Dani&#xeb;l Stalpertstraat",
        " ",
        "naam",
        Some(Rejected),
    );
    case::<OpenbareRuimte>(
        OPENBARE_RUIMTE,
        "Dan Stalpertstr",
        &"x".repeat(25),
        "verkorteNaam",
        Some(Kept),
    );
}

#[test]
#[rustfmt::skip]
fn other_invalid_values_of_an_object_are_left_out() {
    let object = |from: &str, to: &str, field: &str, effect| {
        case::<AdresseerbaarObject>(VERBLIJFSOBJECT, from, to, field, effect);
    };
    object("0457200000000001", "0457910000000001", "heeftAlsHoofdadres", Some(Rejected));
    object("0457200000000003", "0457910000000003", "heeftAlsNevenadres", Some(Nulled));
    object("0457100000000002", "0457910000000002", "maaktDeelUitVan", Some(Nulled));
    object("131009.0 482405.0 0.0", "hier", "geometrie", Some(Nulled));
    object("winkelfunctie", "zwemfunctie", "gebruiksdoel", Some(Kept));
    for wrong in ["0", "-1", "1000000", "", "8,5"] {
        object(">201<", &format!(">{wrong}<"), "oppervlakte", Some(Nulled));
    }
    object("<oppervlakte>201</oppervlakte>", "", "oppervlakte", Some(Nulled));
    object(">201<", ">1<", "oppervlakte", None);
}

#[test]
fn each_purpose_counts_once_and_an_empty_one_not_at_all() {
    #[track_caller]
    fn case(to: [&str; 2], expected: (usize, Option<&str>), effects: &[IssueEffect]) {
        let xml = whole(VERBLIJFSOBJECT)
            .replace("winkelfunctie", to[0])
            .replace("woonfunctie", to[1]);
        let record = read_with_issues::<AdresseerbaarObject>(xml.as_bytes()).expect("well-formed");
        let found: Vec<_> = record.issues.iter().map(|issue| issue.effect).collect();
        assert_eq!(found, effects, "{to:?}");
        let state = record.into_voorkomen().expect("accepted").voorkomen.state;
        let other = state.other_purposes.as_ref().map(|other| &*other.0);
        assert_eq!((state.purposes.iter().count(), other), expected, "{to:?}");
    }
    case(["woonfunctie", "woonfunctie"], (1, None), &[]);
    case(["", "woonfunctie"], (1, None), &[Nulled]);
    case(["", " "], (0, None), &[Nulled, Nulled]);
    case(["<q/>", ""], (0, None), &[Nulled, Nulled]);
    case(["x", ""], (0, Some("x")), &[Kept, Nulled]);
    case(["x", " x"], (0, Some("x")), &[Kept, Kept]);
    case(["x", "xy"], (0, Some("x\nxy")), &[Kept, Kept]);
}

#[test]
fn an_invalid_year_is_left_out_and_an_invalid_period_rejects_the_record() {
    let pand = |to: &str, effect| {
        case::<Pand>(
            PAND,
            ">1462<",
            &format!(">{to}<"),
            "oorspronkelijkBouwjaar",
            effect,
        );
    };
    // TODAY is in 2021.
    for wrong in ["", "-0044", "0", "0000", "19500", "2032", "MCDLXII"] {
        pand(wrong, Some(Nulled));
    }
    for right in ["0850", "2031", "1462+01:00", "1005", "9999"] {
        pand(right, None);
    }
    case::<Pand>(
        PAND,
        "<oorspronkelijkBouwjaar>1462</oorspronkelijkBouwjaar>",
        "",
        "oorspronkelijkBouwjaar",
        Some(Nulled),
    );
    for (from, to, field) in [
        (">2<", ">twee<", "voorkomenidentificatie"),
        ("2010-08-31", "31-08-2010", "beginGeldigheid"),
        ("2021-09-16", "2021-13-01", "eindGeldigheid"),
    ] {
        case::<Pand>(PAND, from, to, field, Some(Rejected));
    }
}

#[test]
fn an_element_in_a_text_makes_only_that_value_invalid() {
    /// Puts an element into each text. `left_out` has the tags and texts of the values that do not reject the record.
    #[track_caller]
    fn in_every_text<T: FromXml>(template: &str, left_out: &[&str]) {
        let xml = whole(template);
        let is_text = |(start, end): &(usize, usize)| end - start > 1;
        let starts = xml.match_indices('>').map(|(at, _)| at);
        let ends = xml.match_indices('<').map(|(at, _)| at).skip(1);
        for (start, end) in starts.zip(ends).filter(is_text) {
            let nested = format!("{}<q>1<r/></q>{}", &xml[..=start], &xml[end..]);
            let field = xml[..start].rsplit('<').next().expect("a tag");
            let text = &xml[start + 1..end];
            let found = issues::<T>(&nested);
            let effects: Vec<_> = found.iter().map(|issue| issue.1).collect();
            let expected: &[IssueEffect] = match field {
                "tijdstipRegistratie" | "tijdstipRegistratieLV" => &[],
                field if left_out.contains(&field) || left_out.contains(&text) => &[Nulled],
                _ => &[Rejected],
            };
            assert_eq!(effects, expected, "{field}: {found:?}");
        }
    }
    in_every_text::<Woonplaats>(WOONPLAATS, &[]);
    // The status of a street is not read.
    let street = OPENBARE_RUIMTE.replace("<status>Naamgeving uitgegeven</status>", "");
    in_every_text::<OpenbareRuimte>(&street, &[]);
    in_every_text::<Nummeraanduiding>(NUMMERAANDUIDING, &[]);
    in_every_text::<Pand>(PAND, &["oorspronkelijkBouwjaar"]);
    in_every_text::<AdresseerbaarObject>(
        VERBLIJFSOBJECT,
        &[
            "pos",
            "gebruiksdoel",
            "oppervlakte",
            "PandRef",
            "0457200000000002",
            "0457200000000003",
        ],
    );
}

#[test]
fn issues_of_ended_versions_are_not_reported() {
    let wrong = whole(NUMMERAANDUIDING).replace(">bis<", ">-2<");
    let report_on = |xml: &str| {
        let mut record = read_with_issues::<Nummeraanduiding>(xml.as_bytes()).expect("well-formed");
        record.take_report_on(day(TODAY)).is_some()
    };
    assert!(report_on(&wrong), "the version ends tomorrow");
    assert!(!report_on(&wrong.replace("2021-09-16", TODAY)));
    let annulled = "<tijdstipInactief>2021-01-01T00:00:00.000</tijdstipInactief><BeschikbaarLV>";
    assert!(!report_on(&wrong.replace("<BeschikbaarLV>", annulled)));
}
