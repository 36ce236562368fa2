//! Finds remarks, examples and questions in the names of columns: `City (Billing)`, `Postcode bijv. 1234 AB`, `Wat is je postcode?`.

use postduif_schema::squashed;

use super::name_words::words;

/// Words of remarks that only say how to fill in a form: `(optioneel)`.
const FORM_WORDS: [&str; 14] = [
    "optioneel", "optional", "verplicht", "required", "mandatory", "niet", "not", "facultatief",
    "indien", "van", "toepassing", "if", "applicable", "pflichtfeld",
];

/// Words around the part of an address in a question: `In welke plaats woon je?`
const QUESTION_WORDS: [&str; 33] = [
    "wat", "is", "uw", "je", "jouw", "jullie", "het", "de", "in", "op", "welk", "welke", "woon",
    "woont", "u", "jij", "what", "your", "the", "which", "do", "you", "live", "at", "wie", "ist",
    "ihre", "ihr", "deine", "welcher", "welchem", "waar", "wonen",
];

/// Words before an example, without spaces and marks.
const EXAMPLE_WORDS: [&str; 7] = [
    "bijv", "bv", "vb", "bijvoorbeeld", "voorbeeld", "eg", "example",
];

/// The name without a remark in brackets or an example at its end.
pub(in crate::check) fn without_remark(name: &str) -> &str {
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

/// Whether a name has an example at its end, or a remark that only says how to fill in a form.
pub(super) fn has_hint(name: &str) -> bool {
    let remark = &name[without_remark(name).len()..];
    let mut words = words(remark).map(squashed);
    example_start(name).is_some() || words.all(|word| FORM_WORDS.contains(&&*word))
}

/// A question without the words around the part of an address: `plaats` for `In welke plaats woon je?`. Other names are returned unchanged.
pub(super) fn without_question(name: &str) -> &str {
    let Some(mut rest) = name.trim_end().strip_suffix('?') else {
        return name;
    };
    let is_around = |word: &&str| QUESTION_WORDS.contains(&&*squashed(word));
    while let Some((_, after)) = rest.split_once(' ').filter(|(first, _)| is_around(first)) {
        rest = after;
    }
    while let Some((before, _)) = rest.rsplit_once(' ').filter(|(_, last)| is_around(last)) {
        rest = before;
    }
    rest
}

/// The position at which an example begins in a name. A last word `BV` begins no example, because no text follows it.
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
