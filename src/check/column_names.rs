//! Recognises columns by the names in a header, in Dutch and English.

use std::cmp::Reverse;

use super::column_role::ColumnRole;
use super::row_number::squashed;

/// Names of columns without case, spaces and marks, the most certain first.
const COLUMN_NAMES: [(ColumnRole, &str); ColumnRole::ALL.len()] = [
    (
        ColumnRole::Postcode,
        "postcode pc pc6 postkode zip zipcode postalcode postalzip zippostal pstlz pcode plz postleitzahl \
         postal postcd postcode1 postcodenl",
    ),
    (
        ColumnRole::Number,
        "huisnummer huisnr hnr nummer nr number housenumber houseno housenr housenum streetnumber streetno streetnr \
         hausnr hausnummer hsnr huisno huisn no adresnr adresnummer billingnumber shippingnumber \
         huisnummermettoevoeging huisnummerentoevoeging huisnummerincltoevoeging huisnummertoevoeging huisnrtoev nrtoev",
    ),
    (
        ColumnRole::Letter,
        "huisletter letter houseletter huisnummerletter huislt",
    ),
    (
        ColumnRole::Addition,
        "toevoeging toev toevoegsel huisnummertoevoeging huisnummertoev huisnummertoevoegsel huisnrtoevoeging huisnrtoev \
         addition housenumberaddition housenumberadd housenumbersuffix housenumberext housenumberextension \
         toevhuisnr toevhuisnummer toevoeginghuisnr toevoeginghuisnummer billingextension shippingextension \
         toevaanhuisnr toevaanhuisnummer toevoegingaanhuisnr toevoegingaanhuisnummer toevaanadres toevoegingaanadres \
         huisnrtoevoegsel huisnummersuffix huisnrsuffix bijvoegsel zusatz hausnummerzusatz ext extension suffix",
    ),
    (
        ColumnRole::Street,
        "straat straatnaam street streetname openbareruimte strasse",
    ),
    (
        ColumnRole::City,
        "plaats woonplaats plaatsnaam woonplaatsnaam stad city cityname town towncity citytown place locality ort01 ort wplts stadt",
    ),
    (
        ColumnRole::Line,
        "adres address adresregel adresregel1 adres1 adreslijn1 adresveld1 stras address1 address12 address1en2 addressline addressline1 street1 \
         streetaddress streetandnumber streetandhousenumber streetandhouseno straatenhuisnummer straatenhuisnr \
         straatennummer straatennr straathuisnummer straathuisnr straatnr straatnaamenhuisnummer straatnaamhuisnummer \
         bezoekadres woonadres vestigingsadres postadres factuuradres afleveradres leveradres verzendadres klantadres \
         correspondentieadres adresverzendennaar billingaddress shippingaddress deliveryaddress mailingaddress homeaddress \
         volledigadres adresvolledig fulladdress formattedaddress adresgegevens adresenhuisnummer adresenhuisnr adresennummer \
         adresennr straatnaamennummer straatnaamennr straatnaamenhuisnr straatnaamnummer streetennumber",
    ),
    (
        ColumnRole::Line2,
        "adresregel2 adres2 adreslijn2 adresveld2 address2 addressline2 streetaddress2 street2",
    ),
    (
        ColumnRole::Country,
        "land landcode landnaam country countrycode countryname countryid countryregion land1",
    ),
];

/// Minimum letters of a known name that is also recognised at the end of a longer word, as in `factuurpostcode`. With shorter
/// names `offertenr` would be a house number.
const MIN_SUFFIX_LETTERS: usize = 6;

/// Names that are recognised only alone: `telefoonnummer` is not a house number, and `e-mailadres` not an address.
const GENERIC_NAMES: [&str; 12] = [
    "nummer",
    "number",
    "nr",
    "no",
    "letter",
    "place",
    "adres",
    "address",
    "pc",
    "ext",
    "extension",
    "suffix",
];

/// Names that mean an addition only in a column beside the house number: elsewhere they belong to a telephone number or a person.
const GENERIC_ADDITIONS: [&str; 3] = ["ext", "extension", "suffix"];

