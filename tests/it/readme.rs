//! The README says what the code does.

use postduif::config::SETTINGS;

const README: &str = include_str!("../../README.md");

#[test]
fn every_setting_stands_in_the_table_with_its_default() {
    let heading = "| setting | default | what |\n|---|---|---|\n";
    let (_, table) = README.split_once(heading).expect("the table of settings");
    let told: Vec<&str> = table
        .lines()
        .take_while(|line| line.starts_with('|'))
        .collect();
    let row = |setting: &postduif::config::Setting| {
        let default = if setting.default.is_empty() {
            String::new()
        } else {
            format!("`{}`", setting.default)
        };
        format!(
            "| `{}` | {default} | {} |",
            setting.name,
            setting.help.trim()
        )
    };
    let expected: Vec<String> = SETTINGS.iter().map(row).collect();
    assert_eq!(told, expected);
}

#[test]
fn it_stays_short() {
    let lines = README.lines().count();
    assert!(lines <= 440, "{lines} lines");
}
