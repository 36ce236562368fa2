//! Computes the score of an answer: how likely it is that the address found was meant, from 0 to 1.
//!
//! The score is a product of factors for the fields. Each factor is the share of right answers that was measured in made-up
//! customer files. The files have addresses of the demo town and of real municipalities, and the right address of each row is
//! known. `tests/it/check/calibration.rs` checks the result.

use crate::search::{
    Agreement, NameAgreement, NumberAgreement, PostcodeAgreement, SuffixMatch, Weights,
};

/// How well an entry agrees with an address, and how many other addresses fit the entry.
pub(super) struct Evidence {
    pub(super) agreement: Agreement,
    /// The highest points of any other house, which is an address in another street or postcode. `None` if no other house is similar.
    pub(super) other_points: Option<f32>,
    /// Number of addresses at the house number that fit the entry, at least 1. Several may fit if no addition was entered.
    pub(super) fitting_addresses: usize,
    /// The entered postcode and number belong to an address in another street, and the entered postcode differs in two or more
    /// characters from the postcode of the address found, not only by a usual slip. Either the street or the postcode may be right.
    pub(super) postcode_fits_other_street: bool,
    /// The entered postcode is another postcode of the street of the address found. Either the postcode or the number may be wrong.
    pub(super) postcode_is_in_street: bool,
    /// The entered street or city has one more word than the register, which may be a unit that the register lacks.
    pub(super) leaves_code_over: bool,
}

/// The highest score. It is below 1, because the register has duplicates and some mistakes in a file cannot be detected.
const MAX_SCORE: f64 = 0.998;

/// The highest score of an address that was found for a row with the status `not_found`.
pub(super) const MAX_NOT_FOUND_SCORE: f64 = 0.5;

/// Factor of the score if the entered postcode and number also belong to an address in another street.
const CONTRADICTED_FACTOR: f64 = 0.9;

/// Factor of the score if the entered postcode belongs to the street of the address found. A wrong number leads to such an address more often
/// than a wrong postcode does. Of these rows, 47% in the made-up town and 53% in Weesp have the right address.
const OTHER_NUMBER_FACTOR: f64 = 0.5;

/// Points by which an address must be ahead of the best other house. With a smaller margin, the address is doubtful.
const CLEAR_MARGIN: f32 = 10.0;

/// The factor of a row in which two cells disagree, the number comes from a date or a word may be a unit, because another address may be meant.
pub(super) const DOUBT_FACTOR: f64 = 0.5;

impl Evidence {
    /// Points for how well the entry agrees with the address.
    pub(super) fn points(&self) -> f32 {
        Weights::VALIDATION.score_agreement(&self.agreement)
    }

    /// Whether another house agrees with the entry equally well or better.
    pub(super) fn has_equal_match(&self) -> bool {
        self.margin().is_some_and(|margin| margin <= 0.0)
    }

    /// Whether the street agrees or was not entered, or the postcode agrees and a town was entered.
    pub(super) fn identifies_address(&self) -> bool {
        let agreement = &self.agreement;
        agreement.street != NameAgreement::Different
            || agreement.postcode == PostcodeAgreement::Same
                && agreement.town != NameAgreement::NotGiven
    }

    /// The product of the factors.
    pub(super) fn score(&self) -> f64 {
        let margin_factor = match self.margin() {
            Some(margin) if margin <= 0.0 => 0.45,
            Some(margin) if margin < CLEAR_MARGIN => 0.9,
            _ => 1.0,
        };
        let contradiction_factor = if self.postcode_is_in_street {
            OTHER_NUMBER_FACTOR
        } else if self.postcode_fits_other_street {
            CONTRADICTED_FACTOR
        } else {
            1.0
        };
        let code_factor = match self.leaves_code_over {
            true => DOUBT_FACTOR,
            false => 1.0,
        };
        MAX_SCORE
            * margin_factor
            * contradiction_factor
            * code_factor
            * self.place_factor()
            * self.number_factor()
    }

    /// How many points the address is ahead of the best other house; `None` if no other house is similar.
    fn margin(&self) -> Option<f32> {
        self.other_points.map(|other| self.points() - other)
    }