/// Beginnings of the name of an addition column. Such a name may end like that of a number column: `Toev. bij huisnummer`.
const ADDITION_BEGINNINGS: [&str; 3] = ["toev", "bijvoeg", "zusatz"];

/// Last words of column names whose first word is the part of the address: `Postcode bezoekadres`, `Plaats factuur`.
const ADDRESS_KINDS: [&str; 13] = [
    "adres",
    "address",
    "bezoek",
    "factuur",
    "aflever",
    "levering",
    "verzending",
    "klant",
    "vestiging",
    "billing",
    "shipping",
    "mailing",
    "naar",
];

/// Words in the names of columns that hold another place than the city of the address, such as a place of birth.
const OTHER_PLACES: [&str; 3] = ["geboorte", "birth", "herkomst"];

type FoundColumns = [Option<usize>; ColumnRole::ALL.len()];

/// Finds the columns by their whole names, then by the beginnings and by the ends of longer names. If a table has two addresses,
/// it chooses the one with more filled columns; `filled` says which columns have a cell with text in the first rows.
pub(super) fn find_columns(header: &[String], filled: &[bool]) -> FoundColumns {
    let found = find_columns_except(header, filled, &[]);
    let count_filled =
        |found: &FoundColumns| found.iter().flatten().filter(|&&at| filled[at]).count();
    if count_filled(&found) > 0 {
        return found;
    }
    // All columns found are empty: look for another address whose columns are filled.
    let empty: Vec<usize> = found.iter().flatten().copied().collect();
    let other = find_columns_except(header, filled, &empty);
    match count_filled(&other) {
        0 => found,
        _ => other,
    }
}

/// Finds the columns among those that are not in `left_out`.
fn find_columns_except(header: &[String], filled: &[bool], left_out: &[usize]) -> FoundColumns {
    let mut found = FoundColumns::default();
    let free = |found: &FoundColumns| -> Vec<usize> {
        let free = free_columns(header, found);
        free.filter(|at| !left_out.contains(at)).collect()
    };
    let whole: Vec<[String; 2]> = header.iter().map(|name| whole_names(name)).collect();
    for (role, known) in COLUMN_NAMES {
        let free = free(&found);
        let column_of = |known: &str| {
            let is_named = |at: &&usize| whole[**at].iter().any(|name| name == known);
            let mut named = free.iter().filter(is_named);
            named
                .clone()
                .find(|&&at| filled[at])
                .or(named.next())
                .copied()
        };
        let is_number = role == ColumnRole::Number;
        let named = known.split(' ').filter_map(|known| {
            let at = column_of(known)?;
            // A name with `toev` is chosen for the number only if no other name fits, even if the other column is empty.
            Some((is_number && known.contains("toev"), !filled[at], at))
        });
        let best = named.min_by_key(|&(is_addition, is_empty, _)| (is_addition, is_empty));
        found[role as usize] = best.map(|(.., at)| at);
    }
    // In reverse, so that the line comes before the number: `factuur_straat_en_huisnummer` is a line.
    for matches in [is_beginning, is_end] {
        let sizes = group_sizes(header, filled, matches);
        for (role, known) in COLUMN_NAMES.into_iter().rev() {
            let free = free(&found).into_iter();
            let named = free.filter(|&at| {
                is_any(matches, known, &header[at])
                    && !(role == ColumnRole::Number && is_addition(&header[at]))
            });
            let column = named.min_by_key(|&at| Reverse((sizes[at], filled[at])));
            found[role as usize] = found[role as usize].or(column);
        }
    }
    if found[ColumnRole::Addition as usize].is_none() {
        let mut free = free(&found).into_iter();
        found[ColumnRole::Addition as usize] = free.find(|&at| is_addition(&header[at]));
    }
    if is_customer_number(&found, header) {
        found[ColumnRole::Number as usize] = None;
    }
    if is_other_suffix(&found, header) {
        found[ColumnRole::Addition as usize] = None;
    }
    found
}

