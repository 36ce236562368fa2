//! What no sound delivery does to a register, told by counts alone.

use std::path::Path;

use super::ApplyError;
use super::changes::{AddressChangeSet, AddressChangeSummary};
use super::planned_generation::BaseGeneration;
use crate::assemble::LeftOutReason;
use crate::build::min_addresses;

/// Of the addresses that a delivery reaches, this many may refer to what the register does not hold, or one in so many. Parts
/// that are missing in a delivery show so.
const MAX_DANGLING: u64 = 10;
const MAX_DANGLING_ONE_IN: u64 = 10;

/// Refuses what leaves far fewer addresses, or refers to much that is not there.
pub(super) fn check(
    delivery: &Path,
    change_set: &AddressChangeSet,
    reached: usize,
    base: &BaseGeneration,
) -> Result<(), ApplyError> {
    let delivery = delivery.display().to_string();
    let AddressChangeSummary {
        counts, left_out, ..
    } = &change_set.summary;
    let dangling = left_out
        .iter()
        .filter(|(reason, _)| LeftOutReason::is_dangling(reason));
    let count = dangling.clone().map(|(_, counted)| counted.count).sum();
    let reached = reached as u64;
    if count > MAX_DANGLING.max(reached / MAX_DANGLING_ONE_IN) {
        return Err(ApplyError::DanglingReferences {
            delivery,
            count,
            example: dangling
                .flat_map(|(_, counted)| &counted.examples)
                .next()
                .cloned(),
        });
    }
    let before = base.manifest().counts.addresses;
    let left = before + counts.added - counts.removed;
    if left < min_addresses(before, true) {
        return Err(ApplyError::TooFewAddresses {
            delivery,
            left,
            before,
        });
    }
    Ok(())
}
