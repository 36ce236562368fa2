//! Runs the command `synth`, which writes a made-up country, or one municipality of it, in the format of real BAG deliveries.

mod cli;

use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match cli::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return cli::report_usage(&error),
    };
    match cli::run(&arguments, &mut std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
