//! Tests documents in a valid archive. Malformed, truncated and hostile documents are refused, and unusual valid documents are
//! accepted.

use super::{assert_accepted, assert_refused};
use crate::data_dir::ServedFolder;
use crate::delivery::{self, Archive, municipal};

const NUM: &str = "NUM15092021-000001";

#[test]
#[rustfmt::skip]
fn malformed_xml_is_refused() {
    let served = ServedFolder::small_municipality();
    let num = |xml: &[u8], needle: &str| {
        let delivery = municipal().with_entry_content(NUM, xml);
        assert_refused(
            &served,
            &delivery.pack(),
            &["0457NUM15092021-000001.xml, byte ", needle],
        );
    };
    num(b"", "the document is empty");
    num(b"x", "this is not an XML document");
    num(b"\xef\xbb\xbf", "the document is empty");
    num(b"<?xml version=\"1.0\"?>\n<!-- nothing -->\n", "the document is empty");
    num(b"\xff\xfe<\0b\0>\0", "the document is in UTF-16; UTF-8 is expected");
    num(b"<b:bagStand>\0</b:bagStand>", "found a NUL byte");
    num(b"<b:bagStand><standBestand/></b:bagStand><b:bagStand/>", "after the end");
    num(b"<b:bagStand><standBestand/></b:bagStand>x", "after the end");
    num(b"<b:bagStand></sl:bagStand>", "bagStand");
    num(b"<b:bagMutaties></b:bagMutaties>", "root <bagMutaties> where <bagStand> is expected");
    num(b"<b:bagStand>\xff</b:bagStand>", "UTF-8");
    num(b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><b:bagStand></b:bagStand>", "a delivery is in UTF-8");
    num(b"<?xml version=\"1.0\" encoding=\"UTF-16\"?><b:bagStand></b:bagStand>", "a delivery is in UTF-8");
    num(b"\xff\xfe<\0b\0/\0>\0", "byte");
}

#[test]
fn custom_xml_entities_are_refused() {
    let served = ServedFolder::small_municipality();
    let laughs: String = (1..10)
        .map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10)))
        .collect();
    for declaration in [
        "<!DOCTYPE b:bagStand>",
        "<!DOCTYPE b:bagStand [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>",
        &format!("<!DOCTYPE b:bagStand [<!ENTITY l0 \"lol\">{laughs}]>"),
    ] {
        let delivery = municipal().edit(NUM, |xml| {
            xml.replacen("<b:bagStand", &format!("{declaration}<b:bagStand"), 1)
        });
        assert_refused(
            &served,
            &delivery.pack(),
            &[
                NUM,
                "found a document type declaration; a delivery has none",
            ],
        );
    }
    let delivery = municipal().edit("OPR15092021-", |xml| xml.replace("&#xeb;", "&euml;"));
    assert_refused(
        &served,
        &delivery.pack(),
        &[
            "0457OPR15092021-000001.xml",
            "object 0457300000000001",
            "&euml; is not a known entity",
        ],
    );
}

#[test]
fn a_document_truncated_anywhere_is_refused() {
    let served = ServedFolder::small_municipality();
    let whole = match &municipal().entry("VBO15092021-").1 {
        delivery::Content::File(bytes) => bytes.clone(),
        _ => Vec::new(),
    };
    for length in (0..whole.len()).step_by(13) {
        let delivery = municipal().with_entry_content("VBO15092021-", &whole[..length]);
        assert_refused(
            &served,
            &delivery.pack(),
            &["0457VBO15092021-000001.xml, byte "],
        );
    }
}

#[test]
fn a_document_of_another_kind_is_refused() {
    let served = ServedFolder::small_municipality();
    let pand = delivery::nummeraanduiding("0457200000000009", "1", "1381AA", "0457300000000001");
    let delivery = municipal().with_entry_content("PND15092021-", delivery::stand(&[pand]));
    assert_refused(
        &served,
        &delivery.pack(),
        &[
            "0457PND15092021-000001.xml",
            "<Nummeraanduiding> where <Pand> is expected",
        ],
    );
    let other_day = municipal().edit(NUM, |xml| xml.replace("2021-09-15", "2021-10-15"));
    assert_refused(
        &served,
        &other_day.pack(),
        &[
            NUM,
            "dated 2021-10-15, but the delivery is dated 2021-09-15",
        ],
    );
    let no_stand = municipal().edit(NUM, |xml| xml.replace("standBestand", "standbestand"));
    assert_refused(
        &served,
        &no_stand.pack(),
        &[NUM, "<standBestand> is missing"],
    );
}

