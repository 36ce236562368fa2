//! Says how the suffix of an address differs from an entered one that matches it.

/// How the suffix of an address differs from an entered suffix that matches it. The smallest difference is best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SuffixDifference {
    /// How many of the two parts, letter and addition, the address has although they were not entered.
    pub(super) added_parts: usize,
    /// Whether only the case differs: `bis` was entered for `BIS`. Some house numbers in the register have both.
    pub(super) is_other_case: bool,
}
