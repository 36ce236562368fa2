//! Collects the places of addresses: the streets and towns, how many addresses each has, and the names by which each is found.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::layout::join_forms;
use crate::{
    Address, AddressKind, BagId, OpenbareRuimteKind, Postcode, StreetKey, alternative_town_names,
    fold, without_leading_zeros,
};

/// Returns the short name of a street (NEN 5825), if the street has one. People copy these short names from their mail.
pub type ShortNameLookup<'a> = dyn Fn(BagId<OpenbareRuimteKind>) -> Option<Arc<str>> + 'a;

/// Collects streets and towns.
#[derive(Clone, Default)]
pub struct PlacesBuilder {
    pub(super) towns: Vec<TownRecord>,
    pub(super) streets: Vec<StreetRecord>,
    pub(super) towns_by_name: HashMap<[Arc<str>; 2], usize>,
    pub(super) streets_by_key: HashMap<(StreetKey, usize), usize>,
    /// The street of the previous address. It is looked up first, because the addresses of a street usually come together.
    last_street: Option<usize>,
}

/// A town and its number of addresses.
#[derive(Clone, PartialEq)]
pub(super) struct TownRecord {
    pub(super) name: Arc<str>,
    pub(super) municipality: Arc<str>,
    pub(super) province: Arc<str>,
    pub(super) address_count: u64,
}

/// The part of a street that is in one town.
#[derive(Clone, PartialEq)]
pub(super) struct StreetRecord {
    pub(super) key: StreetKey,
    pub(super) id: Option<BagId<OpenbareRuimteKind>>,
    pub(super) name: Arc<str>,
    pub(super) town: usize,
    pub(super) address_count: u64,
    pub(super) postcodes: Vec<Postcode>,
    /// The joined forms of the street's name. They are read from the index of another generation, or computed for a renamed street. If
    /// `None`, the writer computes them.
    pub(super) forms: Option<Arc<str>>,
}

impl PlacesBuilder {
    /// Counts one address. This is fastest if the previous address has the same street.
    pub fn add_address(&mut self, address: &Address) {
        let Some(street) = self.find_or_add_street(address) else {
            return;
        };
        self.last_street = Some(street);
        let street = &mut self.streets[street];
        street.address_count += 1;
        self.towns[street.town].address_count += 1;
        if street.postcodes.last() != Some(&address.postcode) {
            street.postcodes.push(address.postcode);
        }
    }

    fn find_or_add_street(&mut self, address: &Address) -> Option<usize> {
        let key = StreetKey::from_address(address)?;
        if let Some(last) = self
            .last_street
            .filter(|&last| self.street_matches(last, key, address))
        {
            return Some(last);
        }
        let town = self.find_or_add_town(address);
        let next = self.streets.len();
        let street = *self.streets_by_key.entry((key, town)).or_insert(next);
        if street == next {
            self.streets.push(StreetRecord {
                key,
                id: address.street_id,
                name: address.street.clone(),
                town,
                address_count: 0,
                postcodes: Vec::new(),
                forms: None,
            });
        } else {
            self.streets[street].update_name(&address.street);
        }
        Some(street)
    }

    fn street_matches(&self, street: usize, key: StreetKey, address: &Address) -> bool {
        let street = &self.streets[street];
        let town = &self.towns[street.town];
        street.key == key && town.name == address.city && town.municipality == address.municipality
    }

    /// The town of an address. Adds the town if it is new. Towns of the same name are distinguished by their municipality.
    fn find_or_add_town(&mut self, address: &Address) -> usize {
        let next = self.towns.len();
        let place = [address.city.clone(), address.municipality.clone()];
        let town = *self.towns_by_name.entry(place).or_insert(next);
        if town == next {
            self.towns.push(TownRecord {
                name: address.city.clone(),
                municipality: address.municipality.clone(),
                province: address.province.clone(),
                address_count: 0,
            });
        } else if address.kind != AddressKind::Postbus {
            // Use the province of the latest address from the register, because the province of a post-office box comes from another
            // table.
            self.towns[town].province = address.province.clone();
        }
        town
    }

