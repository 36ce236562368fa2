//! Target `manifests` of the suite.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: postduif_fuzz::run("manifests", b""),
    |bytes: &[u8]| postduif_fuzz::run("manifests", bytes)
);
