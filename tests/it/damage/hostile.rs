//! Builds hostile documents by one change to a valid document. The valid document must contain a name.

use std::path::Path;

/// A change to a valid document.
pub(super) type Change = Box<dyn Fn(&str) -> Vec<u8>>;

/// Returns for each hostile document a description, the change to a valid document, and words of the refusal.
pub(super) fn documents(secret: &Path) -> Vec<(&'static str, Change, &'static str)> {
    let laughs: String = (1..10)
        .map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10)))
        .collect();
    let laughs = format!("<!DOCTYPE x [<!ENTITY l0 \"lol\">{laughs}]>");
    let external = format!(
        "<!DOCTYPE x [<!ENTITY e SYSTEM \"file://{}\">]>",
        secret.display()
    );
    let in_name = |text: &str, xml: &str| xml.replacen("<O:naam>", &format!("<O:naam>{text}"), 1);
    let deep = "<d>".repeat(1_000_000);
    let long = "x".repeat(1 << 20);
    vec![
        (
            "billion laughs",
            Box::new(move |xml| (laughs.clone() + &in_name("&l9;", xml)).into()),
            "found a document type declaration; a delivery has none",
        ),
        (
            "an external entity",
            Box::new(move |xml| (external.clone() + &in_name("&e;", xml)).into()),
            "found a document type declaration; a delivery has none",
        ),
        (
            "an undeclared entity",
            Box::new(move |xml| in_name("&e;", xml).into()),
            "&e; is not a known entity",
        ),
        (
            "a million nested elements where only text is expected",
            Box::new(move |xml| in_name(&deep, xml).into()),
            "elements nest deeper than 64",
        ),
        (
            "a million nested elements inside an element that is skipped",
            Box::new(|xml| {
                let deep = "<d>".repeat(1_000_000);
                xml.replacen("<O:naam>", &format!("<O:other>{deep}</O:other><O:naam>"), 1)
                    .into()
            }),
            "elements nest deeper than 64",
        ),
        (
            "an attribute of a mebibyte that does not end",
            Box::new(move |xml| {
                xml.replacen("<O:naam>", &format!("<O:naam a=\"{long}"), 1)
                    .into()
            }),
            "byte ",
        ),
        (
            "a NUL",
            Box::new(|xml| xml.replacen("<O:naam>", "<O:naam>\0", 1).into()),
            "found a NUL byte",
        ),
        (
            "truncated",
            Box::new(|xml| xml[..xml.len() * 2 / 3].into()),
            "byte ",
        ),
        (
            "two roots",
            Box::new(|xml| xml.repeat(2).into()),
            "after the end",
        ),
        (
            "another encoding",
            Box::new(|xml| {
                let xml = xml
                    .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
                    .unwrap_or(xml);
                format!("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>{xml}").into()
            }),
            "a delivery is in UTF-8",
        ),
        (
            "UTF-16 that is not declared",
            Box::new(|xml| xml.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            "byte ",
        ),
        (
            "Latin-1 that is not declared",
            Box::new(|xml| {
                let parts = xml.split_once("<O:naam>").expect("a street has a name");
                [parts.0.as_bytes(), b"<O:naam>\xeb", parts.1.as_bytes()].concat()
            }),
            "UTF-8",
        ),
    ]
}
