//! Tests the rules of the reader, and that it never panics.

use super::*;
use proptest::prelude::*;

/// Reads the text of the children of a document's root.
fn text_of(xml: &[u8]) -> Result<String, XmlError> {
    let mut text = String::new();
    XmlReader::read_document("test.xml", xml, |xml, _| {
        xml.for_each_child(|xml, _| {
            let read = xml.text_or_child()?;
            text.push_str(&read.unwrap_or_else(|child| format!("[{child}]").into()));
            Ok(())
        })
    })?;
    Ok(text)
}

#[test]
fn text_is_read_with_references_resolved() {
    #[track_caller]
    fn case(text: &str, expected: &str) {
        let xml = format!("<a><b>{text}</b></a>");
        assert_eq!(text_of(xml.as_bytes()).expect("sound"), expected);
    }
    case("", "");
    case("Dani&#xeb;l", "Daniël");
    case("Dani&#235;l", "Daniël");
    case("&#xEB;&#xeb;&#x2019;&#x1F600;", "ëë’😀");
    case("&amp;&lt;&gt;&apos;&quot;", "&<>'\"");
    case("&amp;amp;", "&amp;");
    case("B&amp;W-<!-- & -->1887", "B&W-1887");
    case("<![CDATA[<b>&amp;]]>", "<b>&amp;");
    case("a<![CDATA[b]]>c<?pi d?>e&#102;g", "abcefg");
    case(" two  words ", " two  words ");
    case("'s-Gravelandseweg", "'s-Gravelandseweg");
}

#[test]
fn an_error_is_short_even_if_the_document_has_long_names() {
    let long = "ë".repeat(100_000);
    for xml in [
        format!("<a><b><{long}/></b></a>"),
        format!("<a><b>&{long};</b></a>"),
        format!("<a><{long}></b></a>"),
        format!("<?xml version='1.0' encoding='{long}'?><a/>"),
    ] {
        let read = XmlReader::read_document("test.xml", xml.as_bytes(), |xml, _| {
            xml.for_each_child(|xml, _| xml.parse::<String>().map(drop))
        });
        let error = read.expect_err("unsound").to_string();
        assert!(error.chars().count() < 500, "{} bytes", error.len());
    }
}

#[test]
fn a_malformed_document_is_refused_with_the_place() {
    #[track_caller]
    fn case(xml: &[u8], expected: &str) {
        let error = text_of(xml).expect_err("unsound").to_string();
        assert!(
            error.starts_with("test.xml, byte ") && error.contains(expected),
            "{error}"
        );
    }
    case(b"", "the document is empty");
    case(b" \n", "the document is empty");
    case(b"x", "not an XML document");
    case(b"&amp;<a/>", "not an XML document");
    case(b"<a><b>", "truncated");
    case(b"<a><b></b>", "truncated");
    case(b"<a><b>text", "truncated");
    case(b"<a><b></a>", "expected `</b>`");
    case(b"<a/><a/>", "after the end");
    case(b"<a/>x", "after the end");
    case(b"<a/>&amp;", "after the end");
    case(b"<a/></a>", "`</a>`");
    case(b"<a><b>\0</b></a>", "test.xml, byte 6: found a NUL byte");
    case(b"<a><b>&nbsp;</b></a>", "&nbsp; is not a known entity");
    case(b"<a><b>&#0;</b></a>", "0x0 character is not permitted");
    case(b"<a><b>&#xD800;</b></a>", "not a valid codepoint");
    case(b"<a><b>&#x110000;</b></a>", "not a valid codepoint");
    case(b"<a><b>&#99999999999999999999;</b></a>", "number too large");
    case(b"<a><b>& </b></a>", "reference not closed");
    case(b"<!DOCTYPE a><a/>", "found a document type declaration");
    case(b"<a><!DOCTYPE a></a>", "found a document type declaration");
    case(
        b"<?xml version='1.0' encoding='latin1'?><a/>",
        "\"latin1\"; a delivery is in UTF-8",
    );
    case(b"<a><b>\xe9</b></a>", "UTF-8");
}

