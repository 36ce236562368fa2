//! Where a delivery stands in the chain: each continues the stand that the one before it led to.

use std::path::Path;

use super::{ApplyError, area, read_delivery_header};
use crate::delivery_header::{DeliveryHeader, MutationPeriod};
use crate::extract::ExtractError;
use crate::register::RegisterHead;

/// What a delivery is to a register.
pub(super) enum ChainPosition {
    /// It leads on from the register's stand.
    Next {
        /// It begins on the stand itself. One that begins earlier holds some changes that the register has already, which
        /// leads to the same end: the last state of a version is the one that counts.
        starts_on_stand: bool,
    },
    /// It leads no further than the register already is.
    Repeat {
        /// What it covers.
        period: MutationPeriod,
    },
}

/// Looks at a delivery's own account of itself.
pub(super) fn chain_position(
    path: &Path,
    register: &RegisterHead,
) -> Result<ChainPosition, ApplyError> {
    let delivery = path.display().to_string();
    let DeliveryHeader::Mutations { period, area } = read_delivery_header(path)? else {
        return Err(ExtractError::ExpectedMutations(delivery).into());
    };
    area::check_coverage(&register.area, &area, &delivery)?;
    if period.to <= register.stand {
        return Ok(ChainPosition::Repeat { period });
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
