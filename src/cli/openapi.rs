//! `postduif openapi`: prints the OpenAPI description, generated from the code.

use std::io::Write;

use anyhow::Context as _;

use super::CommandError;
use crate::http::openapi;

pub(super) fn run(out: &mut dyn Write) -> Result<(), CommandError> {
    let description = openapi::generate();
    out.write_all(description.as_bytes())
        .context("writing the description")?;
    Ok(())
}
