//! Matches the name of a column with the known names of the parts of an address.

use postduif_schema::squashed;

use super::known_names::{GENERIC_NAMES, known_names};
use super::name_remarks::without_remark;
use super::name_words::words;
use crate::check::column_role::ColumnRole;

/// Minimum number of letters of a known name that is also recognised at the end of a longer word, such as `postcode` in `factuurpostcode`.
/// If shorter names were recognised there too, `offertenr` (number of a quotation) would be a house number.
const MIN_SUFFIX_LETTERS: usize = 6;

/// Ends of words before `city` and `land` in names without a mark between the words: `MAILINGCITY`, `Afleverland`. `Capacity` and
/// `Nederland` have no such word.
const GLUED_ADDRESSES: [&str; 21] = [
    "mailing", "other", "billing", "shipping", "home", "work", "business", "delivery", "invoice",
    "address", "cust", "customer", "lever", "factuur", "verzend", "bezorg", "bezoek", "woon",
    "werk", "prive", "klant",
];

/// Beginnings of names of addition columns. Such a name may end with the name of a number column: `Toev. bij huisnummer`.
const ADDITION_BEGINNINGS: [&str; 3] = ["toev", "bijvoeg", "zusatz"];

/// Endings of the last word in names such as `Postcode bezoekadres` and `Plaats factuur`. The first word of such a name is the part
/// of the address.
const ADDRESS_KINDS: [&str; 27] = [
    "adres", "address", "bezoek", "factuur", "aflever", "levering", "verzending", "klant",
    "vestiging", "billing", "shipping", "mailing", "naar", "verzend", "bezorg", "bezorging",
    "verz", "facturering", "facturatie", "fact", "post", "woon", "woning", "object", "lid",
    "ontvanger", "afzender",
];

/// Endings of names of address lines, as in `Objectadres`. What comes before the ending must not be one of [`ELECTRONIC_ADDRESSES`] or the name
/// of another part of an address.
const LINE_ENDINGS: [&str; 4] = ["adres", "address", "adresse", "anschrift"];

/// Words that show that an address is electronic and not postal, such as an e-mail address.
const ELECTRONIC_ADDRESSES: [&str; 9] = [
    "mail", "email", "ip", "mac", "web", "url", "internet", "website", "site",
];

/// Names of house numbers to which a word of [`ADDITION_ENDINGS`] may be added: `HouseNrExt`. One of the [`PLAIN_NUMBERS`] must be the
/// whole rest of the name, because `phone_number_ext` is not an addition.
pub(super) const HOUSE_NUMBERS: [&str; 16] = [
    "huisnummer", "huisnr", "huisno", "hnr", "hsnr", "housenumber", "housenr", "houseno",
    "housenum", "housenbr", "streetnumber", "streetno", "streetnr", "hausnummer", "hausnr",
    "addressnumber",
];
const PLAIN_NUMBERS: [&str; 6] = ["nummer", "number", "nr", "no", "numero", "n"];
const ADDITION_ENDINGS: [&str; 21] = [
    "toevoeging", "toevoegingen", "sub", "tv", "toevoegsel", "toev", "tvg", "bijvoeging",
    "bijvoegsel", "aanvulling", "extensie", "extentie", "extension", "extra", "ext", "suffix",
    "addition", "add", "zusatz", "bus", "achtervoegsel",
];

/// Words for an addition that may come before a word for an address. `Extra adres` is a second line.
const EXTENSIONS: [&str; 5] = ["ext", "extensie", "extentie", "extension", "suffix"];

/// Words for the street in names of columns that hold street and number. The name needs no sign such as `+` or `en`: `Strasse Nr`.
const STREETS: [&str; 5] = ["straat", "straatnaam", "strasse", "strassenname", "rue"];

/// Like [`STREETS`], but only if the name has a sign such as `+` or `en`, because `Street number` is only a number.
const STREETS_WITH_SIGN: [&str; 2] = ["adres", "street"];

pub(in crate::check) fn is_address_column(name: &str) -> bool {
    let whole = whole_names(name);
    begins_like_addition(name)
        || ColumnRole::ALL.into_iter().any(|role| {
            is_known_name(role, &whole)
                || begins_with_name_of(role, name)
                || ends_with_name_of(role, name)
        })
}

