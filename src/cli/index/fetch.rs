//! `postduif index fetch`: downloads deliveries (the monthly extract and daily mutations) into the inbox of `index watch`.
//!
//! A run downloads the deliveries that the register lacks. A file is renamed into the inbox after it is complete, checked and
//! synced.

mod cookies;
mod credentials;
mod delivery_check;
mod download;
mod error;
mod extract_name;
mod fetch_dir;
mod fetcher;
mod http_client;
mod inbox_contents;
pub(super) mod metrics;
mod mutation_list;
mod mutation_plan;
mod range_request;
mod report;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use postduif_schema::DataFolder;
use url::{Host, Url};

pub(super) use self::fetcher::DeliveryFetcher;
pub(super) use self::report::FetchReport;

use crate::cli::CommandError;
use crate::cli::numbers::number_in;
use crate::cli::output::{print_json, print_line};
use crate::cli::progress::TerminalProgress;
use crate::cli::runtimes::new_two_thread_runtime;
use credentials::Credentials;
use fetcher::MutationSource;

/// The monthly extract of the country. Source: PDOK, Adressen, Atom feed of the BAG; no key is needed.
const DEFAULT_EXTRACT_URL: &str =
    "https://service.pdok.nl/kadaster/adressen/atom/v1_0/downloads/lvbag-extract-nl.zip";

/// `postduif index fetch …`
#[derive(Debug, Args)]
#[command(after_help = "\
Downloads what the register lacks, and puts it into the inbox of `postduif index watch`. Without --mutations-url, this
is the extract that Kadaster publishes each month at PDOK, for which no account is needed; with extracts alone, a
service is at most some 40 days behind. Daily mutations are a paid subscription: give the URL of the list of files
with --mutations-url, and a login if the list needs one.

A delivery gets its name in the inbox after it is complete and checked. Unfinished files and the state between runs
are in the hidden folder .postduif-fetch of the inbox. An interrupted download is resumed by the next run if the
server still has the same file.

A delivery that is in the inbox, in applied/ or rejected/, or in the served generation is not downloaded again. With
mutations, the extract is downloaded only if there is no register, if days are missing, or if there were no mutations
for a week.

Exit codes: 0 done, or nothing new
            1 failed: the network, the server or the disk; run the command again to resume
            2 refused: no such file, a login that is not accepted, or a file that is not a delivery")]
pub(super) struct FetchArgs {
    /// The inbox of `postduif index watch`
    #[arg(long, value_name = "DIR")]
    inbox: PathBuf,
    #[command(flatten)]
    options: FetchOptions,
}

/// The options that `index fetch` and `index watch --fetch` share.
#[derive(Debug, Args)]
pub(super) struct FetchOptions {
    /// URL of the extract; by default the monthly extract of the country at PDOK
    // The type is `String`, because clap's error for a typed argument would show a password in the URL.
    #[arg(long, value_name = "URL")]
    extract_url: Option<String>,
    /// URL of a list of mutations, JSON as Kadaster's file service gives it: [{"naam", "url", "grootte"}]
    #[arg(long, value_name = "URL")]
    mutations_url: Option<String>,
    /// URL that takes the user name and password as a form and sets a cookie
    #[arg(long, value_name = "URL", requires = "credentials")]
    login_url: Option<String>,
    /// File with two lines, the user name and the password; other users must not be able to read it (chmod 0600)
    #[arg(
        long,
        value_name = "FILE",
        requires = "login_url",
        requires = "mutations_url"
    )]
    credentials: Option<PathBuf>,
    /// Seconds without a byte after which a download is resumed on a new connection
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = number_in::<u64>(1..=3_600))]
    stall_timeout: u64,
    /// MiB of free disk space that a download must leave
    #[arg(long, value_name = "MIB", default_value_t = 1_024, value_parser = number_in::<u64>(0..=1_048_576))]
    reserve_mib: u64,
}

