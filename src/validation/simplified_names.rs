//! Removes words that people enter beside a street or a city: a firm before the street, the number before or after it, and a country, a
//! municipality or a district after the city. Used only if the names as entered find no address, or only one with another street and
//! number.
//!
//! Assumption: the words in the tables are those that customers add in web forms.

use postduif_schema::{HouseNumber, Postcode, fold};

use super::entered_names::EnteredNames;
use super::entered_number::strip_number;
use crate::search::{has_digit, is_district, is_four_digits, is_ordinal, is_title};

/// Names of the country, in the languages of customers.
const COUNTRIES: [&[&str]; 9] = [
    &["the", "netherlands"],
    &["netherlands"],
    &["nederland"],
    &["niederlande"],
    &["pays", "bas"],
    &["paises", "bajos"],
    &["holland"],
    &["nld"],
    &["nl"],
];

/// Words between a city and the name of the municipality or province in which it is.
const AREA_LABELS: [&str; 4] = ["gem", "gemeente", "prov", "provincie"];

/// Words between a village and the larger place near it: `Tiendeveen post Hoogeveen`. They also occur in names, as in Wijk bij Duurstede.
const NEARBY_LABELS: [&str; 3] = ["bij", "nabij", "post"];

/// Words that distinguish streets of one city, as in Oude Kerkstraat, besides titles and ordinals. They are never removed.
const DISTINCTIVE_WORDS: [&str; 23] = [
    "achter", "binnen", "boven", "buiten", "groot", "grote", "hoge", "klein", "kleine", "korte",
    "lage", "lange", "midden", "nieuw", "nieuwe", "noord", "oost", "oud", "oude", "verlengde",
    "voor", "west", "zuid",
];

/// Minimum number of letters of a city in the field of the postcode. A shorter text there is the postcode's letters.
const MIN_CITY_LETTERS: usize = 3;

/// Maximum number of words that are removed before a street.
const MAX_WORDS_BEFORE: usize = 5;

/// Maximum number of words at the end of a street that are tried as the city.
const MAX_CITY_WORDS: usize = 5;

/// Maximum number of words that are removed after a street.
const MAX_WORDS_AFTER: usize = 2;

/// The entered names with some of the words around them removed, in several ways. The likeliest way is first. The names as entered are not
/// in the list. If no city was entered, the city may be the words after the number in the street's field, the words after the digits in the
/// postcode's field, or the last words of the street.
pub(super) fn simplify_names(
    names: &EnteredNames,
    number: HouseNumber,
    postcode: &str,
) -> Vec<EnteredNames> {
    let entered = [names.street(), names.city()].map(Option::unwrap_or_default);
    let [street, city] = entered.map(|name| name.split_whitespace().collect::<Vec<&str>>());
    let postcode = fold(postcode);
    let postcode: Vec<&str> = postcode.split_whitespace().collect();
    let (street, after_number) = split_at_number(&street, number);
    let cities = [&city, after_number, after_postcode(&postcode)].map(simplified_city);
    let city = cities.into_iter().find(|city| !city.is_empty());
    let before_mark = names.city_before_mark().unwrap_or_default();
    let before_mark: Vec<&str> = before_mark.split_whitespace().collect();
    let join = |street: &[&str], city: &[&str]| [street, city].map(|words| words.join(" "));
    let simplified: Vec<[String; 2]> = match city {
        Some(city) => {
            // Try the city with and without its district: Zwaagdijk-West is a city, but Ede-West is not.
            let shorter = [
                without_district(city),
                without_nearby_place(city),
                &before_mark,
            ];
            let mut cities = vec![city];
            for city in shorter {
                if !city.is_empty() && !cities.contains(&city) {
                    cities.push(city);
                }
            }
            let streets = street_variants(street);
            let with_streets = |city| streets.iter().map(move |street| join(street, city));
            cities.into_iter().flat_map(with_streets).collect()
        }
        None => {
            let splits = (1..street.len()).rev().map(|at| street.split_at(at));
            let splits = splits.take(MAX_CITY_WORDS);
            splits.map(|(street, city)| join(street, city)).collect()
        }
    };
    simplified
        .into_iter()
        .filter(|names| !names[0].is_empty() && names.each_ref().map(|name| &**name) != entered)
        .map(|[street, city]| EnteredNames::new(Some(&street), Some(&city)))
        .collect()
}

