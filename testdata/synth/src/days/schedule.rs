//! Decides on which days a delivery differs from the usual one.

/// True if the delivery of this day has a part for investigations.
pub(crate) fn has_onderzoek_part(day: i32) -> bool {
    day % 6 != 1
}

/// True if no change is registered on this day.
pub(crate) fn is_empty(day: i32) -> bool {
    day % 7 == 2
}

/// True if the first group of this day is registered just after midnight and the last group just before the next midnight.
pub(crate) fn reaches_midnight(day: i32) -> bool {
    day % 7 == 3
}

/// True if woonplaatsen change on this day.
pub(crate) fn changes_woonplaatsen(day: i32) -> bool {
    day % 10 == 1
}
