//! Switches published clients to postduif with the code in `src/http/migration.md`. Only the URL and the key change.

use std::path::PathBuf;
use std::process::Command;

use super::Sandbox;
use crate::scratch;
use crate::tools;

const PAGE: &str = include_str!("../../../src/http/migration.md");

/// Returns the code blocks of a language in `migration.md`.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let blocks = PAGE.split(&*fence).skip(1);
    blocks
        .map(|rest| rest.split("```").next().expect("the first part"))
        .collect()
}

/// Runs the code blocks of a language, and checks that each finds the first address of the sandbox.
#[track_caller]
fn run_blocks(runner: &PathBuf, language: &str, names: &[&str]) {
    let (sandbox, folder) = (Sandbox::start(), scratch::folder());
    let blocks = blocks(language);
    assert_eq!(blocks.len(), names.len());
    for (block, name) in blocks.iter().zip(names) {
        assert!(block.contains(name), "{name} is not in {block}");
        let program = folder.path().join("program");
        std::fs::write(&program, block).expect("writes");
        let mut command = Command::new(runner);
        command
            .arg(program)
            .env("POSTDUIF_URL", sandbox.url())
            .env("POSTDUIF_KEY", &sandbox.test_key)
            .env("NODE_PATH", tools::node_modules())
            // Connect to the service directly, even if the machine uses a proxy.
            .env("NO_PROXY", "*")
            .env("no_proxy", "*");
        let output = command.output().expect("the program starts");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {complaint}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("Waldeck Pyrmontsingel"), "{name}: {text}");
    }
}

#[test]
fn the_python_code_of_the_migration_page_works() {
    let Some(python) = tools::in_venv("bin/python") else {
        return;
    };
    run_blocks(&python, "python", &["pyPostcode", "django_postcode_lookup"]);
}

#[test]
fn the_node_code_of_the_migration_page_works() {
    let Some(node) = tools::node_package("@form-wizard-framework").and(tools::program("node"))
    else {
        return;
    };
    run_blocks(&node, "js", &["@form-wizard-framework/address-lookup"]);
}
