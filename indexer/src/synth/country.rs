//! The plan of a made-up country: its towns with their sizes, codes, places and postcodes, and the streets of each. A small table of towns is kept;
//! streets are planned on the way, the same ones in every pass.

use super::calendar::{Calendar, Day};
use super::land;
use super::municipality::Municipalities;
use super::names;
use super::names::StreetNaming;
use super::record::Postcode;
use super::shape::Mm;
use super::sizes::{StreetSize, count_streets, town_sizes};
use super::{Layout, Spec};

/// Numbers of ten digits that belong to one street; no street has as many objects of a type.
pub(super) const NUMBERS_A_STREET: u64 = 4_000;
/// The municipality of a municipal delivery: Woudenberg.
pub(super) const MUNICIPAL: u16 = 351;

/// The made-up country of a [`Spec`].
pub(super) struct Country<'a> {
    pub(super) spec: &'a Spec,
    pub(super) calendar: Calendar,
    pub(super) municipalities: Municipalities,
    pub(super) towns: Vec<Town>,
}

/// A woonplaats.
pub(super) struct Town {
    pub(super) index: usize,
    pub(super) code: u16,
    pub(super) name: String,
    /// On the stand day.
    pub(super) municipality: u16,
    /// The municipality it was in before, and the day on which that one ended.
    pub(super) former: Option<(u16, Day)>,
    pub(super) centre: Mm,
    pub(super) addresses: u64,
    pub(super) streets: usize,
    first_street: u64,
    postcodes: usize,
    first_digits: usize,
}

/// What a street is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// It has served addresses.
    Addressed,
    /// It is withdrawn, with the numbers on it.
    Withdrawn,
    /// It and the numbers on it begin after the stand day.
    Future,
    /// It has no numbers; an openbare ruimte of this type.
    Bare(&'static str),
}

/// A street before it is built.
pub(super) struct StreetPlan {
    pub(super) town: usize,
    /// Within its town.
    pub(super) index: usize,
    pub(super) role: Role,
    pub(super) name: String,
    /// Served addresses.
    pub(super) quota: u64,
    pub(super) first_number: u64,
    /// Within its town.
    pub(super) first_postcode: usize,
    pub(super) postcodes: usize,
}

/// What every town has at its end beside the streets with addresses.
const EXTRAS: [Role; 8] = [
    Role::Withdrawn,
    Role::Future,
    Role::Bare("Kunstwerk"),
    Role::Bare("Water"),
    Role::Bare("Spoorbaan"),
    Role::Bare("Terrein"),
    Role::Bare("Administratief gebied"),
    Role::Bare("Landschappelijk gebied"),
];

impl<'a> Country<'a> {
    pub(super) fn of(spec: &'a Spec) -> Self {
        let calendar = Calendar::around(spec.stand);
        let municipalities = Municipalities::at(&calendar);
        let mut country = Self {
            spec,
            calendar,
            municipalities,
            towns: Vec::new(),
        };
        country.towns = country.found_towns();
        country.hand_out_postcodes();
        country
    }

    fn found_towns(&self) -> Vec<Town> {
        let most = if self.spec.layout == Layout::Municipal {
            40
        } else {
            2_500
        };
        let count =
            usize::try_from(self.spec.addresses / 2_000).map_or(most, |count| count.clamp(2, most));
        let places = town_places(self.spec.layout, count);
        let sizes = town_sizes(self.spec, count);
        let mut towns = Vec::with_capacity(count);
        let mut first_street = 1;
        for (index, (centre, addresses)) in places.into_iter().zip(sizes).enumerate() {
            let town = self.found_town(index, count, centre, addresses, first_street);
            first_street += (town.streets + EXTRAS.len()) as u64;
            towns.push(town);
        }
        towns
    }

    fn found_town(
        &self,
        index: usize,
        count: usize,
        centre: Mm,
        addresses: u64,
        first_street: u64,
    ) -> Town {
        let (current, ended) = (&self.municipalities.current, &self.municipalities.ended);
        let municipality = if self.spec.layout == Layout::Municipal {
            MUNICIPAL
        } else {
            current[index * current.len() / count]
        };
        let former = if index % 3 == 1 && !ended.is_empty() {
            Some(ended[index % ended.len()])
        } else {
            None
        };
        let (streets, postcodes) = count_streets(self.spec.seed, index, addresses);
        let code = 1_000 + u16::try_from(index).expect("there are at most 2500 towns");
        let name = names::town(self.spec.seed, index);
        Town {
            index,
            code,
            name,
            municipality,
            former,
            centre,
            addresses,
            streets,
            first_street,
            postcodes,
            first_digits: 0,
        }
    }

    /// Gives every town four-digit codes of its own, spread over the country, in a municipal delivery from 3931 on.
    fn hand_out_postcodes(&mut self) {
        let needed: usize = self
            .towns
            .iter()
            .map(|town| town.postcodes.div_ceil(letters().len()))
            .sum();
        let (mut next, stride) = if self.spec.layout == Layout::Municipal {
            (2_637, 1)
        } else {
            (0, DIGITS / needed.max(1))
        };
        for town in &mut self.towns {
            town.first_digits = next;
            next += town.postcodes.div_ceil(letters().len()) * stride.max(1);
        }
    }

    /// The town beside this one, which shares a postcode and some addresses with it.
    pub(super) fn neighbour(&self, town: usize) -> &Town {
        self.towns
            .get(town ^ 1)
            .unwrap_or_else(|| &self.towns[town - 1])
    }

