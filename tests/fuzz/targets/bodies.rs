//! Target `bodies` of the suite.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: postduif_fuzz::run("bodies", b""),
    |bytes: &[u8]| postduif_fuzz::run("bodies", bytes)
);