/// The street itself, the street without some words at one of its ends, and the street with its first or last word moved to the other end,
/// because people also write `Borg, Ter` for Ter Borg.
fn street_variants<'s>(street: &[&'s str]) -> Vec<Vec<&'s str>> {
    let is_distinctive =
        |word: &&str| DISTINCTIVE_WORDS.contains(word) || is_title(word) || is_ordinal(word);
    let is_removable = |words: &[&str]| !words.iter().any(is_distinctive);
    let splits = || (1..street.len()).map(|at| street.split_at(at));
    let ends = splits().rev().take(MAX_WORDS_AFTER);
    let ends = ends
        .filter(|(_, end)| is_removable(end))
        .map(|(kept, _)| kept);
    let beginnings = splits().take(MAX_WORDS_BEFORE);
    let beginnings = beginnings
        .filter(|(beginning, _)| is_removable(beginning))
        .map(|(_, kept)| kept);
    let mut variants = vec![street.to_vec()];
    variants.extend(ends.chain(beginnings).map(<[&str]>::to_vec));
    if street.len() > 1 {
        let mut moved = [street.to_vec(), street.to_vec()];
        moved[0].rotate_left(1);
        moved[1].rotate_right(1);
        variants.extend(moved);
        variants.dedup();
    }
    variants
}

/// Returns the street, and the words after the house number. The street has no label such as `straat`, and no house number before or after
/// it. If it was entered twice, it is returned once.
fn split_at_number<'w, 's>(
    words: &'w [&'s str],
    number: HouseNumber,
) -> (&'w [&'s str], &'w [&'s str]) {
    let is_number = |word: &str| strip_number(word, number).is_some();
    let mut rest = words;
    while let [first, others @ ..] = rest
        && !others.is_empty()
        && (is_number(first) || *first == "straat")
    {
        rest = others;
    }
    let at = (1..rest.len()).find(|&at| is_number(rest[at]));
    let (street, after) = rest.split_at(at.unwrap_or(rest.len()));
    let street = match street {
        [kept @ .., "nr" | "nummer" | "huisnr" | "huisnummer"] if !kept.is_empty() => kept,
        street => street,
    };
    let mut after = after.get(1..).unwrap_or_default();
    while let [suffix, rest @ ..] = after
        && is_suffix_after_number(suffix)
    {
        after = rest;
    }
    (without_repetition(street), after)
}

/// Whether a word after a house number is a part of its suffix: the `269` of `5-269, Erm`, but not the `2e` of 2e Exloërmond.
fn is_suffix_after_number(word: &str) -> bool {
    has_digit(word) && !word.ends_with('e') || word.len() == 1 && !matches!(word, "s" | "t")
}

/// The city without a postcode, a country or an area, and once if it was entered twice.
fn simplified_city<'w, 's>(words: &'w [&'s str]) -> &'w [&'s str] {
    let mut rest = words;
    while let [first, others @ ..] = rest
        && !others.is_empty()
        && (matches!(*first, "te" | "nl" | "plaats" | "woonplaats") || is_postcode_digits(first))
    {
        rest = others;
    }
    let area = (1..rest.len()).find(|&at| AREA_LABELS.contains(&rest[at]));
    rest = &rest[..area.unwrap_or(rest.len())];
    if let [label, others @ ..] = rest
        && AREA_LABELS.contains(label)
        && !others.is_empty()
    {
        rest = others;
    }
    for country in COUNTRIES {
        if let Some(kept) = rest.strip_suffix(country)
            && !kept.is_empty()
        {
            rest = kept;
        }
    }
    without_repetition(rest)
}

fn without_district<'w, 's>(city: &'w [&'s str]) -> &'w [&'s str] {
    match city {
        [kept @ .., district] if is_district(district) && !kept.is_empty() => kept,
        city => city,
    }
}

fn without_nearby_place<'w, 's>(city: &'w [&'s str]) -> &'w [&'s str] {
    let label = (1..city.len()).find(|&at| NEARBY_LABELS.contains(&city[at]));
    &city[..label.unwrap_or(city.len())]
}

