//! Measures correction: makes mistakes in postcodes of addresses, and counts how many of them validation corrects.
//!
//! Mistakes are drawn from a seed, evenly over positions and characters. A mistake that results in another existing postcode is
//! counted as hidden and not validated, because for such a postcode the contract has another reason (`number_not_found`,
//! `field_mismatch`) or none.

use std::fmt;
use std::time::{Duration, Instant};

use postduif::search::LookupError;
use postduif::snapshot::Snapshot;
use postduif::validation::{AddressLookup as _, EnteredAddress, Verdict, validate};
use postduif::validation::{EnteredNames, HouseNumberSuffix};
use postduif_schema::{Address, Postcode};

use crate::chance::Chance;

/// The kind of mistake in a postcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mistake {
    /// One letter is replaced.
    Letter,
    /// One digit is replaced.
    Digit,
    /// Two characters are replaced, each by another one of its kind (a digit by a digit, a letter by a letter).
    Two,
    /// Two neighbouring characters are swapped.
    Swap,
    /// One character is replaced by a similar-looking one, usually a digit by a letter or a letter by a digit.
    LookAlike,
}

/// The fields that are entered together with the postcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EnteredFields {
    Number,
    Street,
    StreetAndCity,
}

/// The results for one kind of mistake.
pub(crate) struct Row {
    pub(crate) mistake: Mistake,
    /// The number of mistakes that result in another existing postcode, and so are not validated.
    pub(crate) hidden: u32,
    /// The number of mistakes that were validated.
    pub(crate) validated: u32,
    /// The number of right suggestions, for each of [`EnteredFields::ALL`].
    pub(crate) right: [u32; 3],
    /// The best possible result if only the number is given. `None` unless the mistake replaces a single letter or digit.
    bound: Option<Bound>,
    /// The duration of each validation, for each of [`EnteredFields::ALL`].
    pub(crate) durations: [Vec<Duration>; 3],
}

/// The best possible result if only the number is given. The same kind of mistake may turn several postcodes with this number into
/// the typed text. All of them are equally likely, so no method can do better than choose one of them.
#[derive(Default)]
pub(crate) struct Bound {
    /// The sum of 1 divided by the number of possible postcodes, over all mistakes.
    chances: f64,
    /// The number of mistakes for which exactly one postcode was possible.
    clear: u32,
    /// How often the only possible postcode was suggested.
    clear_right: u32,
}

impl Mistake {
    pub(crate) const ALL: [Self; 5] = [
        Self::Letter,
        Self::Digit,
        Self::Two,
        Self::Swap,
        Self::LookAlike,
    ];

    /// The text of a postcode with this mistake; `None` if no character of the postcode can have it.
    fn make(self, postcode: Postcode, chance: &mut Chance) -> Option<String> {
        let mut typed = postcode.ascii();
        match self {
            Self::Letter => change(&mut typed, 4 + chance.below(2), chance),
            Self::Digit => change(&mut typed, chance.below(4), chance),
            Self::Two => {
                let first = chance.below(6);
                let second = (first + 1 + chance.below(5)) % 6;
                change(&mut typed, first, chance);
                change(&mut typed, second, chance);
            }
            Self::Swap => {
                let first = chance.below(5);
                typed.swap(first, first + 1);
            }
            Self::LookAlike => {
                let alike: Vec<(usize, u8)> = (0..6)
                    .flat_map(|place| look_alikes(typed[place]).map(move |other| (place, other)))
                    .collect();
                let &(place, other) = alike.get(chance.below(alike.len().max(1)))?;
                typed[place] = other;
            }
        }
        (typed != postcode.ascii()).then(|| typed.iter().copied().map(char::from).collect())
    }

    /// The positions of the postcode at which a mistake in a single character may be made.
    fn places(self) -> Option<std::ops::Range<usize>> {
        match self {
            Self::Letter => Some(4..6),
            Self::Digit => Some(0..4),
            Self::Two | Self::Swap | Self::LookAlike => None,
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Letter => "one letter",
            Self::Digit => "one digit",
            Self::Two => "two characters",
            Self::Swap => "swap",
            Self::LookAlike => "look-alike",
        })
    }
}

impl EnteredFields {
    pub(crate) const ALL: [Self; 3] = [Self::Number, Self::Street, Self::StreetAndCity];

    fn names_of(self, address: &Address) -> EnteredNames {
        match self {
            Self::Number => EnteredNames::default(),
            Self::Street => EnteredNames::new(Some(&address.street), None),
            Self::StreetAndCity => EnteredNames::new(Some(&address.street), Some(&address.city)),
        }
    }
}

impl Bound {
    fn add(&mut self, possible: u32, right: u32) {
        self.chances += 1.0 / f64::from(possible);
        if possible == 1 {
            self.clear += 1;
            self.clear_right += right;
        }
    }
}

