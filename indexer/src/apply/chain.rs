//! Where a delivery stands in the chain: each continues the stand that the one before it led to.

use std::path::Path;

use super::{ApplyError, area, describe};
use crate::delivery_header::{Described, MutationPeriod};
use crate::extract::ExtractError;
use crate::register::Head;

/// What a delivery is to a register.
pub(super) enum Place {
    /// It leads on from the register's stand.
    Next {
        /// It begins on the stand itself. One that begins earlier holds some changes that the register has already, which
        /// leads to the same end: the last state of a version is the one that counts.
        continues: bool,
    },
    /// It leads no further than the register already is.
    Repeat {
        /// What it covers.
        period: MutationPeriod,
    },
}

/// Looks at a delivery's own account of itself.
pub(super) fn place(path: &Path, register: &Head) -> Result<Place, ApplyError> {
    let delivery = path.display().to_string();
    let Described::Mutations { period, area } = describe(path)? else {
        return Err(ExtractError::Stand(delivery).into());
    };
    area::check(&register.area, &area, &delivery)?;
    if period.to <= register.stand {
        return Ok(Place::Repeat { period });
    }
    if period.from > register.stand {
        return Err(ApplyError::Gap {
            delivery,
            period,
            stand: register.stand,
        });
    }
    Ok(Place::Next {
        continues: period.from == register.stand,
    })
}