#[test]
fn elements_nest_up_to_the_limit() {
    fn descend(xml: &mut XmlReader<'_>) -> Result<(), XmlError> {
        xml.for_each_child(|xml, _| descend(xml))
    }
    let nested = |depth: usize| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
    let skip =
        |xml: &str| XmlReader::read_document("test.xml", xml.as_bytes(), |xml, _| xml.skip());
    let read =
        |xml: &str| XmlReader::read_document("test.xml", xml.as_bytes(), |xml, _| descend(xml));
    read(&nested(MAX_DEPTH)).expect("deep enough");
    skip(&nested(MAX_DEPTH)).expect("deep enough");
    for depth in [MAX_DEPTH + 2, 1_000_000] {
        for error in [read(&nested(depth)), skip(&nested(depth))] {
            let error = error.expect_err("too deep").to_string();
            assert!(error.contains("deeper than 64"), "{error}");
        }
    }
}

#[test]
fn elements_are_matched_by_their_local_names() {
    let xml = br#"<q:a xmlns:q="q"><q:b q:c="1" d="&lt;"/><b/></q:a>"#;
    let mut seen = Vec::new();
    let read = XmlReader::read_document("test.xml", xml, |xml, root| {
        assert_eq!(root, "a");
        xml.for_each_child(|xml, name| {
            seen.push((name.to_owned(), xml.attribute("d"), xml.attribute("e")));
            xml.skip()
        })
    });
    read.expect("sound");
    assert_eq!(
        seen,
        [
            ("b".into(), Some("&lt;".into()), None),
            ("b".into(), None, None)
        ]
    );
}

#[test]
fn an_error_names_the_object() {
    let xml = b"<a><b/><c/></a>";
    let error = XmlReader::read_document("test.xml", xml, |xml, _| {
        xml.for_each_child(|xml, name| {
            xml.skip()?;
            match name {
                "b" => xml.set_object_id(Some("0457100000000001".into())),
                _ => return Err(xml.error("wrong")),
            }
            Ok(())
        })
    });
    let error = error.expect_err("wrong").to_string();
    assert_eq!(error, "test.xml, byte 11, object 0457100000000001: wrong");
}

#[test]
fn an_element_in_a_text_is_skipped_with_the_rest_of_the_text() {
    let text = |xml: &str| text_of(xml.as_bytes()).expect("well-formed");
    assert_eq!(text("<a><b><c/></b><b>x</b></a>"), "[<c>]x");
    assert_eq!(
        text("<a><b>1<p:c>2<d/></p:c>3<e>4</e></b><b>x</b></a>"),
        "[<p:c>]x"
    );
    for (xml, expected) in [
        ("<a><b><c></b></a>".to_owned(), "expected `</c>`"),
        ("<a><b><c></c>".to_owned(), "truncated"),
        (format!("<a><b>{}", "<c>".repeat(100)), "deeper than 64"),
    ] {
        let error = text_of(xml.as_bytes()).expect_err("malformed").to_string();
        assert!(error.contains(expected), "{error}");
    }
    let number = XmlReader::read_document("test.xml", b"<a><b/>1</a>", |xml, _| xml.parse::<u32>());
    let error = number.expect_err("no text").to_string();
    assert!(
        error.contains("found element <b> where only text is expected"),
        "{error}"
    );
}

/// Reads every element in one of the four ways. The name of the element decides in which way.
fn walk(xml: &mut XmlReader<'_>) -> Result<(), XmlError> {
    xml.for_each_child(|xml, name| {
        xml.attribute("d");
        match name {
            "a" => walk(xml),
            "b" => xml.skip(),
            "c" => xml.read_value::<u32>("c", IssueEffect::Nulled).map(drop),
            _ => xml.text_or_child().map(drop),
        }
    })
}

proptest! {
    #[test]
    fn reading_arbitrary_bytes_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let read = XmlReader::read_document("test.xml", &bytes, |xml, _| walk(xml));
        prop_assert!(read.is_ok() || !read.expect_err("not sound").to_string().is_empty());
    }

    #[test]
    fn reading_pieces_of_xml_never_panics(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "<a>", "</a>", "<b d='1'>", "</b>", "<c/>", "<x>", "</x>", "&amp;", "&#xe", "b;", "&", ";", "<!--", "-->",
                "<![CDATA[", "]]>", "<?", "?>", "<", ">", "'", "é", " ", "<!DOCTYPE ", "[", "]", "<?xml version='1.0'?>",
            ]),
            0..40,
        ),
    ) {
        let text = pieces.concat();
        let read = XmlReader::read_document("test.xml", text.as_bytes(), |xml, _| walk(xml));
        // An accepted text contains `<` and ends with `>`, as a document does.
        prop_assert!(read.is_err() || (text.contains('<') && text.trim_end().ends_with('>')), "{}", text);
    }
}
