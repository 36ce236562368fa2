//! Lists the classes of queries. Each class is one way to type an address.

use postduif_schema::Address;

use super::expected::Expected;
use super::{careless, joined, messy, numbers, postcodes, short, streets, typos};
use crate::chance::Chance;

/// A query, and the place that it must find.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) typed: String,
    pub(crate) expected: Expected,
}

/// One way to type an address.
pub(crate) struct Class {
    pub(crate) name: &'static str,
    /// True if the text has no typos. Only such a text is also typed letter by letter.
    pub(crate) by_letter: bool,
    /// Quickly checks whether an address can be typed in this way.
    pub(crate) fits: fn(&Address) -> bool,
    /// Makes the query; `None` if the address cannot be typed in this way.
    pub(crate) make: fn(&Address, &mut Chance) -> Option<Case>,
}

impl Class {
    const fn new(
        name: &'static str,
        fits: fn(&Address) -> bool,
        make: fn(&Address, &mut Chance) -> Option<Case>,
    ) -> Self {
        Self {
            name,
            by_letter: true,
            fits,
            make,
        }
    }

    const fn with_typo(self) -> Self {
        Self {
            by_letter: false,
            ..self
        }
    }
}

impl Case {
    /// A case with this typed text; `None` if the text is empty.
    pub(crate) fn from_text(typed: String, expected: Expected) -> Option<Self> {
        (!typed.trim().is_empty()).then_some(Self { typed, expected })
    }
}

/// Every class, in the order of the report.
pub(crate) const CLASSES: &[Class] = &[
    Class::new("prefix + town", streets::is_street, streets::prefix),
    Class::new("street town", streets::is_street, streets::whole),
    Class::new("street, town", streets::is_street, streets::comma),
    Class::new("town street", streets::is_street, streets::town_first),
    Class::new("lower case", streets::is_street, streets::lower),
    Class::new("without marks", streets::has_marks, streets::plain),
    Class::new("street number town", streets::is_street, numbers::whole),
    Class::new("street number", streets::is_street, numbers::no_town),
    Class::new(
        "town street number",
        streets::is_street,
        numbers::town_first,
    ),
    Class::new("mail line", streets::is_street, numbers::mail),
    Class::new("printed mail line", streets::is_street, numbers::printed),
    Class::new("box", streets::is_box, numbers::whole),
    Class::new("typo in street", typos::street_fits, typos::street).with_typo(),
    Class::new("typo, number", typos::street_fits, typos::number).with_typo(),
    Class::new("typo in town", typos::town_fits, typos::town).with_typo(),
    Class::new("1234AB", streets::is_any, postcodes::whole),
    Class::new("1234 AB", streets::is_any, postcodes::spaced),
    Class::new("1234ab", streets::is_any, postcodes::lower),
    Class::new("postcode number", streets::is_any, postcodes::number),
    Class::new(
        "postcode suffix",
        numbers::has_suffix,
        postcodes::with_suffix,
    ),
    Class::new("postcode town", streets::is_any, postcodes::town),
    Class::new("four digits", streets::is_any, postcodes::digits),
    Class::new("short ending", short::ending_fits, short::ending),
    Class::new("short title", short::title_fits, short::title),
    Class::new("short van der", short::van_fits, short::van),
    Class::new("ordinal in words", short::digit_fits, short::to_words),
    Class::new("ordinal in digits", short::word_fits, short::to_digits),
    Class::new("12-2", numbers::has_digits, numbers::hyphen),
    Class::new("12 2", numbers::has_digits, numbers::space),
    Class::new("12/2", numbers::has_digits, numbers::slash),
    Class::new("12a", numbers::has_letter, numbers::glued),
    Class::new("12 a", numbers::has_letter, numbers::space),
    Class::new("12-a", numbers::has_letter, numbers::hyphen),
    Class::new("12A-1", numbers::has_both, numbers::letter_hyphen),
    Class::new("12 A1", numbers::has_both, numbers::space),
    Class::new("12a1", numbers::has_both, numbers::glued),
    Class::new("12 bis", numbers::has_text, numbers::space),
    Class::new("12-bis", numbers::has_text, numbers::hyphen),
    Class::new("12bis", numbers::has_text, numbers::glued),
    Class::new("squashed", joined::has_space, joined::squashed),
    Class::new("hyphen as space", joined::has_hyphen, joined::hyphen),
    Class::new("split", joined::is_compound, joined::split),
    Class::new(
        "begun number town",
        streets::is_street,
        careless::prefix_number,
    ),
    Class::new("town begun", careless::town_is_long, careless::town_prefix),
    Class::new(
        "municipality",
        careless::town_is_not_municipality,
        careless::municipality,
    ),
    Class::new("town, province", streets::is_street, careless::province),
    Class::new("last word", careless::has_words, careless::last_word),
    Class::new(
        "turned round",
        careless::has_words,
        careless::last_word_first,
    ),
    Class::new(
        "small words left out",
        careless::has_particle,
        careless::without_particles,
    ),
    Class::new("number first", streets::is_street, careless::number_first),
    Class::new(
        "street and postcode",
        streets::is_street,
        careless::with_postcode,
    ),
    Class::new(
        "typo in beginning",
        typos::street_fits,
        careless::prefix_typo,
    )
    .with_typo(),
    Class::new(
        "typo, town first",
        typos::street_fits,
        careless::town_first_typo,
    )
    .with_typo(),
    Class::new("wrong key", typos::street_fits, careless::key_typo).with_typo(),
    Class::new(
        "typo, no town",
        typos::street_fits,
        careless::typo_without_town,
    )
    .with_typo(),
    Class::new("two typos", careless::is_long, careless::two_typos).with_typo(),
    Class::new("typo in each", careless::both_fit, careless::both_typos).with_typo(),
    Class::new(
        "other street type",
        messy::has_street_type,
        messy::other_type,
    )
    .with_typo(),
    Class::new("lone letter", messy::has_letter_alone, messy::lone_letter).with_typo(),
    Class::new("wrong postcode", streets::is_street, messy::wrong_postcode).with_typo(),
    Class::new(
        "wrong postcode, addition",
        numbers::has_suffix,
        messy::wrong_postcode,
    )
    .with_typo(),
    Class::new("glued number", messy::ends_in_letter, messy::glued).with_typo(),
    Class::new(
        "glued number, addition",
        messy::ends_in_letter_with_suffix,
        messy::glued_suffix,
    )
    .with_typo(),
    Class::new(
        "typo, addition",
        messy::typo_fits_with_suffix,
        messy::typo_suffix,
    )
    .with_typo(),
    Class::new("typos, number", messy::both_fit, messy::typos_number).with_typo(),
    Class::new("unit word", numbers::has_digits, messy::unit).with_typo(),
    Class::new("zeros left out", messy::has_zeros, messy::without_zeros).with_typo(),
    Class::new(
        "letter left out",
        messy::has_letter_and_digits,
        messy::without_letter,
    )
    .with_typo(),
    Class::new("pasted block", streets::is_street, messy::pasted).with_typo(),
    Class::new("person before", streets::is_street, messy::sender).with_typo(),
    Class::new(
        "municipality, number",
        careless::town_is_not_municipality,
        messy::municipality,
    )
    .with_typo(),
    Class::new("sounds alike", messy::has_alike, messy::alike).with_typo(),
    Class::new("look-alike postcode", streets::is_any, messy::look_alike).with_typo(),
    Class::new(
        "unknown letter",
        messy::is_without_suffix,
        messy::unknown_letter,
    )
    .with_typo(),
    Class::new("unknown number", streets::is_street, messy::unknown_number).with_typo(),
];
