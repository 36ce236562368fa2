//! Checks that the served widget equals the output of the build script of the npm package, and that its brotli file holds the same.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::scratch;
use crate::tools::{node_modules, node_package, program, root};

const MODULES: &str = "src/http/web/widget";

/// Runs the build command of `package.json` in a copy of the package, so that the build overwrites no file of the project.
#[test]
fn the_served_widget_is_built_from_its_modules() {
    let built_with = ["esbuild", "terser"].map(node_package);
    let (Some(_), [Some(_), Some(_)]) = (program("node"), built_with) else {
        return;
    };
    let folder = scratch::folder();
    let copied = Command::new("cp")
        .arg("-a")
        .arg(root().join(MODULES))
        .arg(folder.path().join("widget"))
        .status();
    assert!(copied.expect("cp runs").success());
    let package = fs::read(root().join(MODULES).join("package.json")).expect("a file");
    let package: Value = serde_json::from_slice(&package).expect("JSON");
    let build = package["scripts"]["build"].as_str().expect("a command");
    // Search for programs as `npm run` does: in the package's own programs first.
    let mut programs = vec![node_modules().join(".bin")];
    programs.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let output = Command::new("sh")
        .args(["-c", build])
        .current_dir(folder.path().join("widget"))
        .env("PATH", env::join_paths(programs).expect("paths"))
        .output()
        .expect("sh runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    let built = fs::read_to_string(folder.path().join("widget.js")).expect("a file");
    let served = fs::read_to_string(root().join(MODULES).with_extension("js")).expect("a file");
    assert!(
        built == served,
        "src/http/web/widget.js is {} bytes and its modules make {}: run `npm run build` in {MODULES}",
        served.len(),
        built.len()
    );
    // Versions of node may compress differently, so the content of the brotli files is compared and not their bytes.
    let brotli = folder.path().join("widget.js.br");
    assert!(
        decompress(&brotli) == built,
        "the widget.js.br of the build is not its widget.js in brotli"
    );
    assert!(
        decompress(&root().join(MODULES).with_extension("js.br")) == served,
        "src/http/web/widget.js.br is not widget.js in brotli: run `npm run build` in {MODULES}"
    );
}

/// The content of a brotli file, according to node.
fn decompress(file: &Path) -> String {
    const PROGRAM: &str =
        "process.stdout.write(zlib.brotliDecompressSync(fs.readFileSync(process.argv[1])))";
    let output = Command::new("node")
        .args(["-e", PROGRAM])
        .arg(file)
        .output();
    let output = output.expect("node runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {message}", file.display());
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// CI installs the same program versions as the package.
#[test]
fn ci_builds_the_widget_with_the_packages_own_versions() {
    let package = fs::read(root().join(MODULES).join("package.json")).expect("a file");
    let package: Value = serde_json::from_slice(&package).expect("JSON");
    let ci = fs::read_to_string(root().join(".ci/run")).expect("a file");
    let needed = package["devDependencies"].as_object().expect("packages");
    for (name, version) in needed {
        let pinned = format!("{name}@{}", version.as_str().expect("a version"));
        assert!(ci.contains(&pinned), ".ci/run does not install {pinned}");
    }
    assert!(!needed.is_empty());
}
