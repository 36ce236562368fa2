//! Recognises columns by the names in a header, in Dutch and English.

use std::cmp::Reverse;

use super::column_role::ColumnRole;
use super::row_number::squashed;

/// Names of columns without case, spaces and marks, the most certain first.
const COLUMN_NAMES: [(ColumnRole, &str); ColumnRole::ALL.len()] = [
    (
        ColumnRole::Postcode,
        "postcode pc pc6 postkode zip zipcode postalcode postalzip zippostal pstlz",
    ),
    (
        ColumnRole::Number,
        "huisnummer huisnr hnr nummer nr number housenumber houseno housenr housenum streetnumber streetno streetnr billingnumber shippingnumber \
         huisnummermettoevoeging huisnummerentoevoeging huisnummerincltoevoeging huisnummertoevoeging huisnrtoev nrtoev",
    ),
    (
        ColumnRole::Letter,
        "huisletter letter houseletter huisnummerletter",
    ),
    (
        ColumnRole::Addition,
        "toevoeging toev toevoegsel huisnummertoevoeging huisnummertoev huisnummertoevoegsel huisnrtoevoeging huisnrtoev \
         addition housenumberaddition housenumberadd housenumbersuffix housenumberext housenumberextension \
         toevhuisnr toevhuisnummer toevoeginghuisnr toevoeginghuisnummer billingextension shippingextension",
    ),
    (
        ColumnRole::Street,
        "straat straatnaam street streetname openbareruimte",
    ),
    (
        ColumnRole::City,
        "plaats woonplaats plaatsnaam woonplaatsnaam stad city cityname town towncity citytown place locality ort01",
    ),
    (
        ColumnRole::Line,
        "adres address adresregel adresregel1 adres1 adreslijn1 adresveld1 stras address1 address12 addressline addressline1 street1 \
         streetaddress streetandnumber streetandhousenumber streetandhouseno straatenhuisnummer straatenhuisnr \
         straatennummer straatennr straathuisnummer straathuisnr straatnr straatnaamenhuisnummer straatnaamhuisnummer \
         bezoekadres woonadres vestigingsadres postadres factuuradres afleveradres leveradres verzendadres klantadres \
         correspondentieadres adresverzendennaar billingaddress shippingaddress deliveryaddress mailingaddress homeaddress \
         volledigadres adresvolledig fulladdress formattedaddress",
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

/// The least letters of a name that is also recognised at the end of a longer one, as in `factuur_postcode`. Shorter names would
/// make `offertenr` a house number.
const MIN_SUFFIX_LETTERS: usize = 6;

/// Names that are recognised only alone: `telefoonnummer` is not a house number, and `e-mailadres` not an address.
const GENERIC_NAMES: [&str; 8] = [
    "nummer", "number", "nr", "letter", "place", "adres", "address", "pc",
];

/// Last words of names that begin with the part: `Postcode bezoekadres`, `Plaats factuur`.
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

/// Words in names of columns that hold other places than that of the address.
const OTHER_PLACES: [&str; 3] = ["geboorte", "birth", "herkomst"];

type FoundColumns = [Option<usize>; ColumnRole::ALL.len()];

/// Finds the columns by their whole names, then by the beginnings and by the ends of longer ones.
pub(super) fn find_columns(header: &[String]) -> FoundColumns {
    let mut found = FoundColumns::default();
    let whole: Vec<[String; 2]> = header.iter().map(|name| whole_names(name)).collect();
    for (role, known) in COLUMN_NAMES {
        let column_of = |known: &str| {
            let is_named = |&at: &usize| whole[at].iter().any(|name| name == known);
            free_columns(header, &found).find(is_named)
        };
        found[role as usize] = known.split(' ').find_map(column_of);
    }
    // The line comes first: `factuur_straat_en_huisnummer` is more than a number.
    for matches in [is_beginning, is_end] {
        let sizes = group_sizes(header, matches);
        for (role, known) in COLUMN_NAMES.into_iter().rev() {
            let is_named = |at: &usize| is_any(matches, known, &header[*at]);
            let named = free_columns(header, &found).filter(is_named);
            let column = named.min_by_key(|&at| Reverse(sizes[at]));
            found[role as usize] = found[role as usize].or(column);
        }
    }
    if is_customer_number(&found, header) {
        found[ColumnRole::Number as usize] = None;
    }
    found
}

fn is_any(matches: fn(&str, &str) -> bool, known: &str, name: &str) -> bool {
    known.split(' ').any(|known| matches(known, name))
}

/// For each column, how many that match begin with the same word: of `shipping_city`, `billing_city` and `billing_zip`, the
/// largest group is taken, so that the parts of two addresses are not mixed.
fn group_sizes(header: &[String], matches: fn(&str, &str) -> bool) -> Vec<usize> {
    let is_part = |name: &&String| {
        COLUMN_NAMES
            .iter()
            .any(|(_, known)| is_any(matches, known, name))
    };
    let group = |name: &String| words(name).next().map(squashed);
    let parts: Vec<_> = header.iter().filter(is_part).map(group).collect();
    let size = |name| parts.iter().filter(|other| **other == group(name)).count();
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

/// The name, and the name without a remark in brackets: `City (Billing)`.
fn whole_names(name: &str) -> [String; 2] {
    let plain = name.split_once('(').map_or(name, |(plain, _)| plain);
    [name, plain].map(squashed)
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

/// Whether a name of a header ends in a known name: in its last word, or glued to other words if it is long.
fn is_end(known: &str, name: &str) -> bool {
    let last_word = words(name).next_back().unwrap_or_default();
    let is_glued = known.len() >= MIN_SUFFIX_LETTERS && squashed(name).ends_with(known);
    !GENERIC_NAMES.contains(&known) && (is_glued || squashed(last_word) == known)
}

fn words(name: &str) -> impl DoubleEndedIterator<Item = &str> {
    let words = name.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// Whether the column of the house number is that of a customer's number: `Nummer;Naam;Adres` has it far from the address.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_recognised_by_their_names() {
        #[track_caller]
        fn case(names: &str, expected: &str) {
            let header: Vec<String> = names.split(';').map(str::to_owned).collect();
            let map = find_columns(&header);
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
    }
}
