//! Parses the URL of a bucket and connects to the bucket. The URL is `s3://bucket/prefix`, or `file:///folder` for a folder that
//! all nodes can reach.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{ClientOptions, ObjectStore, RetryConfig};
use url::Url;

use super::BucketError;
use super::store_error::{SET_CREDENTIALS_HINT, store_error_message};

/// Maximum time between two bytes from a store while it sends a response. After that, the attempt fails.
const READ_TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum time without a byte from a store during an upload. A store sends nothing until it has received a whole part, so this time
/// must be enough to send all the parts that are sent at once: 8 parts of 8 MiB take 107 seconds over a line of 5 Mbit/s.
const UPLOAD_READ_TIMEOUT: Duration = Duration::from_secs(120);

/// Maximum time for retries of a request while the store refuses connections or answers 5xx. After that, the request fails.
const RETRY_TIMEOUT: Duration = Duration::from_secs(20);

/// The URL of a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketUrl(BucketLocation);

#[derive(Debug, Clone, PartialEq, Eq)]
enum BucketLocation {
    S3(Url),
    Folder(PathBuf),
}

/// The error for a text that is not the URL of a bucket.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected s3://bucket/prefix or file:///folder")]
pub struct BadBucketUrl;

impl BucketUrl {
    /// The folder of a `file:` URL; `None` for an S3-compatible store.
    pub const fn local_folder(&self) -> Option<&PathBuf> {
        match &self.0 {
            BucketLocation::S3(_) => None,
            BucketLocation::Folder(folder) => Some(folder),
        }
    }

    /// The URL of the object with this key. The key includes the prefix.
    pub(super) fn object_url(&self, prefix: &Key, key: &Key) -> String {
        let below = key.as_ref().strip_prefix(prefix.as_ref());
        let below = below.unwrap_or(key.as_ref()).trim_start_matches('/');
        format!("{self}/{below}")
    }
}

impl FromStr for BucketUrl {
    type Err = BadBucketUrl;

    fn from_str(text: &str) -> Result<Self, BadBucketUrl> {
        let url = Url::parse(text).map_err(|_| BadBucketUrl)?;
        let has_more = url.query().is_some() || url.fragment().is_some();
        let has_user = !url.username().is_empty() || url.password().is_some();
        let has_name = url.host_str().is_some_and(|host| !host.is_empty());
        match url.scheme() {
            _ if has_more || has_user || url.port().is_some() => Err(BadBucketUrl),
            "s3" if has_name => Ok(Self(BucketLocation::S3(url))),
            "file" if !has_name => {
                let folder = url.to_file_path().map_err(|()| BadBucketUrl)?;
                Ok(Self(BucketLocation::Folder(folder)))
            }
            _ => Err(BadBucketUrl),
        }
    }
}

impl fmt::Display for BucketUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            BucketLocation::S3(url) => f.write_str(url.as_str().trim_end_matches('/')),
            BucketLocation::Folder(folder) => write!(f, "file://{}", folder.display()),
        }
    }
}

/// The connections to a bucket.
pub(super) struct ObjectStores {
    pub(super) store: Arc<dyn ObjectStore>,
    /// The same store as `store`, with a longer read timeout.
    pub(super) upload_store: Arc<dyn ObjectStore>,
    /// The prefix of every key.
    pub(super) prefix: Key,
}

pub(super) fn open_stores(url: &BucketUrl) -> Result<ObjectStores, BucketError> {
    let unusable_error = |error: object_store::Error| unusable(url, store_error_message(&error));
    match &url.0 {
        BucketLocation::Folder(folder) => {
            // Sync each file to disk. Without this, a power cut could leave a manifest without its files.
            let store = LocalFileSystem::new_with_prefix(folder).map_err(unusable_error)?;
            let store: Arc<dyn ObjectStore> = Arc::new(store.with_fsync(true));
            Ok(ObjectStores {
                upload_store: store.clone(),
                store,
                prefix: Key::default(),
            })
        }
        BucketLocation::S3(s3_url) => {
            let [store, uploads] =
                [READ_TIMEOUT, UPLOAD_READ_TIMEOUT].map(|timeout| s3_builder(s3_url, timeout));
            if lacks_credentials(&store) {
                let message = format!("no credentials; {SET_CREDENTIALS_HINT}");
                return Err(unusable(url, message));
            }
            let prefix = Key::from_url_path(s3_url.path());
            Ok(ObjectStores {
                store: Arc::new(store.build().map_err(unusable_error)?),
                upload_store: Arc::new(uploads.build().map_err(unusable_error)?),
                prefix: prefix.map_err(|error| unusable_error(error.into()))?,
            })
        }
    }
}