/// Whether a column has the name of some part of an address.
pub(super) fn is_address_column(name: &str) -> bool {
    let whole = whole_names(name);
    let is_whole = |known: &str| whole.iter().any(|name| name == known);
    COLUMN_NAMES.iter().any(|(_, known)| {
        known.split(' ').any(is_whole)
            || is_any(is_beginning, known, name)
            || is_any(is_end, known, name)
    })
}

fn is_addition(name: &str) -> bool {
    let name = squashed(name);
    ADDITION_BEGINNINGS
        .iter()
        .any(|beginning| name.starts_with(beginning))
}

fn is_any(matches: fn(&str, &str) -> bool, known: &str, name: &str) -> bool {
    known.split(' ').any(|known| matches(known, name))
}

/// For each column, the size of its group: the filled columns, and all columns, that match and begin with the same word. Of
/// `shipping_city`, `billing_city` and `billing_zip`, the caller prefers `billing`, the larger group. So it does not mix the
/// parts of two addresses.
fn group_sizes(
    header: &[String],
    filled: &[bool],
    matches: fn(&str, &str) -> bool,
) -> Vec<(usize, usize)> {
    let is_part = |name: &str| {
        COLUMN_NAMES
            .iter()
            .any(|(_, known)| is_any(matches, known, name))
    };
    let group = |name: &str| words(name).next().map(squashed);
    let parts = header.iter().zip(filled).filter(|(name, _)| is_part(name));
    let parts: Vec<_> = parts.map(|(name, filled)| (group(name), *filled)).collect();
    let size = |name: &String| {
        let own = group(name);
        let same: Vec<bool> = parts
            .iter()
            .filter(|(other, _)| *other == own)
            .map(|(_, filled)| *filled)
            .collect();
        (same.iter().filter(|filled| **filled).count(), same.len())
    };
    header.iter().map(size).collect()
}

fn free_columns(header: &[String], found: &FoundColumns) -> impl Iterator<Item = usize> {
    let found = *found;
    let is_other = |name: &str| {
        OTHER_PLACES
            .iter()
            .any(|word| squashed(name).contains(word))
    };
    let names = header.iter().enumerate();
    let usable = names.filter(move |(at, name)| !found.contains(&Some(*at)) && !is_other(name));
    usable.map(|(at, _)| at)
}

/// The squashed name, and the squashed name without a remark in brackets: `City (Billing)`.
fn whole_names(name: &str) -> [String; 2] {
    let plain = name.split_once('(').map_or(name, |(plain, _)| plain);
    // `Straat + nr`
    [name, plain].map(|name| squashed(&name.replace(['+', '&'], " en ")))
}

/// Whether a name of a header begins with a known name and ends with a kind of address.
fn is_beginning(known: &str, name: &str) -> bool {
    let mut words = words(name);
    let (Some(first), Some(last)) = (words.next(), words.next_back()) else {
        return false;
    };
    let last = squashed(last);
    let is_kind = ADDRESS_KINDS.iter().any(|kind| last.ends_with(kind));
    !GENERIC_NAMES.contains(&known) && is_kind && squashed(first) == known
}

/// Whether a name of a header ends in a known name: its last word is that name, or the squashed header ends in it if it is
/// long.
fn is_end(known: &str, name: &str) -> bool {
    let last_word = words(name).next_back().unwrap_or_default();
    let is_glued = known.len() >= MIN_SUFFIX_LETTERS && squashed(name).ends_with(known);
    !GENERIC_NAMES.contains(&known) && (is_glued || squashed(last_word) == known)
}