/// The words after a postcode or its digits, if they may be a city.
fn after_postcode<'w, 's>(words: &'w [&'s str]) -> &'w [&'s str] {
    match words {
        [digits, rest @ ..]
            if is_postcode_digits(digits) && rest.concat().len() >= MIN_CITY_LETTERS =>
        {
            rest
        }
        _ => &[],
    }
}

/// Whether a word is the digits of a postcode, alone or with its letters.
fn is_postcode_digits(word: &str) -> bool {
    is_four_digits(word) || Postcode::from_input(word).is_ok()
}

/// The first half of the words if the second half repeats it.
fn without_repetition<'w, 's>(words: &'w [&'s str]) -> &'w [&'s str] {
    let (first, second) = words.split_at(words.len() / 2);
    if first == second { first } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(street: &str, city: &str, expected: &[[&str; 2]]) {
        case_with_postcode("", street, city, expected);
    }

    #[track_caller]
    fn case_with_postcode(postcode: &str, street: &str, city: &str, expected: &[[&str; 2]]) {
        let number = HouseNumber::new(12).expect("a house number");
        let names = EnteredNames::new(Some(street), Some(city));
        let found: Vec<[String; 2]> = simplify_names(&names, number, postcode)
            .iter()
            .map(|names| {
                [names.street(), names.city()].map(|name| name.unwrap_or_default().to_owned())
            })
            .collect();
        assert_eq!(found, expected, "{street}, {city}");
    }

    #[test]
    fn words_around_the_city_are_removed() {
        for city in [
            "Ede, Nederland",
            "Ede (The Netherlands)",
            "Ede NL",
            "NL-Ede",
            "te Ede",
            "Ede gem. De Wolden",
            "gemeente Ede",
            "Ede centrum",
            "Ede-Zuidoost",
            "6711 Ede",
            "6711 AB Ede",
            "Ede, Ede",
        ] {
            let expected = match city {
                "6711 AB Ede" => ["dijk", "ab ede"],
                _ => ["dijk", "ede"],
            };
            case("Dijk", city, &[expected]);
        }
        for city in ["Ede bij Urk", "Ede post Urk", "Ede (Urk)", "Ede, Urk"] {
            case("Dijk", city, &[["dijk", "ede"]]);
        }
        case("Dijk", "Ede", &[]);
        case("Dijk", "Den Haag", &[]);
        case("Dijk", "NL", &[]);
    }

    #[test]
    #[rustfmt::skip]
    fn words_around_the_street_are_removed() {
        for street in [
            "12, Dijk",
            "Straat: Dijk",
            "Dijk huisnummer 12",
            "Dijk 12 Dijk 12",
            "Dijk Dijk",
        ] {
            case(street, "Ede", &[["dijk", "ede"]]);
        }
        case("Dijk (achterom)", "Ede", &[["dijk", "ede"], ["achterom", "ede"], ["achterom dijk", "ede"]]);
        case(
            "Firma B.V., Dijk",
            "Ede",
            &[
                ["firma b v", "ede"],
                ["firma b", "ede"],
                ["b v dijk", "ede"],
                ["v dijk", "ede"],
                ["dijk", "ede"],
                ["b v dijk firma", "ede"],
                ["dijk firma b v", "ede"],
            ],
        );
        case("Oude Dijk", "Ede", &[["oude", "ede"], ["dijk oude", "ede"]]);
    }

    #[test]
    fn a_city_in_another_field_is_found() {
        case(
            "Lange Dijk Ede",
            "",
            &[["lange dijk", "ede"], ["lange", "dijk ede"]],
        );
        case("Dijk 12 Ede", "", &[["dijk", "ede"]]);
        case("Dijk 12-269, Ede", "", &[["dijk", "ede"]]);
        case("Dijk 12 a 3, 's Ede", "", &[["dijk", "s ede"]]);
        case(
            "Dijk 12, 't Ede-West",
            "",
            &[["dijk", "t ede west"], ["dijk", "t ede"]],
        );
        case_with_postcode("6711 Ede", "Dijk", "", &[["dijk", "ede"]]);
        case_with_postcode("6711", "Dijk", "", &[]);
        case_with_postcode("6711 AB", "Dijk", "", &[]);
        case_with_postcode("6711AB", "Dijk", "", &[]);
        case("Dijk", "", &[]);
    }
}