fn s3_builder(s3_url: &Url, read_timeout: Duration) -> AmazonS3Builder {
    // Set the library that rustls uses for cryptography. Ignore the error, which only means that it is already set.
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let options = ClientOptions::new()
        .with_timeout_disabled()
        .with_read_timeout(read_timeout);
    let retry = RetryConfig {
        max_retries: 5,
        retry_timeout: RETRY_TIMEOUT,
        ..RetryConfig::default()
    };
    let builder = builder_from_env(std::env::vars_os())
        .with_client_options(options)
        .with_bucket_name(s3_url.host_str().unwrap_or_default())
        .with_retry(retry)
        // Some stores have no bulk deletes, and single deletes are fast enough for the few objects that are deleted here.
        .with_disable_bulk_delete(true);
    // Allow plain HTTP only if the configured endpoint begins with `http://`, because then the operator has chosen plain HTTP.
    let is_plain = [AmazonS3ConfigKey::Endpoint, AmazonS3ConfigKey::S3Endpoint]
        .iter()
        .filter_map(|key| builder.get_config_value(key))
        .any(|endpoint| endpoint.starts_with("http://"));
    if is_plain {
        builder.with_allow_http(true)
    } else {
        builder
    }
}

/// Reads the same environment variables as the tools of AWS. Ignores empty variables, because files with settings often leave
/// unused variables empty.
fn builder_from_env(variables: impl Iterator<Item = (OsString, OsString)>) -> AmazonS3Builder {
    let texts = variables.filter_map(|(name, value)| {
        let name = name.into_string().ok()?.to_ascii_lowercase();
        let name: AmazonS3ConfigKey = name.strip_prefix("aws_").and(name.parse().ok())?;
        let value = value.into_string().ok()?;
        (!value.is_empty()).then_some((name, value))
    });
    texts.fold(AmazonS3Builder::new(), |builder, (name, value)| {
        builder.with_config(name, value)
    })
}

/// Whether an endpoint is set, but no credentials. Without an endpoint, the store is AWS, and no credentials need to be set:
/// machines of AWS get credentials from their role.
fn lacks_credentials(builder: &AmazonS3Builder) -> bool {
    let is_set = |key: &AmazonS3ConfigKey| builder.get_config_value(key).is_some();
    let skips = builder.get_config_value(&AmazonS3ConfigKey::SkipSignature);
    let endpoints = [AmazonS3ConfigKey::Endpoint, AmazonS3ConfigKey::S3Endpoint];
    let credentials = [
        AmazonS3ConfigKey::AccessKeyId,
        AmazonS3ConfigKey::WebIdentityTokenFile,
        AmazonS3ConfigKey::ContainerCredentialsRelativeUri,
        AmazonS3ConfigKey::ContainerCredentialsFullUri,
    ];
    endpoints.iter().any(is_set)
        && !credentials.iter().any(is_set)
        && skips.as_deref() != Some("true")
}

fn unusable(url: &BucketUrl, reason: String) -> BucketError {
    BucketError::Unusable {
        url: url.to_string(),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_round_trip_through_display() {
        #[track_caller]
        fn case(text: &str, shown: &str) {
            let url: Option<BucketUrl> = text.parse().ok();
            assert_eq!(url.map(|url| url.to_string()).as_deref(), Some(shown));
        }
        case("s3://generations", "s3://generations");
        case("s3://generations/nl/", "s3://generations/nl");
        case("file:///srv/generations", "file:///srv/generations");
    }

    #[test]
    fn other_urls_are_refused() {
        for text in [
            "",
            "generations",
            "s3://",
            "s3:///nl",
            "http://store/generations",
            "file://store/generations",
            "s3://key:secret@generations/nl",
            "s3://generations/nl?endpoint=http://store",
        ] {
            assert!(text.parse::<BucketUrl>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn empty_variables_are_ignored() {
        let variables = [
            ("AWS_ENDPOINT_URL", "http://127.0.0.1:3900"),
            ("AWS_SESSION_TOKEN", ""),
            ("AWS_REGION", ""),
            ("REGION", "elsewhere"),
        ];
        let builder = builder_from_env(
            variables
                .map(|(name, value)| (name.into(), value.into()))
                .into_iter(),
        );
        let endpoint = builder.get_config_value(&AmazonS3ConfigKey::Endpoint);
        assert_eq!(endpoint.as_deref(), Some("http://127.0.0.1:3900"));
        for unset in [AmazonS3ConfigKey::Token, AmazonS3ConfigKey::Region] {
            assert_eq!(builder.get_config_value(&unset), None);
        }
    }

    #[test]
    fn object_url_contains_the_whole_key() {
        let url: BucketUrl = "s3://generations/nl".parse().expect("a bucket URL");
        let BucketLocation::S3(s3_url) = &url.0 else {
            panic!("expected an S3 URL")
        };
        let prefix = Key::from_url_path(s3_url.path()).expect("a valid path");
        let key = prefix.clone().join("manifests").join("1.json");
        assert_eq!(
            url.object_url(&prefix, &key),
            "s3://generations/nl/manifests/1.json"
        );
    }
}