    /// The towns and the streets, each in descending order of weight. In the result, the `town` of a street is the rank of the town. Places
    /// of equal weight are sorted by name and key, so the result does not depend on the order in which addresses were added. Leaves out
    /// places without an address.
    pub(super) fn into_sorted(self) -> (Vec<TownRecord>, Vec<StreetRecord>) {
        let Self {
            towns, mut streets, ..
        } = self;
        let mut order: Vec<usize> = (0..towns.len()).collect();
        order.retain(|&town| towns[town].address_count > 0);
        streets.retain(|street| street.address_count > 0);
        let by_weight = |town: &TownRecord| {
            let names = (town.name.clone(), town.municipality.clone());
            (std::cmp::Reverse(town.address_count), names)
        };
        order.sort_by_cached_key(|&town| by_weight(&towns[town]));
        let mut place = vec![0; towns.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new;
        }
        streets.sort_by_cached_key(|street| {
            let weight = street_weight(street.address_count, towns[street.town].address_count);
            // The key alone does not identify the street, because an openbare ruimte can be in two towns.
            let identity = (street.name.clone(), street.key, place[street.town]);
            (std::cmp::Reverse(weight), identity)
        });
        for street in &mut streets {
            street.town = place[street.town];
            street.postcodes.sort_unstable();
            street.postcodes.dedup();
        }
        let mut towns: Vec<Option<TownRecord>> = towns.into_iter().map(Some).collect();
        let ordered = order.iter().filter_map(|&old| towns[old].take());
        (ordered.collect(), streets)
    }

    /// Removes one address. The street keeps the postcode until [`remove_postcode`](Self::remove_postcode) is called. Returns `false` if
    /// the address cannot have been added: its street is unknown in its town, or the street or the town has no addresses left.
    #[must_use]
    pub fn remove_address(&mut self, address: &Address) -> bool {
        if StreetKey::from_address(address).is_none() {
            return true;
        }
        let Some(street) = self.find_street(address) else {
            return false;
        };
        let town = self.streets[street].town;
        let counts = [
            &mut self.streets[street].address_count,
            &mut self.towns[town].address_count,
        ];
        counts.into_iter().all(|count| {
            let fewer = count.checked_sub(1);
            *count = fewer.unwrap_or_default();
            fewer.is_some()
        })
    }

    /// Removes the postcode of this address from its street. Call this function when no address of the street in that town has the
    /// postcode any more.
    pub fn remove_postcode(&mut self, address: &Address) {
        if let Some(street) = self.find_street(address) {
            let postcodes = &mut self.streets[street].postcodes;
            postcodes.retain(|&postcode| postcode != address.postcode);
        }
    }

    fn find_street(&self, address: &Address) -> Option<usize> {
        let place = [address.city.clone(), address.municipality.clone()];
        let town = *self.towns_by_name.get(&place)?;
        let key = StreetKey::from_address(address)?;
        self.streets_by_key.get(&(key, town)).copied()
    }

    /// Recomputes the forms of the names of these streets. Call this function only after the addresses of the streets were added, because
    /// these bring the new names.
    pub fn rename_streets(
        &mut self,
        streets: &BTreeSet<BagId<OpenbareRuimteKind>>,
        short_names: &ShortNameLookup<'_>,
    ) {
        let renamed =
            |street: &&mut StreetRecord| street.id.is_some_and(|id| streets.contains(&id));
        for street in self.streets.iter_mut().filter(renamed) {
            let short: Option<Arc<str>> = street.id.and_then(short_names);
            let forms = join_forms(&street_forms(&street.name, short.as_deref()));
            street.forms = Some(forms.into());
        }
    }

    /// Whether these places equal those of `base`. If so, writing them would give the same index.
    #[must_use]
    pub fn is_same_as(&mut self, base: &Self) -> bool {
        for street in &mut self.streets {
            street.postcodes.sort_unstable();
            street.postcodes.dedup();
        }
        self.towns == base.towns && self.streets == base.streets
    }
}

impl StreetRecord {
    /// Replaces a name from the index of the previous generation by the name in an added address, which is newer.
    fn update_name(&mut self, name: &Arc<str>) {
        if self.forms.is_some() && self.name != *name {
            self.name = name.clone();
            self.forms = None;
        }
    }
}

/// The weight of a street. It is 100 × (log₂ of the street's number of addresses + ½ log₂ of its town's number of addresses).
pub(super) fn street_weight(street: u64, town: u64) -> u64 {
    let doublings = |count: u64| {
        #[expect(
            clippy::cast_precision_loss,
            reason = "an f64 is exact up to 2^53, and there are ten million addresses"
        )]
        let count = count.max(1) as f64;
        count.log2()
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a weight is a few thousand at most, and not below zero"
    )]
    let weight = ((doublings(street) + doublings(town) / 2.0) * 100.0) as u64;
    weight
}

