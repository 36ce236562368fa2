//! Tests every form of a mutation in a document, and malformed mutations.

use postduif_schema::Area;
use proptest::prelude::*;

use super::document::MutationDocument;
use crate::delivery_header::MutationPeriod;
use crate::record_issues::{IssueEffect, RecordIssues};
use crate::xml::XmlError;

fn period() -> MutationPeriod {
    MutationPeriod {
        from: jiff::civil::date(2021, 9, 15),
        to: jiff::civil::date(2021, 9, 16),
    }
}

const PAND: &str = "<O:Pand><O:identificatie>0457100000000001</O:identificatie><O:oorspronkelijkBouwjaar>1462\
                    </O:oorspronkelijkBouwjaar><O:status>Pand in gebruik</O:status><O:voorkomen><H:Voorkomen>\
                    <H:voorkomenidentificatie>1</H:voorkomenidentificatie><H:beginGeldigheid>2010-08-31</H:beginGeldigheid>\
                    </H:Voorkomen></O:voorkomen></O:Pand>";

fn document(groups: &str) -> String {
    format!(
        "<b:bagMutaties xmlns:b='b'><b:bagInfo><s:MUT-Extract><s:Mutatieperiode><s:MutatiedatumVanaf>2021-09-15\
         </s:MutatiedatumVanaf><s:MutatiedatumTot>2021-09-16</s:MutatiedatumTot></s:Mutatieperiode></s:MUT-Extract></b:bagInfo>\
         <m:mutatieBericht><m:dataset>LVBAG</m:dataset><m:inhoud><m:objectTypen/></m:inhoud>{groups}</m:mutatieBericht>\
         </b:bagMutaties>"
    )
}

fn side(name: &str, object: &str) -> String {
    format!("<m:{name}><b:bagObject>{object}</b:bagObject></m:{name}>")
}

fn read(groups: &str) -> Result<MutationDocument, XmlError> {
    let coverage = (period(), &Area::Country);
    MutationDocument::read("test.xml", coverage, document(groups).as_bytes())
}

#[test]
fn a_document_of_another_area_than_the_delivery_is_refused() {
    let municipalities = |codes: &[&str]| {
        Area::Municipalities(
            codes
                .iter()
                .map(|code| code.parse().expect("a code"))
                .collect(),
        )
    };
    let xml = |codes: &[&str]| {
        let codes: String = codes
            .iter()
            .map(|code| format!("<s:Gemeente><s:GemeenteIdentificatie>{code}</s:GemeenteIdentificatie></s:Gemeente>"))
            .collect();
        format!("<s:Gebied-GEM><s:GemeenteCollectie>{codes}</s:GemeenteCollectie></s:Gebied-GEM>")
    };
    let country = "<s:Gebied-NLD />";
    let case = |found: &str, delivery: &Area, expected: Option<&str>| {
        let area =
            format!("</s:MUT-Extract><s:Gebied-Registratief>{found}</s:Gebied-Registratief>");
        let document = document("").replace("</s:MUT-Extract>", &area);
        let read = MutationDocument::read("test.xml", (period(), delivery), document.as_bytes());
        let error = read.err().map(|error| error.to_string());
        let is_expected = match (&error, expected) {
            (Some(error), Some(expected)) => error.contains(expected),
            (error, expected) => error.is_none() && expected.is_none(),
        };
        assert!(is_expected, "{found}: {error:?}");
    };
    let (weesp, both) = (municipalities(&["0457"]), municipalities(&["0363", "0457"]));
    case(country, &Area::Country, None);
    case("", &Area::Country, None);
    case(&xml(&["0457"]), &weesp, None);
    case(&xml(&["0457"]), &both, None);
    case(
        &xml(&["0457"]),
        &Area::Country,
        Some("covers municipality 0457, but the delivery covers the Netherlands"),
    );
    case(
        country,
        &weesp,
        Some("covers the Netherlands, but the delivery covers municipality 0457"),
    );
    case(
        &xml(&["0363"]),
        &weesp,
        Some("covers municipality 0363, but"),
    );
    case(
        &xml(&["0363", "0457"]),
        &weesp,
        Some("covers municipality 0363, 0457, but"),
    );
}

