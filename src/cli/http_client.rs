//! Prepares requests of the commands to other services: the HTTP client, and secrets from files.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::{Context as _, ensure};
use postduif_schema::files::read_regular_to_string;
use reqwest::{Client, ClientBuilder, redirect};

/// The read permission of users who are neither the owner nor in the group.
const READ_BY_OTHERS: u32 = 0o004;

/// The builder of a client that follows no redirect, because a redirect could send a secret to another server or in clear text.
pub(super) fn http_client_builder() -> ClientBuilder {
    // Sets the cryptography library of this process. Ignore the error, which means that the same library is already set.
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    Client::builder()
        .redirect(redirect::Policy::none())
        .user_agent(concat!("postduif/", env!("CARGO_PKG_VERSION")))
}

/// Reads a file with a secret. Refuses a file that every user of the machine can read. `secret` names the content of the file in the
/// error: `password` or `key`.
pub(super) fn read_secret_file(path: &Path, secret: &str) -> anyhow::Result<String> {
    let file = path.display();
    let metadata = path.metadata().with_context(|| file.to_string())?;
    ensure!(
        metadata.permissions().mode() & READ_BY_OTHERS == 0,
        "{file}: every user of this machine can read the {secret}; run `chmod 0600` on it"
    );
    read_regular_to_string(path).with_context(|| file.to_string())
}