/// Every folded spelling by which a street is found: of its name, of its short name, and of a shortened name written out. The first is the
/// register's spelling.
pub(super) fn street_forms(name: &str, short: Option<&str>) -> Vec<String> {
    let mut forms = name_forms(std::iter::once(name).chain(short));
    forms.extend(expand_shortened_name(name).filter(|form| !forms.contains(form)));
    forms
}

/// Every folded spelling by which a town is found: of its name and of its other names. The first is the register's spelling.
pub(super) fn town_forms(name: &str) -> Vec<String> {
    name_forms(std::iter::once(name).chain(alternative_town_names(name).iter().copied()))
}

fn name_forms<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut forms: Vec<String> = Vec::new();
    for name in names {
        let folded = fold(name);
        let whole = with_written_out_article(name);
        let without_zero = without_leading_zeros(&folded);
        for form in [Some(folded), whole, without_zero].into_iter().flatten() {
            if !form.is_empty() && !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    forms
}

/// The folded name with `het` for each `'t`: `het zand` for `'t Zand`. `None` if the name has no `'t`. Source: mapbox
/// geocoder-abbreviations, request 93.
fn with_written_out_article(name: &str) -> Option<String> {
    let is_article = |word: &str| matches!(&*word.to_lowercase(), "'t" | "’t");
    let words = || name.split([' ', '-']);
    let written_out = words().map(|word| match is_article(word) {
        true => "het",
        false => word,
    });
    let has_article = words().any(is_article);
    has_article.then(|| fold(&written_out.collect::<Vec<&str>>().join(" ")))
}

/// Minimum number of characters of a name that the register may have shortened; shorter names are never written out. Source: NEN 5825
/// shortens names to 24 characters; some municipalities registered the short form as the name, such as `Gezina van der Molenstr`.
const MIN_SHORTENED_CHARS: usize = 20;

/// The ends of shortened names, each with the end that it is short for. Assumption: a long name with such an end was shortened.
const SHORTENED_ENDS: [(&str, &str); 9] = [
    ("plnts", "plantsoen"),
    ("sngl", "singel"),
    ("kst", "kstraat"),
    ("str", "straat"),
    ("pln", "plein"),
    ("ln", "laan"),
    ("pl", "plein"),
    ("sgl", "singel"),
    ("wg", "weg"),
];

/// The folded name with its shortened end and words such as `v d` written out; `None` if the name was not shortened.
fn expand_shortened_name(name: &str) -> Option<String> {
    let folded = fold(name);
    if name.chars().count() < MIN_SHORTENED_CHARS {
        return None;
    }
    let (stem, end) = SHORTENED_ENDS
        .iter()
        .find_map(|(short, long)| Some((folded.strip_suffix(short)?, *long)))?;
    let words = stem.split(' ').map(|word| match word {
        "v" => "van",
        "d" => "de",
        "vd" => "van der",
        word => word,
    });
    Some(words.collect::<Vec<&str>>().join(" ") + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_include_other_names_short_names_and_written_out_articles() {
        assert_eq!(
            town_forms("'s-Gravenhage")[..2],
            ["s gravenhage", "den haag"]
        );
        assert_eq!(street_forms("'t Hoekje", None), ["t hoekje", "het hoekje"]);
        assert_eq!(
            street_forms("Achter 't Hout", None),
            ["achter t hout", "achter het hout"]
        );
        assert_eq!(
            street_forms("'t-Lage eind", None),
            ["t lage eind", "het lage eind"]
        );
        assert_eq!(
            street_forms("Burgemeester Nahuyssingel", Some("Burg Nahuyssingel")),
            ["burgemeester nahuyssingel", "burg nahuyssingel"]
        );
        assert_eq!(street_forms("Dam", Some("Dam")), ["dam"]);
        assert_eq!(street_forms("T Veldje", None), ["t veldje"]);
        assert_eq!(street_forms("Kogge 06", None), ["kogge 06", "kogge 6"]);
        assert_eq!(
            street_forms("Meindert vd Thijnensngl", None),
            ["meindert vd thijnensngl", "meindert van der thijnensingel"]
        );
        assert_eq!(street_forms("Achter de Heilige Geest", None).len(), 1);
        assert_eq!(street_forms("Kerkstr", None), ["kerkstr"]);
    }

    #[test]
    fn a_longer_street_and_a_larger_town_weigh_more() {
        assert!(street_weight(200, 1_000) > street_weight(100, 1_000));
        assert!(street_weight(100, 100_000) > street_weight(100, 1_000));
        assert!(street_weight(0, 0) == 0);
    }
}