#[test]
fn every_form_of_a_mutation_is_read_in_its_order() {
    let (was, is) = (
        side("was", PAND),
        side("wordt", &PAND.replace("1462", "1920")),
    );
    let groups = format!(
        "<m:mutatieGroep><m:toevoeging>{is}</m:toevoeging></m:mutatieGroep><m:mutatieGroep><m:wijziging>{was}{is}</m:wijziging>\
         <m:verwijdering>{was}</m:verwijdering></m:mutatieGroep>"
    );
    let MutationDocument {
        mutations, counts, ..
    } = read(&groups).expect("sound");
    assert_eq!(
        [counts.groups, counts.added, counts.changed, counts.removed],
        [2, 1, 1, 1]
    );
    let sides: Vec<(bool, bool)> = mutations
        .panden
        .iter()
        .map(|mutation| (mutation.before.is_some(), mutation.after.is_some()))
        .collect();
    assert_eq!(sides, [(false, true), (true, true), (true, false)]);
    let years: Vec<Option<u16>> = mutations.panden[1]
        .states()
        .map(|pand| pand.bouwjaar)
        .collect();
    assert_eq!(years, [Some(1462), Some(1920)]);
}

#[test]
fn in_onderzoek_marks_are_skipped() {
    let mark = "<m:wordt><b:kenmerkInOnderzoek><K:KenmerkPandInOnderzoek/></b:kenmerkInOnderzoek></m:wordt>";
    let groups = format!("<m:mutatieGroep><m:toevoeging>{mark}</m:toevoeging></m:mutatieGroep>");
    let MutationDocument {
        mutations, counts, ..
    } = read(&groups).expect("sound");
    assert_eq!(
        (counts.groups, counts.added, mutations.panden.len()),
        (1, 0, 0)
    );
}

#[test]
#[rustfmt::skip]
fn a_malformed_mutation_is_refused_with_its_place() {
    #[track_caller]
    fn case(mutation: &str, needles: &[&str]) {
        let found = read(&format!("<m:mutatieGroep>{mutation}</m:mutatieGroep>"));
        let message = found.err().expect("unsound").to_string();
        for needle in ["test.xml", "byte"].iter().chain(needles) {
            assert!(message.contains(needle), "{needle:?} in {message}");
        }
    }
    let is = side("wordt", PAND);
    case(&format!("<m:vervanging>{is}</m:vervanging>"), &["<vervanging>", "<toevoeging>"]);
    case(&format!("<m:toevoeging>{}</m:toevoeging>", side("wordt", "<O:Terrein/>")), &["<Terrein>", "<Pand> is expected"]);
}

#[test]
fn a_group_with_a_missing_state_is_left_out_and_named() {
    let [was, is] = ["was", "wordt"].map(|name| side(name, PAND));
    let sound = format!("<m:mutatieGroep><m:toevoeging>{is}</m:toevoeging></m:mutatieGroep>")
        .replace("0001<", "0002<");
    let case = |mutation: String, missing: &str| {
        let group = format!(
            "<m:mutatieGroep>{mutation}<m:toevoeging>{is}</m:toevoeging></m:mutatieGroep>{sound}"
        );
        let document = read(&group).expect("accepted");
        let counts = document.counts;
        assert_eq!(
            (counts.groups, counts.groups_left_out, counts.added),
            (2, 1, 1)
        );
        assert_eq!(document.mutations.panden.len(), 1);
        assert!(document.left_out.contains(&457_100_000_000_001));
        let report = document.issues.to_string();
        for needle in ["Pand 0457100000000001", missing, "test.xml, byte"] {
            assert!(report.contains(needle), "{needle:?} in {report}");
        }
    };
    case(
        format!("<m:toevoeging>{was}</m:toevoeging>"),
        "<wordt> is missing",
    );
    case(
        format!("<m:wijziging>{was}</m:wijziging>"),
        "<wordt> is missing",
    );
    case(
        format!("<m:verwijdering>{is}</m:verwijdering>"),
        "<was> is missing",
    );
}

