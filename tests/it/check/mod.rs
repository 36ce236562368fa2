//! Tests `postduif check` on files. The tests run the real binary. For many rows they call the function of the command instead.

mod calibration;
mod cells;
mod decoys;
mod equality;
mod headers;
mod interruptions;
mod layouts;
mod odd_values;
mod outputs;
mod tables;
mod workbooks;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::data_dir::village_folder;
use crate::process::postduif;

/// A data folder that serves the village; the tests write their files into it.
struct CheckFolder(tempfile::TempDir);

impl CheckFolder {
    fn new() -> Self {
        Self(village_folder())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), content).expect("writes");
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the output in UTF-8")
    }

    /// Prepares the command `postduif check` with this folder as the data folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = postduif();
        command.arg("check").args(arguments);
        command.arg("--data").arg(self.0.path());
        command.current_dir(self.0.path());
        command
    }

    /// Runs the command to its end and checks its exit code; returns standard error.
    #[track_caller]
    fn run(&self, arguments: &[&str], code: i32) -> String {
        let output = self.command(arguments).output().expect("the binary runs");
        stderr_of(&output, code)
    }

    /// Runs `check` on a file with this content; returns the output, which has these added fields of the register.
    #[track_caller]
    fn check(&self, content: impl AsRef<[u8]>, fields: &str) -> String {
        self.write("in.csv", content);
        self.run(&["in.csv", "--force", "--fields", fields], 0);
        self.read("in.checked.csv")
    }
}

#[track_caller]
fn stderr_of(output: &Output, code: i32) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}