fn words(name: &str) -> impl DoubleEndedIterator<Item = &str> {
    let words = name.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// Whether the column found for the house number holds customer numbers: it has a general name and is not beside a column of
/// the address, as in `Nummer;Naam;Adres`.
fn is_customer_number(found: &FoundColumns, header: &[String]) -> bool {
    let column = |role: ColumnRole| found[role as usize];
    let Some(at) = column(ColumnRole::Number) else {
        return false;
    };
    let is_beside = |other: usize| other.abs_diff(at) == 1;
    let has_line = column(ColumnRole::Line)
        .or(column(ColumnRole::Street))
        .is_some();
    has_line
        && GENERIC_NAMES.contains(&&*squashed(&header[at]))
        && !found.iter().flatten().any(|&other| is_beside(other))
}

/// Whether the column found for the addition belongs to a telephone number or a person.
fn is_other_suffix(found: &FoundColumns, header: &[String]) -> bool {
    let Some(at) = found[ColumnRole::Addition as usize] else {
        return false;
    };
    let mut numbers = [ColumnRole::Number, ColumnRole::Letter]
        .into_iter()
        .filter_map(|role| found[role as usize]);
    GENERIC_ADDITIONS.contains(&&*squashed(&header[at]))
        && !numbers.any(|number| number.abs_diff(at) == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_recognised_by_their_names() {
        #[track_caller]
        fn case(names: &str, expected: &str) {
            let header: Vec<String> = names.split(';').map(str::to_owned).collect();
            let map = find_columns(&header, &vec![true; header.len()]);
            let found: Vec<String> = ColumnRole::ALL
                .iter()
                .filter_map(|role| {
                    Some(format!("{}={}", role.name(), header[map[*role as usize]?]))
                })
                .collect();
            assert_eq!(found.join(" "), expected, "{names}");
        }
        case(
            "naam;Postcode;Huisnummer",
            "postcode=Postcode number=Huisnummer",
        );
        case(
            "PC;hnr;toev.;Straat;Woonplaats",
            "postcode=PC number=hnr addition=toev. street=Straat city=Woonplaats",
        );
        case(
            "Address 1;ZIP code;City",
            "postcode=ZIP code city=City line=Address 1",
        );
        case(
            "huisnummer;huisletter;huisnummertoevoeging",
            "number=huisnummer letter=huisletter addition=huisnummertoevoeging",
        );
        case(
            "postcode;huisnummer_toevoeging",
            "postcode=postcode number=huisnummer_toevoeging",
        );
        case(
            "factuur_postcode;factuur_huisnummer",
            "postcode=factuur_postcode number=factuur_huisnummer",
        );
        case(
            "klantnr;omschrijving;telefoonnummer;mobiel nr.;E-mail adres",
            "",
        );
        case(
            "Straat en huisnummer;Postcode",
            "postcode=Postcode line=Straat en huisnummer",
        );
        case(
            "Straat + nr;PC;Plaats",
            "postcode=PC city=Plaats line=Straat + nr",
        );
        case(
            "factuur straat en huisnr;factuur plaats",
            "city=factuur plaats line=factuur straat en huisnr",
        );
        case(
            "billing_address_1;billing_postcode;billing_city;shipping_city",
            "postcode=billing_postcode city=billing_city line=billing_address_1",
        );
        case("Adres;Postcode/Plaats", "city=Postcode/Plaats line=Adres");
        case("Bezoekadres;Town/City", "city=Town/City line=Bezoekadres");
        case("E-mailadres;adres", "line=adres");
        case(
            "Straatnaam + huisnr;PLZ;Ort",
            "postcode=PLZ city=Ort line=Straatnaam + huisnr",
        );
        case(
            "Adres + huisnummer;PCODE",
            "postcode=PCODE line=Adres + huisnummer",
        );
        case(
            "Straße;Hausnr.;Zusatz;Postleitzahl;Stadt",
            "postcode=Postleitzahl number=Hausnr. addition=Zusatz street=Straße city=Stadt",
        );
        case(
            "factuuradres nr;factuuradres postcode",
            "postcode=factuuradres postcode number=factuuradres nr",
        );
        case(
            "Straat;Toev. aan huisnr.;PC",
            "postcode=PC addition=Toev. aan huisnr. street=Straat",
        );
        case(
            "Straat;Nr;Suffix;PC",
            "postcode=PC number=Nr addition=Suffix street=Straat",
        );
        case("Straat;Nr;Naam;Suffix", "number=Nr street=Straat");
    }
}
