//! Runs one command from a line of words, for the tests of commands that use the accounts database.

use clap::{Args, Parser};

#[derive(Parser)]
struct CommandLine<A: Args> {
    #[command(flatten)]
    args: A,
}

/// Parses the words, and runs `command` on the result. Returns the output or the error.
pub(super) async fn run_line<A: Args>(
    line: &str,
    command: impl AsyncFnOnce(A, &mut Vec<u8>) -> anyhow::Result<()>,
) -> Result<String, String> {
    let words = ["postduif"].into_iter().chain(line.split_whitespace());
    let line = CommandLine::try_parse_from(words).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    let outcome = command(line.args, &mut out).await;
    outcome.map_err(|error| format!("{error:#}"))?;
    Ok(String::from_utf8(out).expect("text is printed"))
}
