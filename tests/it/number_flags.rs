//! Checks that the error for a number out of range names the flag and the accepted range.

use crate::process::{run, words};

#[test]
fn the_error_for_a_number_out_of_range_names_the_flag_and_the_range() {
    let account = "accounts create --email a@example.org --plan pro";
    let positive = "a whole number from 1 to 4294967295";
    #[rustfmt::skip]
    let cases = [
        (account, "--calls-per-month", positive),
        (account, "--calls-per-second", positive),
        (account, "--bulk-max", "a whole number from 1 to 65535"),
        (account, "--per-ip", "a whole number from 1 to 65535"),
        ("usage show", "--days", "a whole number from 1 to 3660"),
        ("index prune", "--keep", "a whole number from 0 to "),
        ("index build", "--max-rejected", "a whole number from 0 to "),
        ("index publish", "--keep", "a whole number from 1 to "),
        ("index publish", "--sweep-after-hours", "a whole number from 1 to 8760"),
        ("index watch", "--poll", "a whole number from 1 to 86400"),
        ("index watch", "--settle", "a whole number from 0 to 86400"),
        ("index watch", "--reject-after", "a whole number from 0 to 604800"),
        ("index watch", "--keep", "a whole number from 0 to "),
        ("index watch", "--nice", "a whole number from 0 to 19"),
        ("index fetch", "--stall-timeout", "a whole number from 1 to 3600"),
        ("index fetch", "--reserve-mib", "a whole number from 0 to 1048576"),
        ("check", "--min-score", "a number from 0 to 1"),
    ];
    for (command, flag, range) in cases {
        for value in ["99999999999999999999999", "x", "-1"] {
            let given = format!("{flag}={value}");
            let output = run(&words(&format!("{command} {given}")));
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(64), "{given}: {message}");
            let names_all = [flag, value, &format!("expected {range}")]
                .iter()
                .all(|part| message.contains(part));
            assert!(names_all, "{given}: {message}");
        }
    }
}
