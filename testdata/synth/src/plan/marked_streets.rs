//! The streets whose objects have a marked voorkomen (*Inactief* or *NietBag*) in the extract, besides their voorkomens in
//! the main files.

use super::street::StreetPlan;
use crate::model::VoorkomenMark;

/// The number of streets, from the first of the country on, that may have marked voorkomens or investigations.
pub(crate) const STREETS_WITH_EXTRA_RECORDS: usize = 200;

/// True if the street, which must be one of the first of the country, has voorkomens with this mark.
pub(crate) fn has_mark(plan: &StreetPlan, mark: VoorkomenMark) -> bool {
    let turn = if mark == VoorkomenMark::NietBag { 4 } else { 6 };
    plan.index % 10 == turn
}

/// True if the street at `ordinal` of the country has marked voorkomens.
pub(crate) fn has_any_mark(ordinal: usize, plan: &StreetPlan) -> bool {
    let marks = [VoorkomenMark::NietBag, VoorkomenMark::Inactief];
    ordinal < STREETS_WITH_EXTRA_RECORDS && marks.iter().any(|&mark| has_mark(plan, mark))
}
