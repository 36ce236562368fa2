//! Checks that suggestions are stable: a right suggestion does not disappear while the user types on without a mistake.

use postduif::search::{SearchSuggestion, SuggestionKind};

use crate::relevance::suite::TestedIndex;
use crate::relevance::town;

/// The number of suggestions that are visible without scrolling.
const SEEN: usize = 5;

const S: &str = "Schapenhoek";
const H: &str = "Âld Hertenterp";

/// Streets and their towns. The tests type the street, a space or a comma, and the town.
const STREETS: &[(&str, &str)] = &[
    ("Dorpsstraat", S),
    ("Dorpsstraat", H),
    ("Schoolstraat", S),
    ("Stationsweg", S),
    ("Parallelweg", H),
    ("Industrieweg", H),
    ("Paardenring", H),
    ("Vinkenlaan", H),
    ("Wagenveld", H),
    ("Coöperatiestraat", S),
    ("Façadeplein", S),
    ("Belgiëlaan", S),
    ("Ruïnepad", H),
    ("Skûtsjedyk", S),
    ("Señoritahof", S),
    ("IJsselkade", S),
    ("Ĳsvogelkade", S),
    ("'t Hoekje", S),
    ("’s-Gravendreef", S),
    ("Buitenplaats d’Oude Kwekerij", S),
    ("Noord-Zuidlaan", S),
    ("Kaai & Keersluis", S),
    ("Kerkpad (Oost)", S),
    ("Voormalige Steenfabrieksweg", S),
    ("2e Lindendwarsstraat", S),
    ("2e Lindendwarsstraat", H),
    ("Eerste Oosterkade", H),
    ("Plein 1944", S),
    ("Laan 1940-1945", S),
    ("Wijk 1", S),
    ("Lindehorst 50e", S),
    ("v.d. Brugstraat", S),
    ("Straße am Grenzpfahl", H),
];

/// The beginnings of a text, from the shortest allowed query on, except those that end in a space.
fn beginnings(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).skip(1);
    ends.map(|end| &text[..end])
        .filter(|text| !text.ends_with(' '))
}

/// Types `typed` letter by letter after `before`; returns the queries at which the suggestion disappeared after it was visible.
fn disappeared(
    tested: &TestedIndex,
    (before, typed): (&str, &str),
    is: &dyn Fn(&SearchSuggestion<'_>) -> bool,
) -> Vec<String> {
    let (mut seen, mut disappeared) = (false, Vec::new());
    let typed = format!("{before}{typed}");
    for beginning in beginnings(&typed).filter(|text| text.len() > before.len()) {
        let came = tested.suggest(beginning);
        let there = came.iter().take(SEEN).any(is);
        if seen && !there {
            disappeared.push(format!("{beginning:?} of {typed:?}"));
        }
        seen = there;
    }
    if !seen {
        disappeared.push(format!("all of {typed:?}"));
    }
    disappeared
}

#[test]
fn a_suggested_street_stays_while_its_name_is_completed() {
    let tested = town();
    let mut all = Vec::new();
    for &(street, city) in STREETS {
        let is = |suggestion: &SearchSuggestion<'_>| {
            suggestion.kind != SuggestionKind::City
                && suggestion.street == Some(street)
                && suggestion.city == Some(city)
        };
        let town_first = (&*format!("{city} "), street);
        for (before, text) in [
            ("", &*format!("{street} {city}")),
            ("", &format!("{street}, {city}")),
            town_first,
        ] {
            all.extend(disappeared(tested, (before, text), &is));
            let small = [before, text].map(str::to_lowercase);
            all.extend(disappeared(tested, (&small[0], &small[1]), &is));
        }
    }
    assert!(all.is_empty(), "{} went away: {all:#?}", all.len());
}

#[test]
fn a_suggested_town_stays_while_its_name_is_completed() {
    let tested = town();
    for city in [S, H] {
        let is = |suggestion: &SearchSuggestion<'_>| {
            suggestion.kind == SuggestionKind::City && suggestion.city == Some(city)
        };
        assert_eq!(disappeared(tested, ("", city), &is), [""; 0]);
    }
}
