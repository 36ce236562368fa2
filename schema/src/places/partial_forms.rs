//! Computes the names of a street without the beginning that people leave out: an article, initials, or a title with initials.

use std::borrow::Cow;

/// Articles at the beginning of a folded name.
const ARTICLES: [&str; 3] = ["de", "het", "t"];

/// Minimum number of letters of a name without its beginning. A shorter rest is not used, because it would be similar to too many words.
const MIN_LETTERS: usize = 5;

/// The folded form of a name without its article or initials, in each way that people leave them out: `sikkel` for `de sikkel`, and
/// `dr jansenlaan` and `jansenlaan` for `dr a b jansenlaan`.
pub(super) fn partial_forms(form: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let (first, rest) = form.split_once(' ').unwrap_or(("", ""));
    let name = skip_initials(rest);
    let (without_beginning, with_title) = match () {
        () if ARTICLES.contains(&first) => (Some(rest), None),
        () if is_initial(first) => (Some(name), None),
        () if name.len() < rest.len() => (Some(name), Some(format!("{first} {name}"))),
        () => (None, None),
    };
    let forms = [
        without_beginning.map(Cow::Borrowed),
        with_title.map(Cow::Owned),
    ];
    let is_long = |form: &Cow<'_, str>| form.chars().filter(|c| *c != ' ').count() >= MIN_LETTERS;
    forms.into_iter().flatten().filter(is_long)
}

fn is_initial(word: &str) -> bool {
    word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The words after the initials with which a text begins.
fn skip_initials(mut text: &str) -> &str {
    while let Some((first, rest)) = text.split_once(' ')
        && is_initial(first)
    {
        text = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[rustfmt::skip]
    fn articles_and_initials_are_left_out() {
        #[track_caller]
        fn case(form: &str, expected: &[&str]) {
            assert_eq!(partial_forms(form).collect::<Vec<_>>(), expected, "{form}");
        }
        case("de sikkel", &["sikkel"]);
        case("t hoekje", &["hoekje"]);
        case("j h kruitstraat", &["kruitstraat"]);
        case("dr l j f janssenstraat", &["janssenstraat", "dr janssenstraat"]);
        case("mr s van houtenstraat", &["van houtenstraat", "mr van houtenstraat"]);
        case("kerkstraat", &[]);
        case("lange kerkstraat", &[]);
        case("de e", &[]);
        case("a 28", &[]);
        case("de j kerklaan", &["j kerklaan"]);
    }
}