    /// The factor of street, city and postcode. Two of these three fields identify a place, and the third confirms it.
    fn place_factor(&self) -> f64 {
        let agreement = &self.agreement;
        let is_confirmed = agreement.postcode == PostcodeAgreement::Same;
        let street_factor = name_factor(agreement.street, is_confirmed);
        let town_factor = name_factor(agreement.town, is_confirmed);
        match (agreement.postcode, agreement.street, agreement.town) {
            (PostcodeAgreement::Same, NameAgreement::Different, NameAgreement::NotGiven) => 0.05,
            (PostcodeAgreement::Same, NameAgreement::Different, _)
            | (PostcodeAgreement::Same, _, NameAgreement::Different) => 0.5,
            // Only the town agrees.
            (_, NameAgreement::Different, _) => 0.05,
            // Only the street agrees.
            (_, _, NameAgreement::Different) => 0.3,
            // If a typing error results in another existing postcode, it cannot be detected.
            (PostcodeAgreement::Same, NameAgreement::NotGiven, NameAgreement::NotGiven) => 0.993,
            (PostcodeAgreement::Same, ..) => street_factor * town_factor,
            (_, NameAgreement::NotGiven, _) => 0.3,
            (PostcodeAgreement::UsualSlip, _, NameAgreement::NotGiven) => 0.96 * street_factor,
            (PostcodeAgreement::Near(1), _, NameAgreement::NotGiven) => 0.94 * street_factor,
            (PostcodeAgreement::Near(_), _, NameAgreement::NotGiven) => 0.88 * street_factor,
            (_, _, NameAgreement::NotGiven) => 0.7 * street_factor,
            _ => 0.997 * street_factor * town_factor,
        }
    }

    fn number_factor(&self) -> f64 {
        match self.agreement.number {
            NumberAgreement::Same(SuffixMatch::Prefix | SuffixMatch::Equivalent)
                if self.fitting_addresses > 1 =>
            {
                0.1
            }
            NumberAgreement::Same(SuffixMatch::Prefix) => 0.96,
            NumberAgreement::Same(SuffixMatch::Exact) => 1.0,
            NumberAgreement::Same(SuffixMatch::Equivalent) => 0.99,
            NumberAgreement::OtherSuffix => 0.9,
            // The nearest number is seldom the number that was meant.
            NumberAgreement::Missing | NumberAgreement::NotGiven => 0.05,
        }
    }
}

/// The factor of a street or city name if other fields agree. `is_confirmed` means that the postcode agrees.
fn name_factor(name: NameAgreement, is_confirmed: bool) -> f64 {
    match name {
        NameAgreement::Same | NameAgreement::NotGiven => 1.0,
        NameAgreement::SoundsAlike => 0.998,
        NameAgreement::Mistyped(1) => 0.996,
        // Two mistyped letters often result in another existing name: `Nieuwstad` and `Nieuwstraat`.
        NameAgreement::Mistyped(2) | NameAgreement::Partial | NameAgreement::Area
            if is_confirmed =>
        {
            0.98
        }
        NameAgreement::Mistyped(_)
        | NameAgreement::Partial
        | NameAgreement::Prefix(_)
        | NameAgreement::Area => 0.9,
        NameAgreement::Different => 0.5,
    }
}

/// Whether a name was given and differs from the name in the register.
pub(super) fn differs(name: NameAgreement) -> bool {
    !matches!(name, NameAgreement::Same | NameAgreement::NotGiven)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Unexplained;

    fn evidence() -> Evidence {
        Evidence {
            agreement: Agreement {
                street: NameAgreement::Same,
                town: NameAgreement::Same,
                postcode: PostcodeAgreement::Same,
                number: NumberAgreement::Same(SuffixMatch::Exact),
                unexplained: Unexplained::default(),
            },
            other_points: None,
            fitting_addresses: 1,
            postcode_fits_other_street: false,
            postcode_is_in_street: false,
            leaves_code_over: false,
        }
    }

    #[test]
    fn a_field_that_differs_lowers_the_score() {
        let all = evidence().score();
        assert!(all > 0.99 && all < 1.0, "{all}");
        let change = |change: fn(&mut Evidence)| {
            let mut changed = evidence();
            change(&mut changed);
            changed.score()
        };
        for lower in [
            change(|e| e.agreement.street = NameAgreement::Mistyped(1)),
            change(|e| e.agreement.town = NameAgreement::Different),
            change(|e| e.agreement.postcode = PostcodeAgreement::Near(1)),
            change(|e| e.agreement.number = NumberAgreement::OtherSuffix),
            change(|e| e.postcode_fits_other_street = true),
            change(|e| e.postcode_is_in_street = true),
            change(|e| e.leaves_code_over = true),
            change(|e| e.other_points = Some(e.points() - 1.0)),
        ] {
            assert!(lower < all, "{lower}");
        }
        let unconfirmed = change(|e| {
            e.agreement.postcode = PostcodeAgreement::NotGiven;
            e.agreement.street = NameAgreement::Mistyped(2);
        });
        assert!(unconfirmed < 0.95, "{unconfirmed}");
        let only_town = change(|e| {
            e.agreement.postcode = PostcodeAgreement::Different;
            e.agreement.street = NameAgreement::Different;
        });
        assert!(only_town < 0.1, "{only_town}");
        let tied = change(|e| e.other_points = Some(e.points()));
        assert!(tied < 0.5, "{tied}");
        let missing = change(|e| e.agreement.number = NumberAgreement::Missing);
        assert!(missing < 0.1, "{missing}");
    }
}