/// Whether a name begins with a known name of a role, as [`begins_with_known_name`] says.
pub(super) fn begins_with_name_of(role: ColumnRole, name: &str) -> bool {
    begins_with_known_name(known_names(role), name)
}

/// Whether a name ends in a known name of a role or is composed of words that together mean it.
pub(in crate::check) fn ends_with_name_of(role: ColumnRole, name: &str) -> bool {
    let is_extension = is_extension_of_address(name);
    match role {
        ColumnRole::Addition if is_extension => true,
        ColumnRole::Line if is_extension => false,
        _ => ends_with_known_name(known_names(role), name) || is_composed_name(role, name),
    }
}

/// Whether a name is a word for an addition and, after it, a word for an address: `Extensie verzendadres`.
fn is_extension_of_address(name: &str) -> bool {
    let words: Vec<String> = words(name).map(squashed).collect();
    matches!(&*words, [first, .., last] if EXTENSIONS.contains(&&**first) && last.ends_with("adres"))
}

/// Whether a name is composed of words that together mean a role: `Objectadres`, `Straße, Nr.` or `HouseNrExt`.
fn is_composed_name(role: ColumnRole, name: &str) -> bool {
    match role {
        ColumnRole::Line => is_address_line(name) || is_street_with_number(name),
        ColumnRole::Addition => is_number_with_addition(name) || joined_role(name) == Some(role),
        _ => joined_role(name) == Some(role),
    }
}

/// The part that both of two known names with a slash between them mean: `Stad/dorp`. An addition and a letter together mean an addition:
/// `Huisnummertoevoeging/-letter`. `None` if they mean different parts.
fn joined_role(name: &str) -> Option<ColumnRole> {
    let (first, second) = name.split_once('/')?;
    let names = [first, second].map(squashed);
    let has = |role: ColumnRole, name: &String| known_names(role).any(|known| known == name);
    let is_suffix =
        |name: &String| has(ColumnRole::Addition, name) || has(ColumnRole::Letter, name);
    let is_both = |role: &ColumnRole| names.iter().all(|name| has(*role, name));
    match names.iter().all(is_suffix) {
        true => Some(ColumnRole::Addition),
        false => ColumnRole::ALL.into_iter().find(is_both),
    }
}

fn is_address_line(name: &str) -> bool {
    let words: Vec<String> = words(name).map(squashed).collect();
    let Some((last, before)) = words.split_last() else {
        return false;
    };
    let Some(kind) = LINE_ENDINGS
        .iter()
        .find_map(|ending| last.strip_suffix(ending))
    else {
        return false;
    };
    let is_part = |word: &String| {
        let parts = ColumnRole::ALL.into_iter();
        let mut known = parts
            .filter(|role| *role != ColumnRole::Line)
            .flat_map(known_names);
        !GENERIC_NAMES.contains(&&**word) && known.any(|known| known == word)
    };
    let is_other = |word: &str| ELECTRONIC_ADDRESSES.contains(&word) || word.ends_with("mail");
    !is_other(kind)
        && !before
            .iter()
            .any(|word| is_other(word) || is_part(word) || begins_like_addition(word))
}

/// Whether a name has a word for a street and, after it, a word for a house number.
pub(super) fn is_street_with_number(name: &str) -> bool {
    let words: Vec<String> = words(name).map(squashed).collect();
    // A name such as `/klant/adres/nummer` is a path to one part, so its slashes are not such a sign.
    let has_sign = !name.starts_with('/') && name.contains(['+', '&', ',', '/'])
        || words
            .iter()
            .any(|word| ["en", "und", "and", "et", "met", "incl", "inclusief"].contains(&&**word));
    let is_street =
        |word: &str| STREETS.contains(&word) || has_sign && STREETS_WITH_SIGN.contains(&word);
    // `Straat, huisnummer en toevoeging`
    let is_addition = |word: &&String| word.as_str() == "en" || begins_like_addition(word);
    let additions = words.iter().rev().take_while(is_addition).count();
    let mut words = words[..words.len() - additions].iter();
    words.any(|word| is_street(word))
        && words.next_back().is_some_and(|last| {
            PLAIN_NUMBERS.contains(&&**last) || HOUSE_NUMBERS.contains(&&**last)
        })
}

