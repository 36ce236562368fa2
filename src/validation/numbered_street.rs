//! Finds an address in a street that has a number in its name, if that number was entered as the house number, and the house number as the
//! addition. For number 9 in the street Karveel 22, people enter the street `Karveel`, the number 22 and the addition 9. Lelystad and Urk
//! have such streets.

use postduif_schema::{Address, HouseNumber, fold};

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::entered_names::EnteredNames;
use super::entered_number::EnteredNumber;
use super::house_number_suffix::HouseNumberSuffix;
use super::suffix_fit::SuffixFit;
use super::suggest::choose_fitting;
use crate::search::NamedAddressQuery;

/// Articles at the beginning of a folded name, which people leave out: `Veste` for De Veste 13.
const ARTICLES: [&str; 3] = ["de ", "het ", "t "];

/// Finds the address in a street that has the entered number at the end of its name. The house number is read from the addition or, if only
/// a letter was entered, from the letter. If no street was entered, looks only at the entered postcode. `None` if no address fits, or if
/// several fit.
pub(super) fn find_in_numbered_street<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Option<Address>, B::Error> {
    let house_number = match (entered.suffix.letter, entered.suffix.addition) {
        (Some(text), None) | (None, Some(text)) => EnteredNumber::parse(text),
        _ => None,
    };
    let Some(house_number) = house_number else {
        return Ok(None);
    };
    let suffix = HouseNumberSuffix::new(
        house_number.letter.as_deref(),
        house_number.addition.as_deref(),
    );
    let street = entered.names.street();
    let choose_address = |names: EnteredNames, addresses: Vec<Address>| {
        let fit = SuffixFit::new(suffix, house_number.number, &addresses);
        let number = house_number.number;
        let reading = EnteredAddress::new(entered.postcode_text, number, suffix, names);
        choose_fitting(&reading, fit)
    };
    if let Some(postcode) = entered.postcode {
        let mut addresses = lookup.addresses_at_number(postcode, house_number.number)?;
        addresses.retain(|address| is_numbered(&address.street, street, entered.number));
        let is_in_one_street = addresses
            .iter()
            .all(|address| address.street == addresses[0].street);
        let names = EnteredNames::new(None, entered.names.city());
        if let Some(address) = choose_address(names, addresses).filter(|_| is_in_one_street) {
            return Ok(Some(address));
        }
    }
    let Some(street) = street else {
        return Ok(None);
    };
    let names = numbered_names(street, entered.number);
    let with_articles = ARTICLES
        .iter()
        .flat_map(|article| names.each_ref().map(|name| format!("{article}{name}")));
    for name in names.iter().cloned().chain(with_articles) {
        let addresses = lookup.addresses_by_exact_name(&NamedAddressQuery {
            number: house_number.number,
            ..entered.query(&name, entered.names.city())
        })?;
        let names = EnteredNames::new(Some(&name), entered.names.city());
        if let Some(address) = choose_address(names, addresses) {
            return Ok(Some(address));
        }
    }
    Ok(None)
}

/// The name of a street with the number after it, without and with a leading zero: `karveel 5`, `karveel 05`. If the entered name already
/// ends with the number, both are the entered name.
fn numbered_names(street: &str, number: HouseNumber) -> [String; 2] {
    let ends = [format!(" {number}"), format!(" {number:02}")];
    let is_entered = ends.iter().any(|end| street.ends_with(end));
    ends.map(|end| match is_entered {
        true => street.to_owned(),
        false => format!("{street}{end}"),
    })
}

/// Whether `name` is the entered street with the number after it. The entered street may lack the article of `name`. If no street was
/// entered, whether `name` ends with the number.
pub(super) fn is_numbered(name: &str, street: Option<&str>, number: HouseNumber) -> bool {
    let name = fold(name);
    match street {
        Some(street) => {
            let names = numbered_names(street, number);
            let articles = ARTICLES.iter();
            let without_article = articles.filter_map(|article| name.strip_prefix(article));
            let mut forms = without_article.chain([&*name]);
            forms.any(|form| names.iter().any(|numbered| numbered == form))
        }
        None => numbered_names("", number)
            .iter()
            .any(|end| name.ends_with(end)),
    }
}