/// Makes `queries` mistakes of each kind in the postcodes of these addresses and validates them.
pub(crate) fn run(
    addresses: &[Address],
    snapshot: &Snapshot,
    queries: u32,
    seed: u64,
) -> Result<Vec<Row>, LookupError> {
    let mut chance = Chance::seeded(seed);
    let mut rows = Vec::from(Mistake::ALL.map(Row::new));
    for row in &mut rows {
        for _ in 0..queries {
            let address = &addresses[chance.below(addresses.len())];
            if let Some(typed) = row.mistake.make(address.postcode, &mut chance) {
                row.validate(address, &typed, snapshot)?;
            }
        }
    }
    Ok(rows)
}

impl Row {
    fn new(mistake: Mistake) -> Self {
        Self {
            mistake,
            hidden: 0,
            validated: 0,
            right: [0; 3],
            bound: mistake.places().map(|_| Bound::default()),
            durations: [const { Vec::new() }; 3],
        }
    }

    fn validate(
        &mut self,
        address: &Address,
        typed: &str,
        snapshot: &Snapshot,
    ) -> Result<(), LookupError> {
        if typed
            .parse()
            .is_ok_and(|postcode| snapshot.postcodes().contains(postcode))
        {
            self.hidden += 1;
            return Ok(());
        }
        self.validated += 1;
        for (at, fields) in EnteredFields::ALL.into_iter().enumerate() {
            let start = Instant::now();
            let right = u32::from(is_corrected(address, typed, fields, snapshot)?);
            self.durations[at].push(start.elapsed());
            self.right[at] += right;
            if let (EnteredFields::Number, Some(bound), Some(places)) =
                (fields, &mut self.bound, self.mistake.places())
            {
                bound.add(count_possible(address, typed, places, snapshot)?, right);
            }
        }
        Ok(())
    }

    /// The percentage of right suggestions, for each of [`EnteredFields::ALL`].
    pub(crate) fn percent(&self) -> [f64; 3] {
        self.right.map(|right| self.share(right.into()))
    }

    /// Two percentages for a mistake in a single letter or digit, if only the number is given: the best possible share of right
    /// suggestions, and the share of right suggestions where exactly one postcode is possible.
    pub(crate) fn percent_at_best(&self) -> Option<(f64, f64)> {
        let bound = self.bound.as_ref()?;
        let clear = 100.0 * f64::from(bound.clear_right) / f64::from(bound.clear);
        Some((self.share(bound.chances), clear))
    }

    fn share(&self, of: f64) -> f64 {
        100.0 * of / f64::from(self.validated)
    }
}

fn is_corrected(
    address: &Address,
    typed: &str,
    fields: EnteredFields,
    snapshot: &Snapshot,
) -> Result<bool, LookupError> {
    let suffix = HouseNumberSuffix::new(None, None);
    let entered = EnteredAddress::new(typed, address.number, suffix, fields.names_of(address));
    Ok(match validate(&entered, snapshot)? {
        Verdict::PostcodeNotFound(meant) | Verdict::InvalidPostcode(Some(meant)) => {
            (meant.postcode, meant.number) == (address.postcode, address.number)
        }
        _ => false,
    })
}

/// The number of postcodes that contain the address's number and differ from the typed postcode in one character, at one of these
/// positions.
fn count_possible(
    address: &Address,
    typed: &str,
    places: std::ops::Range<usize>,
    snapshot: &Snapshot,
) -> Result<u32, LookupError> {
    let mut count = 0;
    for place in places {
        for other in kind(typed.as_bytes()[place]) {
            let mut text = typed.to_owned();
            text.replace_range(place..=place, other.encode_utf8(&mut [0; 4]));
            let Ok(postcode) = text.parse() else { continue };
            count += u32::from(
                !snapshot
                    .addresses()
                    .borrow_by_number(postcode, address.number)?
                    .is_empty(),
            );
        }
    }
    Ok(count)
}

/// Replaces the character at a position by another digit if it is a digit, or by another letter.
fn change(typed: &mut [u8; 6], place: usize, chance: &mut Chance) {
    let others: Vec<char> = kind(typed[place])
        .filter(|&c| c != char::from(typed[place]))
        .collect();
    typed[place] = u8::try_from(others[chance.below(others.len())]).expect("ASCII");
}

fn kind(c: u8) -> std::ops::RangeInclusive<char> {
    if c.is_ascii_digit() {
        '0'..='9'
    } else {
        'A'..='Z'
    }
}

/// The characters that look similar to `c`. The table is a copy of the service's, so that a mistake in either table makes the suite
/// fail.
fn look_alikes(c: u8) -> impl Iterator<Item = u8> {
    let others: &[u8] = match c {
        b'0' => b"O",
        b'O' => b"0",
        b'1' => b"IL",
        b'I' | b'L' => b"1",
        b'2' => b"Z",
        b'Z' => b"2",
        b'5' => b"S",
        b'S' => b"5",
        b'6' => b"G",
        b'G' => b"6",
        b'8' => b"B",
        b'B' => b"8",
        _ => b"",
    };
    others.iter().copied()
}