/// Whether a name has a word for a house number or begins with a word for an address, and ends in a word for an addition: `HouseNrExt`,
/// `Adres verzending extensie`.
fn is_number_with_addition(name: &str) -> bool {
    let words: Vec<String> = words(name).map(squashed).collect();
    if let [first, .., last] = &*words
        && STREETS_WITH_SIGN[..1].contains(&&**first)
        && ADDITION_ENDINGS.contains(&&**last)
    {
        return true;
    }
    let name = words.concat();
    let mut numbers = ADDITION_ENDINGS
        .iter()
        .filter_map(|ending| name.strip_suffix(ending));
    numbers.any(|number| {
        number.len() > 1 && PLAIN_NUMBERS.contains(&number)
            || HOUSE_NUMBERS.iter().any(|known| number.ends_with(known))
    })
}

/// Whether a whole name is only a word for any number, such as `Nr.`.
pub(super) fn is_plain_number(name: &str) -> bool {
    PLAIN_NUMBERS.contains(&&*squashed(name))
}

/// Whether the first or the last word of a name is a word for any number.
pub(super) fn has_plain_number(name: &str) -> bool {
    let mut words = words(name);
    let ends = [words.next(), words.next_back()];
    ends.into_iter().flatten().any(is_plain_number)
}

/// Whether a name begins with a word for an addition, or has one directly before a house number: `Lid toevoegsel huisnr`.
pub(super) fn begins_like_addition(name: &str) -> bool {
    let begins = |name: &str| {
        let mut beginnings = ADDITION_BEGINNINGS.iter();
        beginnings.any(|beginning| name.starts_with(beginning))
    };
    let words: Vec<String> = words(name).map(squashed).collect();
    let mut pairs = words.windows(2);
    begins(&words.concat())
        || pairs.any(|pair| begins(&pair[0]) && HOUSE_NUMBERS.contains(&&*pair[1]))
}

/// Whether one of the [`whole_names`] of a column is a known name of a role.
pub(super) fn is_known_name(role: ColumnRole, whole: &[String; 2]) -> bool {
    known_names(role).any(|known| whole.iter().any(|name| name == known))
}

/// The squashed name, and the squashed name without a remark in brackets, such as `(Billing)` in `City (Billing)`.
pub(super) fn whole_names(name: &str) -> [String; 2] {
    let plain = without_remark(name);
    // `Straat + nr` becomes `Straat en nr`.
    [name, plain].map(|name| squashed(&name.replace(['+', '&'], " en ")))
}

/// Whether a column's name is a known name and then a word that ends in one of [`ADDRESS_KINDS`]: `Postcode bezoekadres`. The known name is
/// the first word, or all words but the last one.
pub(super) fn begins_with_known_name<'a>(
    mut known: impl Iterator<Item = &'a str>,
    name: &str,
) -> bool {
    let words: Vec<String> = words(name).map(squashed).collect();
    let [first, .., last] = &*words else {
        return false;
    };
    let before_last = words[..words.len() - 1].concat();
    let is_begun = |known: &str| {
        (first == known || before_last == known)
            && (!GENERIC_NAMES.contains(&known) || ["pc", "adres", "address"].contains(&known))
    };
    ADDRESS_KINDS.iter().any(|kind| last.ends_with(kind)) && known.any(is_begun)
}

/// Whether the name of a column ends in one of the known names. Either the last word of `name` is the known name, or the squashed `name`
/// ends in a known name of at least [`MIN_SUFFIX_LETTERS`] letters, or in `city` or `land` after one of [`GLUED_ADDRESSES`]. Of the
/// [`GENERIC_NAMES`], only `pc` counts.
pub(super) fn ends_with_known_name<'a>(
    mut known: impl Iterator<Item = &'a str>,
    name: &str,
) -> bool {
    let last_word = squashed(words(name).next_back().unwrap_or_default());
    let name = squashed(name);
    let is_of_address = |known: &str| {
        let address = name.strip_suffix(known);
        address.is_some_and(|address| GLUED_ADDRESSES.iter().any(|word| address.ends_with(word)))
    };
    let is_end = |known: &str| {
        let is_glued = known.len() >= MIN_SUFFIX_LETTERS && name.ends_with(known)
            || ["city", "land"].contains(&known) && is_of_address(known);
        (is_glued || last_word == known) && (!GENERIC_NAMES.contains(&known) || known == "pc")
    };
    known.any(is_end)
}
