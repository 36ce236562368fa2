//! Target `archives` of the suite.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: postduif_fuzz::run("archives", b""),
    |bytes: &[u8]| postduif_fuzz::run("archives", bytes)
);