    /// The municipality that a town goes to on the next 1 January, for those that do.
    pub(super) fn later_municipality(&self, town: &Town) -> Option<u16> {
        let current = &self.municipalities.current;
        let next = current.iter().position(|&code| code == town.municipality)? + 1;
        (town.index % 9 == 1).then(|| current[next % current.len()])
    }

    /// The postcode shared with the town beside it: in every second town, when the other has one to share.
    pub(super) fn border_postcode(&self, town: usize) -> Option<Postcode> {
        (town % 2 == 1 && self.neighbour(town).postcodes > 0)
            .then(|| self.neighbour(town).postcode(0))
    }

    /// All streets of all towns, always in the same order.
    pub(super) fn streets(&self) -> impl Iterator<Item = StreetPlan> {
        self.towns.iter().flat_map(|town| Streets {
            town,
            seed: self.spec.seed,
            naming: StreetNaming::of(self.spec.seed, town.index, self.spec.names.as_ref()),
            index: 0,
            left: town.addresses,
            next_postcode: 0,
        })
    }
}

impl Town {
    /// When a new woonplaats took the place of its predecessor.
    pub(super) const SUCCESSION: Day = Day(-3_650);

    /// The woonplaats of the same name that this one has replaced, if any.
    pub(super) fn predecessor(&self) -> Option<u16> {
        self.index
            .is_multiple_of(6)
            .then(|| 5_000 + u16::try_from(self.index / 6).expect("there are at most 2500 towns"))
    }

    /// The middle of a street: streets lie in a grid around the centre, which is as wide as it is high.
    pub(super) fn street_middle(&self, index: usize) -> Mm {
        const CELL_MM: (i64, i64) = (300_000, 60_000);
        let columns = (self.streets / 5).isqrt() + 1;
        let steps = |count: usize| i64::try_from(count).expect("a town has few streets");
        let (column, row) = (
            steps(index % columns) - steps(columns / 2),
            steps(index / columns) - steps(self.streets / columns / 2),
        );
        self.centre.plus(column * CELL_MM.0, row * CELL_MM.1)
    }

    /// Half the width and half the height of its area.
    pub(super) fn half_extent(&self) -> Mm {
        let side = i64::try_from((self.streets / 5).isqrt() + 4).expect("a town has few streets");
        Mm {
            x: side * 150_000,
            y: side * 150_000,
        }
    }

    /// The postcode with this index within the town.
    pub(super) fn postcode(&self, index: usize) -> Postcode {
        let letters = letters();
        let ordinal = (self.first_digits + index / letters.len()) % DIGITS;
        let digits =
            u16::try_from(1_000 + ordinal / 9 * 10 + 1 + ordinal % 9).expect("four digits fit");
        Postcode {
            digits,
            letters: letters[index % letters.len()],
        }
    }
}

/// Four-digit codes that do not end in 0: those are left to post office boxes.
const DIGITS: usize = 8_100;

/// The letter pairs of street postcodes. Source: F, I, O, Q, U and Y are rare, SA, SD and SS were never issued (`dutch.md` facts on the postcode grammar).
fn letters() -> &'static [[u8; 2]] {
    static PAIRS: std::sync::LazyLock<Vec<[u8; 2]>> = std::sync::LazyLock::new(|| {
        const LETTERS: &[u8; 20] = b"ABCDEGHJKLMNPRSTVWXZ";
        let all = LETTERS
            .iter()
            .flat_map(|&first| LETTERS.iter().map(move |&second| [first, second]));
        all.filter(|pair| !matches!(pair, b"SA" | b"SD" | b"SS"))
            .collect()
    });
    &PAIRS
}

/// Neighbouring towns stand two by two; pairs are spread over the country, or stand around Woudenberg.
fn town_places(layout: Layout, count: usize) -> Vec<Mm> {
    let places = land::places();
    let woudenberg = land::nearest(
        &places,
        Mm {
            x: 158_000_000,
            y: 454_000_000,
        },
    );
    let (pairs, from) = (count.div_ceil(2), places.len() / 3);
    let place = |index: usize| match layout {
        Layout::Municipal => woudenberg + index,
        Layout::National => from + index / 2 * (places.len() - 1) / pairs + index % 2,
    };
    (0..count)
        .map(|index| places[place(index) % places.len()])
        .collect()
}

/// The streets of one town, then its extras.
struct Streets<'a> {
    town: &'a Town,
    seed: u64,
    naming: StreetNaming<'a>,
    index: usize,
    left: u64,
    next_postcode: usize,
}

impl Iterator for Streets<'_> {
    type Item = StreetPlan;

    fn next(&mut self) -> Option<StreetPlan> {
        let (town, index) = (self.town, self.index);
        let role = if self.left > 0 {
            Role::Addressed
        } else {
            *EXTRAS.get(index - town.streets)?
        };
        let size = if self.left > 0 {
            StreetSize::draw(self.seed, town.index, index, self.left)
        } else {
            StreetSize {
                quota: 0,
                shares: true,
            }
        };
        let fresh = size.new_postcodes();
        let first_postcode = if fresh == 0 {
            self.next_postcode.saturating_sub(1)
        } else {
            self.next_postcode
        };
        self.next_postcode += fresh;
        self.left -= size.quota;
        self.index += 1;
        let first_number = (town.first_street + index as u64) * NUMBERS_A_STREET;
        let name = self.naming.name(index);
        Some(StreetPlan {
            town: town.index,
            index,
            role,
            name,
            quota: size.quota,
            first_number,
            first_postcode,
            postcodes: fresh.max(1),
        })
    }
}
