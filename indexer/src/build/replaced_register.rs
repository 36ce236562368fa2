//! Compares a build with the register that it replaces. Refuses a build of another area than the served generation covers. The check reads only
//! the header of the delivery, because reading the whole country takes minutes.
//!
//! Comparing the numbers of addresses does not find this mistake, because the new generation may be smaller (a town replaces the
//! country) or larger (the country replaces a town).

use std::path::Path;

use postduif_schema::{Area, DataFolder, Manifest};

use super::error::BuildError;
use crate::delivery_header::DeliveryHeader;
use crate::extract::open_and_read_header;
use crate::publish::register_path;
use crate::register::{Register, RegisterReader};

/// Refuses a stand that covers another area than the data folder. Reads only the header of the delivery.
pub(super) fn refuse_other_area(extract: &Path, data: &DataFolder) -> Result<(), BuildError> {
    // A mutation delivery is refused later, when the whole delivery is read.
    let DeliveryHeader::Stand { area, .. } = open_and_read_header(extract)? else {
        return Ok(());
    };
    match existing_area(data) {
        Some((replaced, replaced_area)) if replaced_area != area => {
            Err(BuildError::Refused(format!(
                "{}: a stand of {}, but {replaced} is of {}; nothing is published. If this is right, run `postduif index build` \
                 with --replace-area",
                extract.display(),
                area,
                replaced_area
            )))
        }
        _ => Ok(()),
    }
}

/// Whether the register that a build replaces was built with a table of municipalities other than the built-in one. False if that register
/// cannot be read, because a build may replace a damaged register. The caller holds the lock of the data folder.
pub(super) fn has_custom_municipalities(data: &DataFolder) -> bool {
    let path = register_path(data);
    path.is_file()
        && Register::read_only(&path, RegisterReader::has_custom_municipalities).unwrap_or(false)
}

/// The area of the served generation, with words that describe this source. If no generation is served or its manifest cannot be read, the
/// area of the register. `None` if the register cannot be read either; then any area is accepted, because a build may replace a damaged
/// register.
fn existing_area(data: &DataFolder) -> Option<(String, Area)> {
    let served = || {
        let generation = data.current_generation().ok()??;
        let area = Manifest::read_area(&data.generation_path(generation))?;
        Some((format!("the served generation {generation}"), area))
    };
    let register = || {
        let head = Register::read_only(&register_path(data), |register| register.head());
        Some(("the register".to_owned(), head.ok()?.area))
    };
    served().or_else(register)
}