#[test]
fn a_group_with_a_mutation_without_any_state_is_left_out_and_named() {
    let is = side("wordt", PAND);
    for empty in [
        "<m:toevoeging/>",
        "<m:verwijdering><m:was/></m:verwijdering>",
    ] {
        let group =
            format!("<m:mutatieGroep><m:toevoeging>{is}</m:toevoeging>{empty}</m:mutatieGroep>");
        let document = read(&group).expect("accepted");
        assert_eq!(
            (document.counts.groups_left_out, document.counts.added),
            (1, 0)
        );
        assert!(document.left_out.contains(&457_100_000_000_001));
        let report = document.issues.to_string();
        assert!(report.contains("mutatieGroep without an id"), "{report}");
    }
}

#[test]
fn a_change_without_the_state_before_it_is_accepted() {
    let is = side("wordt", PAND);
    let document = read(&format!(
        "<m:mutatieGroep><m:wijziging>{is}</m:wijziging></m:mutatieGroep>"
    ));
    let document = document.expect("accepted");
    assert_eq!(
        (document.counts.changed, document.counts.groups_left_out),
        (1, 0)
    );
    let mutation = &document.mutations.panden[0];
    assert!(mutation.before.is_none() && mutation.after.is_some());
}

#[test]
fn a_wrong_record_before_a_mutation_is_dropped_and_marked() {
    let was = side("was", PAND);
    let other = side("wordt", &PAND.replace("tie>1<", "tie>2<"));
    let groups =
        format!("<m:mutatieGroep><m:wijziging>{was}{other}</m:wijziging></m:mutatieGroep>");
    let mutations = read(&groups).expect("accepted").mutations;
    let mutation = &mutations.panden[0];
    assert_eq!((mutation.number, mutation.is_before_wrong), (2, true));
    assert!(mutation.before.is_none() && mutation.after.is_some());
}

#[test]
fn a_group_with_a_rejected_version_is_left_out() {
    // The new version is left out, so the object keeps version 1, and version 1 must not end.
    let ended = PAND.replace(
        "</H:beginGeldigheid>",
        "</H:beginGeldigheid><H:eindGeldigheid>2021-09-15</H:eindGeldigheid>",
    );
    let next = PAND.replace("tie>1<", "tie>2<");
    let group = |next: &str| {
        format!(
            "<m:mutatieGroep><m:wijziging>{}{}</m:wijziging><m:toevoeging>{}</m:toevoeging></m:mutatieGroep>",
            side("was", PAND),
            side("wordt", &ended),
            side("wordt", next)
        )
    };
    let bad = next.replace("Pand in gebruik", "");
    let document = read(&format!("{}{}", group(&bad), group(&next))).expect("well-formed");
    assert_eq!(
        [document.counts.groups, document.counts.groups_left_out],
        [2, 1]
    );
    assert_eq!(document.mutations.panden.len(), 2);
    assert_eq!(document.issues.count(IssueEffect::Rejected), 1);
    assert_eq!(document.current.values().sum::<u64>(), 2);
    // An invalid value in a version that has ended does not matter, because that version is removed.
    let bad = ended.replace("Pand in gebruik", "");
    let groups = format!(
        "<m:mutatieGroep><m:wijziging>{}{}</m:wijziging></m:mutatieGroep>",
        side("was", PAND),
        side("wordt", &bad)
    );
    let document = read(&groups).expect("well-formed");
    assert_eq!(document.issues, RecordIssues::default());
    let mutation = &document.mutations.panden[0];
    assert!(mutation.before.is_some() && mutation.after.is_none());
}

proptest! {
    #[test]
    fn reading_a_damaged_document_never_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 0..6),
    ) {
        let (was, is) = (side("was", PAND), side("wordt", PAND));
        let groups = format!("<m:mutatieGroep><m:wijziging>{was}{is}</m:wijziging></m:mutatieGroep>");
        let mut bytes = document(&groups).into_bytes();
        for (at, byte, how) in &changes {
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = *byte,
                1 => bytes.insert(at, *byte),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let read = MutationDocument::read("test.xml", (period(), &Area::Country), &bytes);
        prop_assert!(read.is_ok() || !changes.is_empty());
    }
}
