//! Writes the man pages and shell completions of a release into a folder. `docker/package archive` runs it.
//!
//! It is a cargo example, so that the program does not depend on the crates that write these files.

use std::path::PathBuf;

use clap_complete::Shell;

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| std::io::Error::other("the argument is a folder"))?;
    std::fs::create_dir_all(&folder)?;
    clap_mangen::generate_to(postduif::cli::command(), &folder)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        clap_complete::generate_to(shell, &mut postduif::cli::command(), "postduif", &folder)?;
    }
    Ok(())
}
