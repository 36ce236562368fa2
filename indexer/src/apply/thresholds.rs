//! Refuses an incomplete delivery, by limits on the counts of addresses.

use std::path::Path;

use super::changes::{AddressChangeSet, AddressChangeSummary};
use super::error::ApplyError;
use super::planned_generation::BaseGeneration;
use crate::assemble::LeftOutReason;
use crate::build::{Tolerance, min_addresses, sum_left_out};

/// How many affected addresses may begin to refer to missing objects: 10, or 10% of the affected addresses if that is more. A higher
/// count suggests that parts of the delivery are missing.
const DANGLING_TOLERANCE: Tolerance = Tolerance {
    count: 10,
    one_in: 10,
};

/// Refuses a delivery that leaves far fewer addresses than its base or the served generation has, or that has many references to missing
/// objects. After a rollback, the served generation is not the base.
pub(super) fn check(
    delivery: &Path,
    change_set: &AddressChangeSet,
    affected_addresses: usize,
    (base, served_addresses): (&BaseGeneration, u64),
    municipality_hint: &str,
) -> Result<(), ApplyError> {
    let delivery = delivery.display();
    let AddressChangeSummary {
        counts,
        newly_dangling,
        ..
    } = &change_set.summary;
    let (count, example) = sum_left_out(newly_dangling, LeftOutReason::is_dangling);
    if DANGLING_TOLERANCE.is_exceeded(count, affected_addresses as u64) {
        return Err(ApplyError::Refused(format!(
            "{delivery}: after it {count} addresses would refer to a nummeraanduiding, street, town or municipality that the register \
             does not have{example}; the delivery is incomplete, or the register does not come from the same source. Nothing is \
             changed; --accept-fewer applies it anyway{municipality_hint}"
        )));
    }
    let in_base = base.manifest().counts.addresses;
    let left = in_base + counts.added - counts.removed;
    let before = in_base.max(served_addresses);
    if left < min_addresses(before) {
        return Err(ApplyError::Refused(format!(
            "{delivery}: would leave {left} of {before} addresses; nothing is changed. If the delivery is right, apply it with \
             --accept-fewer"
        )));
    }
    Ok(())
}
