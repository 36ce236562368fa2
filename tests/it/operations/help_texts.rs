//! Checks that `--help` lists the options of the command before the general options.

use crate::process::run;

#[test]
fn help_texts_begin_with_the_options_of_the_command() {
    let help = |command: &[&str]| {
        let output = run(&[command, &["--help"]].concat());
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    for (command, own) in [
        (&["healthcheck"][..], "--live"),
        (&["config", "check"], "--settings-only"),
        (&["serve"], "--create-data"),
        (&["check"], "--json"),
    ] {
        let help = help(command);
        let [own, shared] = [own, "--data <"].map(|flag| help.find(flag));
        assert!(own.is_some() && own < shared, "{command:?}: {help}");
    }
    let demo = help(&["demo"]);
    assert!(
        demo.contains("below $TMPDIR") && demo.contains("[default: a temporary folder]"),
        "{demo}"
    );
}
