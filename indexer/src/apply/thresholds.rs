//! What no sound delivery does to a register, told by counts alone.

use std::path::Path;

use super::ApplyError;
use super::changes::{Changed, Changes};
use super::planned_generation::Base;
use crate::assemble::LeftOut;
use crate::build::least_addresses;

/// Of the addresses that a delivery reaches, this many may refer to what the register does not hold, or one in so many. Parts
/// that are missing in a delivery show so.
const DANGLING: u64 = 10;
const DANGLING_ONE_IN: u64 = 10;

/// Refuses what leaves far fewer addresses, or refers to much that is not there.
pub(super) fn check(
    delivery: &Path,
    changes: &Changes,
    reached: usize,
    base: &Base,
) -> Result<(), ApplyError> {
    let delivery = delivery.display().to_string();
    let Changed {
        counts, left_out, ..
    } = &changes.account;
    let dangling = left_out
        .iter()
        .filter(|(reason, _)| LeftOut::is_dangling(reason));
    let count = dangling.clone().map(|(_, counted)| counted.count).sum();
    let reached = reached as u64;
    if count > DANGLING.max(reached / DANGLING_ONE_IN) {
        return Err(ApplyError::Dangling {
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
    if left < least_addresses(before, true) {
        return Err(ApplyError::Fewer {
            delivery,
            left,
            before,
        });
    }
    Ok(())
}
