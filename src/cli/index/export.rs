//! `postduif index export`: prints every address as one line of JSON, sorted by postcode and number. The line is a `V1Address` with
//! RD coordinates. Two generations with the same addresses have the same output.

use std::io::{self, BufWriter, Write};

use anyhow::Context as _;
use postduif_schema::{Address, DataFolder, Generation, GenerationName, Rd};
use serde::Serialize;

use super::generations::resolve_generation;
use crate::cli::CommandError;
use crate::http::v1::V1Address;

/// One exported address.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExportRow<'a> {
    #[serde(flatten)]
    address: V1Address<'a>,
    /// Metres east, EPSG:28992.
    rd_x: Option<f64>,
    /// Metres north, EPSG:28992.
    rd_y: Option<f64>,
}

impl<'a> ExportRow<'a> {
    pub(super) fn new(address: &'a Address) -> Self {
        let rd = address.location.map(|location| location.rd);
        Self {
            address: V1Address::from(address),
            rd_x: rd.map(Rd::x_m),
            rd_y: rd.map(Rd::y_m),
        }
    }
}

pub(super) fn run(
    requested: Option<GenerationName>,
    data: &DataFolder,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let name = resolve_generation(requested, data)?;
    let generation =
        Generation::open(&data.generation_path(name), name).context("opening the generation")?;
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let addresses = generation.addresses.iter_sorted();
    for address in addresses.context("reading the generation")? {
        let address = address.context("reading the generation")?;
        serde_json::to_writer(&mut out, &ExportRow::new(&address))
            .map_err(io::Error::from)
            .context("writing an address")?;
        out.write_all(b"\n").context("writing an address")?;
    }
    Ok(out.flush().context("writing the last addresses")?)
}
