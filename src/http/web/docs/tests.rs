//! Tests that every text of the page is translated, and that every translation is used.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// Words that are the same in both languages: names, and words of JSON Schema.
const UNTRANSLATED: [&str; 18] = [
    "postduif", "NL", "EN", "curl", "JavaScript", "PHP", "Python", "GET", "POST", "openapi",
    "json", "string", "integer", "number", "boolean", "null", "object", "all",
];

/// The English texts that rendering translates, and a page on which each of these texts is blank.
fn translated_texts() -> (BTreeSet<String>, String) {
    let translated = RefCell::new(BTreeSet::new());
    let blank = render(Language::Dutch, &|english| {
        translated.borrow_mut().insert(english.to_owned());
        String::new()
    });
    (translated.into_inner(), blank)
}

fn dutch_texts() -> BTreeMap<String, String> {
    serde_json::from_str(DUTCH_TEXTS).expect("JSON")
}

#[test]
fn every_text_has_a_translation_and_every_translation_is_used() {
    let (translated, _) = translated_texts();
    let translations = dutch_texts();
    let known: BTreeSet<String> = translations.keys().cloned().collect();
    let missing: Vec<&String> = translated.difference(&known).collect();
    let unused: Vec<&String> = known.difference(&translated).collect();
    assert!(missing.is_empty(), "without Dutch: {missing:#?}");
    assert!(
        unused.is_empty(),
        "translations of texts that are not on the page: {unused:#?}"
    );
}

#[test]
fn code_in_a_text_is_the_same_in_both_languages() {
    let spans = |text: &str| {
        let spans = text.split('`').skip(1).step_by(2).map(str::to_owned);
        spans.collect::<BTreeSet<String>>()
    };
    for (english, dutch) in dutch_texts() {
        assert_eq!(spans(&english), spans(&dutch), "{english}");
        assert!(!dutch.trim().is_empty(), "{english}");
    }
}

/// Removes the translated texts, the code and the HTML tags from the page. Only names of types and the words in `UNTRANSLATED` may remain.
#[test]
fn no_text_bypasses_the_translation() {
    let (_, mut rest) = translated_texts();
    for element in ["code", "pre"] {
        let [open, close] = [format!("<{element}"), format!("</{element}>")];
        let parts = rest.split(&open).enumerate();
        let parts = parts.map(|(at, part)| match at {
            0 => part,
            _ => part.split_once(&close).expect("its end").1,
        });
        rest = parts.collect::<Vec<_>>().join(" ");
    }
    let description: Value = serde_json::from_slice(OPENAPI_JSON.body).expect("JSON");
    let types = entries(&description["components"]["schemas"]).map(|(name, _)| name);
    let known: BTreeSet<&str> = types.chain(UNTRANSLATED).collect();
    let text = rest
        .split('<')
        .map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let text = text.collect::<Vec<_>>().join(" ");
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| word.contains(char::is_alphabetic));
    let untranslated: BTreeSet<&str> = words.filter(|word| !known.contains(word)).collect();
    assert!(untranslated.is_empty(), "not translated: {untranslated:?}");
}

#[test]
fn every_operation_and_group_has_a_title() {
    let description: Value = serde_json::from_slice(OPENAPI_JSON.body).expect("JSON");
    let page = Page::new(&description, Language::English, &str::to_owned);
    let ids: Vec<&str> = operation::operations(&description)
        .map(|operation| operation.id())
        .collect();
    assert_eq!(ids, titles::OPERATIONS.map(|(id, _)| id));
    assert_eq!(
        page.tags().collect::<Vec<_>>(),
        titles::TAGS.map(|(tag, _)| tag)
    );
}

#[test]
fn the_list_of_error_codes_has_every_code_of_the_description() {
    let description: Value = serde_json::from_slice(OPENAPI_JSON.body).expect("JSON");
    let page = Page::new(&description, Language::English, &str::to_owned);
    let mut found = 0;
    for operation in operation::operations(&description) {
        for (status, response) in operation.responses(&page) {
            for (_, example) in examples(response) {
                let code = as_text(&example["value"]["error"]["code"]);
                let is_listed =
                    |(known, name, _): &(&str, &str, &str)| (*known, *name) == (status, code);
                found += usize::from(!code.is_empty());
                assert!(
                    code.is_empty() || errors::MEANINGS.iter().any(is_listed),
                    "{status} {code}"
                );
            }
        }
    }
    assert!(found > 20, "{found} examples of errors");
}
