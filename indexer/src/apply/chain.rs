//! Determines the position of a delivery in the chain of deliveries. Each delivery continues from the stand that the previous delivery
//! produced.

use std::path::Path;

use super::area::check_area;
use super::error::ApplyError;
use crate::delivery_header::DeliveryHeader;
use crate::extract::{ExtractError, open_and_read_header};
use crate::register::{Register, RegisterHead};

/// How a delivery relates to the register's stand.
pub(super) enum ChainPosition {
    /// The delivery continues the register's stand.
    Next {
        /// Whether the delivery begins on the day of the stand. A delivery that begins earlier repeats some changes. This is
        /// harmless, because only the last state of each version counts.
        starts_on_stand: bool,
    },
    /// The delivery ends on the register's stand or earlier.
    Repeat,
}

/// Reads only the header of a delivery.
///
/// # Errors
/// When the file is not a delivery or cannot be read.
pub fn read_delivery_header(path: &Path) -> Result<DeliveryHeader, ApplyError> {
    Ok(open_and_read_header(path)?)
}

/// Compares the header of a delivery with the head of the register.
pub(super) fn chain_position(
    path: &Path,
    register: &RegisterHead,
) -> Result<ChainPosition, ApplyError> {
    let delivery = path.display().to_string();
    let DeliveryHeader::Mutations { period, area } = read_delivery_header(path)? else {
        return Err(ExtractError::ExpectedMutations(delivery).into());
    };
    check_area(&register.area, &area, &delivery)?;
    if period.to <= register.stand {
        return Ok(ChainPosition::Repeat);
    }
    if period.from > register.stand {
        return Err(ApplyError::Gap {
            delivery,
            period,
            stand: register.stand,
        });
    }
    Ok(ChainPosition::Next {
        starts_on_stand: period.from == register.stand,
    })
}

/// Whether a delivery probably continues the register in a file. Reads only the head of the register. An interrupted run may have left work
/// that must be finished first, so [`chain_position`] must decide afterwards.
pub(super) fn seems_next(delivery: &Path, register: &Path) -> bool {
    let head = Register::read_only(register, |reader| reader.head());
    let position = head.map(|head| chain_position(delivery, &head));
    matches!(position, Ok(Ok(ChainPosition::Next { .. })))
}
