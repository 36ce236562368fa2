//! `postduif openapi`: prints the OpenAPI description of the HTTP interface.

use std::io::Write;

use anyhow::Context as _;

use super::CommandError;
use crate::http::openapi;

pub(super) fn run(out: &mut dyn Write) -> Result<(), CommandError> {
    out.write_all(openapi::JSON.as_bytes())
        .context("writing the description")?;
    Ok(())
}
