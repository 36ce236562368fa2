//! Finds remarks and examples in the names of columns: `City (Billing)`, `Postcode bijv. 1234 AB`.

use super::cell_text::squashed;

/// Words before an example, without spaces and marks.
const EXAMPLE_WORDS: [&str; 7] = [
    "bijv",
    "bv",
    "vb",
    "bijvoorbeeld",
    "voorbeeld",
    "eg",
    "example",
];

/// The name without a remark in brackets or an example at its end.
pub(super) fn without_remark(name: &str) -> &str {
    let closed = name.trim_end().strip_suffix([')', ']']);
    let start = closed.and_then(|name| name.rfind(['(', '[']));
    let plain = start
        .or(example_start(name))
        .map_or("", |start| &name[..start]);
    match plain.trim_end_matches([' ', ',', ':', '-', '(']) {
        "" => name,
        plain => plain,
    }
}

/// Whether a name has an example at its end.
pub(super) fn has_example(name: &str) -> bool {
    example_start(name).is_some()
}

/// Where an example begins. A name that ends in `BV` has none.
fn example_start(name: &str) -> Option<usize> {
    let marks = name.match_indices(|c: char| !c.is_alphanumeric());
    let mut starts = marks.map(|(at, mark)| at + mark.len());
    starts.find(|&start| {
        let text = &name[start..];
        let end = text.find([' ', ':']).unwrap_or(text.len());
        let (word, example) = text.split_at(end);
        EXAMPLE_WORDS.contains(&&*squashed(word)) && example.contains(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_and_examples_are_removed() {
        for (name, expected) in [
            ("City (Billing)", "City"),
            ("Postcode (bijv. 1234 AB)", "Postcode"),
            ("Nr, e.g. 12", "Nr"),
            ("Postcode vb: 1234 AB", "Postcode"),
            ("Naam BV", "Naam BV"),
            ("Bijv. dit", "Bijv. dit"),
            ("(x)", "(x)"),
        ] {
            assert_eq!(without_remark(name), expected);
        }
    }
}
