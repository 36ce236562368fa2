//! Limits the number of invalid records and values of a delivery.

use crate::record_issues::{IssueEffect, RecordIssues};

/// The limit on invalid records and values of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RejectionLimit {
    /// Allows, for each type, one invalid record for every 10,000 records in force, and one invalid value for every 1,000 records in force.
    /// At least 100 of each are allowed.
    #[default]
    Usual,
    /// Allows this many invalid records of each type. Allows the same number of invalid values, or the usual number if that is
    /// higher.
    AtMost(u64),
    /// Refuses the delivery at the first invalid record or value.
    Strict,
}

/// The number of invalid records, and of invalid values, that are allowed for each type, however small the delivery is.
const USUAL_COUNT: u64 = 100;

impl RejectionLimit {
    /// The maximum number of invalid values with this effect, if the type has `current` records in force.
    fn max_allowed(self, current: u64, effect: IssueEffect) -> u64 {
        let one_in = match effect {
            IssueEffect::Rejected => 10_000,
            IssueEffect::Nulled => 1_000,
            IssueEffect::Kept => return u64::MAX,
        };
        match self {
            Self::Usual => USUAL_COUNT.max(current / one_in),
            Self::AtMost(most) if effect == IssueEffect::Rejected => most,
            Self::AtMost(most) => most.max(USUAL_COUNT).max(current / one_in),
            Self::Strict => 0,
        }
    }

    /// Checks the number of invalid values of every type against the type's number of records in force.
    pub(crate) fn check(
        self,
        issues: &RecordIssues,
        current: impl IntoIterator<Item = (&'static str, u64)>,
    ) -> Result<(), TooManyRejected> {
        for (object_type, current) in current {
            for effect in [IssueEffect::Rejected, IssueEffect::Nulled] {
                let (count, first) = issues.of_type(object_type, effect);
                let max_allowed = self.max_allowed(current, effect);
                if count > max_allowed {
                    return Err(TooManyRejected {
                        object_type,
                        effect,
                        count,
                        current,
                        max_allowed,
                        first,
                    });
                }
            }
        }
        Ok(())
    }
}

/// The error for a delivery that has too many invalid records or values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{count} {} of type {object_type} are invalid, of {current} records in force; at most {max_allowed} are allowed. The first: \
     {first}. To leave them out, use --max-rejected {count}",
    match effect {
        IssueEffect::Rejected => "records",
        IssueEffect::Nulled | IssueEffect::Kept => "values",
    }
)]
pub struct TooManyRejected {
    /// The object type, as the name of its element.
    pub object_type: &'static str,
    /// Whether records or values are invalid.
    pub effect: IssueEffect,
    /// How many records or values are invalid.
    pub count: u64,
    /// Number of records of the type that are in force.
    pub current: u64,
    /// How many invalid records or values are allowed.
    pub max_allowed: u64,
    /// The first invalid record or value, with its place.
    pub first: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record_issues::tests::issues;

    #[test]
    fn the_allowed_number_is_a_fixed_count_or_a_share_of_the_records() {
        #[track_caller]
        fn case(
            count: u64,
            effect: IssueEffect,
            current: u64,
            limit: RejectionLimit,
            refused: bool,
        ) {
            let of_type = [("Pand", 5), ("Nummeraanduiding", current)];
            let checked = limit.check(&issues(count, effect), of_type);
            assert_eq!(
                checked.is_err(),
                refused,
                "{count} {effect:?} of {current}, {limit:?}"
            );
        }
        use IssueEffect::{Kept, Nulled, Rejected};
        let usual = RejectionLimit::Usual;
        case(100, Rejected, 100, usual, false);
        case(101, Rejected, 100, usual, true);
        case(99, Rejected, 1_000_000, usual, false);
        case(101, Rejected, 1_000_000, usual, true);
        case(101, Rejected, 1_010_000, usual, false);
        case(1000, Nulled, 1_000_000, usual, false);
        case(1001, Nulled, 1_000_000, usual, true);
        case(5000, Kept, 10, usual, false);
        case(7, Rejected, 10, RejectionLimit::AtMost(7), false);
        case(8, Rejected, 10_000_000, RejectionLimit::AtMost(7), true);
        case(101, Nulled, 10, RejectionLimit::AtMost(7), true);
        case(700, Nulled, 10, RejectionLimit::AtMost(700), false);
        case(1, Nulled, 10_000_000, RejectionLimit::Strict, true);
        case(0, Rejected, 0, RejectionLimit::Strict, false);
    }

    #[test]
    fn the_error_names_the_first_invalid_record_and_the_remedy() {
        let error = RejectionLimit::Strict
            .check(&issues(2, IssueEffect::Rejected), [("Nummeraanduiding", 9)]);
        let text = error.expect_err("two of nine").to_string();
        let expected = "2 records of type Nummeraanduiding are invalid, of 9 records in force; at most 0 are allowed. The first: \
                        Nummeraanduiding 0457200000000001, huisnummer \"0\": a number is expected (a.xml, byte 0). To leave \
                        them out, use --max-rejected 2";
        assert_eq!(text, expected);
    }
}
