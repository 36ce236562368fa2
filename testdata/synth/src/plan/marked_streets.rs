//! Selects the streets whose objects also have a marked voorkomen (*Inactief* or *NietBag*) in the extract, in addition to those in
//! the main files.

use super::street::StreetPlan;
use crate::model::VoorkomenMark;

/// How many streets, counted from the first one of the country, may have marked voorkomens or investigations.
pub(crate) const STREETS_WITH_EXTRA_RECORDS: usize = 200;

/// True if the street has voorkomens with this mark. The street must be one of the first [`STREETS_WITH_EXTRA_RECORDS`].
pub(crate) fn has_mark(plan: &StreetPlan, mark: VoorkomenMark) -> bool {
    let turn = if mark == VoorkomenMark::NietBag { 4 } else { 6 };
    plan.index % 10 == turn
}

/// True if the street, whose index in the country is `ordinal`, has marked voorkomens.
pub(crate) fn has_any_mark(ordinal: usize, plan: &StreetPlan) -> bool {
    let marks = [VoorkomenMark::NietBag, VoorkomenMark::Inactief];
    ordinal < STREETS_WITH_EXTRA_RECORDS && marks.iter().any(|&mark| has_mark(plan, mark))
}
