//! Cases written by hand.

use postduif_schema::Address;

use super::expected::Expected;
use super::score::Miss;
use super::subject::Subject;

/// A query, what it means, and among how many suggestions that must be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hand {
    pub(crate) typed: &'static str,
    want: Want,
    within: usize,
}

/// What is meant; an empty town is any town.
#[derive(Debug, Clone, Copy)]
enum Want {
    Street(&'static str, &'static str),
    Door(&'static str, u32, Option<&'static str>, &'static str),
    City(&'static str),
    Postcode(&'static str),
    Area(u32),
}

const fn seen(typed: &'static str, want: Want) -> Hand {
    let within = 5;
    Hand {
        typed,
        want,
        within,
    }
}

/// A street, or an address in it, among the first five.
pub(crate) const fn street(typed: &'static str, name: &'static str, city: &'static str) -> Hand {
    seen(typed, Want::Street(name, city))
}

/// Any address at a number, among the first five.
pub(crate) const fn number(
    typed: &'static str,
    street: &'static str,
    number: u32,
    city: &'static str,
) -> Hand {
    seen(typed, Want::Door(street, number, None, city))
}

/// The address with this letter and addition, written in one and without regard to case, among the first five.
pub(crate) const fn door(
    typed: &'static str,
    street: &'static str,
    number: u32,
    suffix: &'static str,
    city: &'static str,
) -> Hand {
    seen(typed, Want::Door(street, number, Some(suffix), city))
}

/// A town, among the first five.
pub(crate) const fn city(typed: &'static str, name: &'static str) -> Hand {
    seen(typed, Want::City(name))
}

/// A postcode, among the first five.
pub(crate) const fn postcode(typed: &'static str, postcode: &'static str) -> Hand {
    seen(typed, Want::Postcode(postcode))
}

/// Something in an area of four digits, among the first five.
pub(crate) const fn area(typed: &'static str, digits: u32) -> Hand {
    seen(typed, Want::Area(digits))
}

impl Hand {
    /// It must come before all others.
    pub(crate) const fn first(self) -> Self {
        Self { within: 1, ..self }
    }

    /// What came instead, when what is meant did not come up in time.
    pub(crate) fn miss(&self, subject: &Subject) -> Option<Miss> {
        let expected = self.expected();
        let came = subject.suggest(self.typed);
        let met = |suggestion| expected.is_met_by(suggestion, &subject.addresses);
        (!came.iter().take(self.within).any(met)).then(|| Miss {
            typed: self.typed.to_owned(),
            expected: format!("{expected} (among the first {})", self.within),
            came: came
                .iter()
                .map(|suggestion| suggestion.label().to_owned())
                .collect(),
        })
    }

    /// Whether what is meant is this address, or where it lies.
    pub(crate) fn is_of(&self, address: &Address) -> bool {
        self.expected().is_of(address)
    }

    fn expected(&self) -> Expected {
        let town = |city: &'static str| (!city.is_empty()).then(|| city.into());
        match self.want {
            Want::Street(street, city) => Expected::Street {
                street: street.into(),
                city: town(city),
            },
            Want::Door(street, number, suffix, city) => Expected::Door {
                street: street.into(),
                city: town(city),
                number,
                suffix: suffix.map(str::to_owned),
            },
            Want::City(city) => Expected::City(city.into()),
            Want::Postcode(postcode) => {
                Expected::Postcode(postcode.parse().expect("a postcode in a table"))
            }
            Want::Area(digits) => Expected::Area(digits),
        }
    }
}
