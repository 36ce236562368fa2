//! Half the load that saturates, for many minutes, while a delivery comes each minute.

use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Data folder with a published generation and its register, which nothing is written to
    #[arg(long)]
    data: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    anyhow::bail!("{:?}", arguments.data)
}