#[test]
fn an_element_that_does_not_end_is_refused_with_its_object() {
    let served = ServedFolder::small_municipality();
    let delivery = municipal().edit(NUM, |xml| xml.replacen("</O:ligtAan>", "</O:ligtaan>", 1));
    let words = ["object 0457200000000001", "expected `</O:ligtAan>`"];
    assert_refused(&served, &delivery.pack(), &words);
}

#[test]
fn an_inconsistent_delivery_is_refused() {
    let served = ServedFolder::small_municipality();
    let unknown = municipal().edit("GEM-WPL-RELATIE-15092021-", |xml| {
        xml.replace("0457", "9998")
    });
    assert_refused(
        &served,
        &unknown.pack(),
        &[
            "municipality code 9998 of woonplaats 3631",
            "2021-09-15",
            "--municipalities",
        ],
    );
    let empty = municipal().with_entry_content(NUM, delivery::stand(&[]));
    assert_refused(
        &served,
        &empty.pack(),
        &["delivery.zip: it has no address", "nothing is published"],
    );
}

#[test]
fn endless_nesting_is_refused() {
    let served = ServedFolder::small_municipality();
    for within in [
        "</b:bagInfo>", "</sl:standBestand>", "</O:naam>", "</H:BeschikbaarLV>",
    ] {
        let deep = format!("{}{within}", "<d>".repeat(1_000_000));
        let delivery = municipal().edit("OPR15092021-", |xml| xml.replacen(within, &deep, 1));
        assert_refused(
            &served,
            &pack_stored(delivery),
            &["0457OPR15092021-000001.xml"],
        );
    }
}

/// Packs a delivery without compression, so that the limit on compression does not refuse it.
pub(super) fn pack_stored(delivery: Archive) -> Vec<u8> {
    use std::io::Cursor;
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in delivery.0 {
        let bytes = match content {
            delivery::Content::File(bytes) | delivery::Content::Packed(bytes) => bytes,
            delivery::Content::Archive(inner, _) => pack_stored(inner),
        };
        delivery::add(&mut zip, &name, &bytes, zip::CompressionMethod::Stored);
    }
    zip.finish().expect("memory takes it").into_inner()
}

#[test]
fn equivalent_xml_is_accepted() {
    let served = ServedFolder::small_municipality();
    let case = |part: &str, change: &dyn Fn(String) -> String| {
        assert_accepted(&served, &municipal().edit(part, change).pack());
    };
    let street = "OPR15092021-";
    case(street, &|xml| format!("\u{feff}{xml}"));
    case(street, &|xml| format!("{xml}\n<!-- the end -->\n"));
    case(street, &|xml| xml.replace("&#xeb;", "ë"));
    case(street, &|xml| xml.replace("&#xeb;", "&#235;"));
    case(street, &|xml| xml.replace("&#xeb;l", "<![CDATA[ël]]>"));
    case(street, &|xml| {
        xml.replace("'s-Grave", "&apos;s<!-- of -->-Gra<?pi?>ve")
    });
    case(street, &|xml| {
        xml.replace("O:", "Objecten:")
            .replace("sl:", "")
            .replace("b:", "sl-bag-extract:")
    });
    case(street, &|xml| xml.replace('\n', "\r\n"));
    case(street, &|xml| {
        xml.replace("encoding=\"UTF-8\"", "encoding='utf-8' standalone='yes'")
    });
    case(NUM, &|xml| {
        xml.replace(
            "<O:status>",
            "<O:geconstateerd/><O:geometrie a='>'/><O:status>",
        )
    });
    case(NUM, &|xml| xml.replace("1381AA", "&#49;381A&#x41;"));
    case("VBO15092021-", &|xml| {
        xml.replace("<H:BeschikbaarLV></H:BeschikbaarLV>", "<H:BeschikbaarLV/>")
    });
}
