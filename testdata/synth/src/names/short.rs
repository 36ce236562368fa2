//! Shortens street names.

/// The short form of a street name, of at most 24 characters, in the manner of NEN 5825: abbreviates known words, then shortens
/// words to their first letter, from the left, until the name fits. `None` if the full name has at most 24 characters.
pub(crate) fn short_name(name: &str) -> Option<String> {
    const SHORT: usize = 24;
    if name.chars().count() <= SHORT {
        return None;
    }
    let mut words: Vec<String> = name.split(' ').map(abbreviate).collect();
    let last = words.len() - 1;
    for index in 0..last {
        if words.join(" ").chars().count() <= SHORT {
            break;
        }
        words[index] = words[index].chars().take(1).collect();
    }
    Some(
        words
            .join(" ")
            .chars()
            .take(SHORT)
            .collect::<String>()
            .trim_end()
            .to_owned(),
    )
}

fn abbreviate(word: &str) -> String {
    const WORDS: [(&str, &str); 8] = [
        ("van", "v"),
        ("de", "d"),
        ("der", "d"),
        ("den", "d"),
        ("het", "h"),
        ("Burgemeester", "Burg"),
        ("Verlengde", "Verl"),
        ("Eerste", "1e"),
    ];
    const ENDS: [(&str, &str); 8] = [
        ("straat", "str"),
        ("laan", "ln"),
        ("weg", "wg"),
        ("plein", "pln"),
        ("kade", "kd"),
        ("gracht", "gr"),
        ("singel", "sngl"),
        ("plantsoen", "plnts"),
    ];
    if let Some((_, short)) = WORDS.iter().find(|(long, _)| *long == word) {
        return (*short).to_owned();
    }
    let ended = ENDS
        .iter()
        .find_map(|(long, short)| word.strip_suffix(long).map(|stem| format!("{stem}{short}")));
    ended.unwrap_or_else(|| word.to_owned())
}

/// The first 70 characters of a name, so that a suffix fits in the maximum of 80 characters.
pub(crate) fn with_room_for_suffix(name: &str) -> String {
    name.chars()
        .take(70)
        .collect::<String>()
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::words::ODD;
    use super::*;

    #[test]
    fn long_names_have_a_short_form() {
        #[track_caller]
        fn case(name: &str, short: Option<&str>) {
            assert_eq!(short_name(name).as_deref(), short);
        }
        case("Kerkstraat", None);
        case("Voormalige Steenfabrieksweg", Some("V Steenfabriekswg"));
        case("Buitenplaats d’Oude Kwekerij", Some("B d’Oude Kwekerij"));
        assert!(
            ODD.iter()
                .filter_map(|name| short_name(name))
                .all(|short| (1..=24).contains(&short.chars().count()))
        );
    }
}
