//! Verifies a register by reading every row.

use std::path::Path;

use jiff::civil::Date;
use postduif_schema::GenerationName;
use serde::Serialize;

use super::copy_on_write_file::open_copy_on_write;
use super::error::{RegisterError, RegisterResult};
use super::object_types::{RegisterObject, ReverseLink};
use super::read::RegisterReader;
use super::row::{decode_value, decode_versions};
use super::store::{CACHE_BYTES, CHECK_CACHE_BYTES};
use super::store_panic::catch_store_panic;
use crate::day::Day;
use crate::objects::{AdresseerbaarObject, Nummeraanduiding, OpenbareRuimte, Pand, Woonplaats};

/// The result of reading every row of a register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RegisterSummary {
    /// The stand of the register, which holds the state of the BAG on this day.
    pub stand: Date,
    /// The generation that is built from the register's state.
    pub generation: GenerationName,
    /// Rows of objects and reverse links.
    pub rows: u64,
}

/// Checks every page of the register in a file, and reads every row. Writes nothing, so the file may be read-only.
///
/// # Errors
/// When the register is missing, being written, damaged or of another format.
pub fn verify_register(path: &Path) -> RegisterResult<RegisterSummary> {
    let open = |cache_bytes| {
        open_copy_on_write(path, cache_bytes).map_err(RegisterError::from_store_error(path))
    };
    catch_store_panic(path, || {
        // False means that only the list of free pages is damaged. The next process that opens the register for writing makes it again.
        let checked = open(CHECK_CACHE_BYTES)?.check_integrity();
        checked.map_err(RegisterError::from_store_error(path))?;
        let database = open(CACHE_BYTES)?;
        let reader = RegisterReader::new(path, &database)?;
        reader.check_format()?;
        read_every_row(&reader)
    })
}

fn read_every_row(reader: &RegisterReader) -> RegisterResult<RegisterSummary> {
    let head = reader.head()?;
    reader.relations()?;
    reader.left_out()?;
    reader.municipality_table()?;
    reader.po_boxes()?;
    reader.pending()?;
    reader.due_until(Day::from(Date::MAX))?;
    let mut rows = read_objects::<Woonplaats>(reader)?
        + read_objects::<OpenbareRuimte>(reader)?
        + read_objects::<Nummeraanduiding>(reader)?
        + read_objects::<AdresseerbaarObject>(reader)?
        + read_objects::<Pand>(reader)?;
    for link in ReverseLink::ALL {
        let is_sound = |row: &[u8]| decode_value::<Vec<u64>>(row).is_some();
        rows += reader.verify_table(link.row_table(), is_sound)?;
    }
    Ok(RegisterSummary {
        stand: head.stand,
        generation: head.generation,
        rows,
    })
}

fn read_objects<T: RegisterObject>(reader: &RegisterReader) -> RegisterResult<u64> {
    let is_sound = |row: &[u8]| decode_versions::<T>(row).is_some();
    reader.verify_table(T::TYPE.row_table(), is_sound)
}