impl FetchOptions {
    /// Whether a URL of deliveries is given. Such a URL has no effect if `index watch` runs without `--fetch`.
    pub(super) fn has_source(&self) -> bool {
        self.extract_url.is_some() || self.mutations_url.is_some()
    }

    /// Creates the fetcher. Reads the credentials and checks the URLs.
    pub(super) fn build_fetcher(
        &self,
        inbox: &Path,
        data: &DataFolder,
    ) -> Result<DeliveryFetcher, CommandError> {
        let extract_url = self.extract_url.as_deref().unwrap_or(DEFAULT_EXTRACT_URL);
        let login = self.login_url.as_deref().zip(self.credentials.as_deref());
        let login = login.map(|(url, file)| {
            let credentials = Credentials::read(file).map_err(CommandError::Refused)?;
            Ok::<_, CommandError>((parse_login_url(url)?, credentials))
        });
        let login = login.transpose()?;
        let mutations = self.mutations_url.as_deref().map(|url| {
            let url = parse_url("--mutations-url", url)?;
            Ok::<_, CommandError>(MutationSource { url, login })
        });
        Ok(DeliveryFetcher {
            inbox: inbox.to_owned(),
            data: data.clone(),
            extract_url: parse_url("--extract-url", extract_url)?,
            is_default_extract: self.extract_url.is_none(),
            mutations: mutations.transpose()?,
            stall_timeout: Duration::from_secs(self.stall_timeout),
            reserve_bytes: self.reserve_mib << 20,
        })
    }
}

pub(super) fn run(
    args: &FetchArgs,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let fetcher = args.options.build_fetcher(&args.inbox, data)?;
    let progress = TerminalProgress::default();
    let report = new_two_thread_runtime()?.block_on(fetcher.run(&progress));
    let text = report.to_string();
    if json {
        print_json(&report, out)?;
    } else if !text.is_empty() {
        print_line(&text, out)?;
    }
    report.into_result()
}

/// Parses the URL of a flag. Errors do not quote the URL, because it may contain a password.
fn parse_url(flag: &str, text: &str) -> Result<Url, CommandError> {
    let refused = |reason: &str| CommandError::Refused(anyhow!("{flag}: {reason}"));
    let url = Url::parse(text).map_err(|error| refused(&format!("not a URL: {error}")))?;
    if !matches!(url.scheme(), "https" | "http") || url.host_str().is_none() {
        return Err(refused("expected https://…"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused(
            "a user name or password in a URL is visible in the list of processes; put them into the file of --credentials",
        ));
    }
    Ok(url)
}

/// Parses the URL of the login. The password is sent to this URL. So a URL without TLS is accepted only if it is on this machine.
fn parse_login_url(text: &str) -> Result<Url, CommandError> {
    let url = parse_url("--login-url", text)?;
    let is_loopback = match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    };
    if url.scheme() != "https" && !is_loopback {
        return Err(CommandError::Refused(anyhow!(
            "--login-url: expected https://…; the password would be sent in clear text"
        )));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_with_secrets_or_without_tls_are_refused_and_not_quoted() {
        #[track_caller]
        fn case(url: Result<Url, CommandError>, expected: &str) {
            let Err(CommandError::Refused(error)) = url else {
                panic!("expected a refusal: {expected}");
            };
            let message = error.to_string();
            assert!(
                message.contains(expected) && !message.contains("secret"),
                "{message}"
            );
        }
        case(
            parse_url("--extract-url", "https://jan:secret@example.org/"),
            "--credentials",
        );
        case(parse_url("--extract-url", "secret"), "not a URL");
        case(
            parse_url("--extract-url", "ftp://example.org/secret"),
            "expected https",
        );
        case(
            parse_login_url("http://example.org/login?secret"),
            "clear text",
        );
        assert!(parse_login_url("http://127.0.0.1:1/login").is_ok());
        assert!(parse_url("--extract-url", DEFAULT_EXTRACT_URL).is_ok());
    }
}
