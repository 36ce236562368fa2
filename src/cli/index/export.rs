//! `postduif index export`: prints every address as one line of JSON, sorted by postcode and number. Each line is a v1 address with
//! its RD coordinates. Two generations with the same addresses have the same output.

use std::io::{BufWriter, Write};

use anyhow::Context as _;
use postduif_schema::{Address, DataFolder, GenerationName, Rd};

use super::generations::{open_generation, resolve_generation};
use crate::cli::CommandError;
use crate::http::json_writer::JsonWriter;
use crate::http::v1::{ADDRESS_BYTES, write_unclosed_address};

/// One exported address as a JSON object: a v1 address with the RD coordinates `rdX` (metres east) and `rdY` (metres north),
/// EPSG:28992.
pub(super) fn export_json(address: &Address) -> Vec<u8> {
    let rd = address.location.map(|location| location.rd);
    let mut json = JsonWriter::with_capacity(ADDRESS_BYTES);
    write_unclosed_address(&mut json, address);
    json.raw(",\"rdX\":");
    json.option(rd.map(Rd::x_m), JsonWriter::number);
    json.raw(",\"rdY\":");
    json.option(rd.map(Rd::y_m), JsonWriter::number);
    json.raw("}");
    json.into_bytes()
}

pub(super) fn run(
    requested: Option<GenerationName>,
    data: &DataFolder,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let name = resolve_generation(requested, data)?;
    let generation = open_generation(data, name)?;
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let addresses = generation.addresses.iter_sorted();
    for address in addresses.context("reading the generation")? {
        let address = address.context("reading the generation")?;
        let mut line = export_json(&address);
        line.push(b'\n');
        out.write_all(&line).context("writing an address")?;
    }
    Ok(out.flush().context("writing the last addresses")?)
}
