//! Reads and writes a bucket: an S3-compatible store, or a folder that all nodes can reach. Nodes pull generations from the bucket.
//!
//! ```text
//! BUCKET/files/0f3c…e1                         one file of a generation, named by its SHA-256; never changes
//! BUCKET/manifests/00000000000000000017.json   publication 17: the manifest of its generation
//! ```
//!
//! Nodes serve the publication with the highest number. A publisher first writes all files of a generation. Then it writes the
//! manifest, and only under a free number. So a reader always finds a complete generation. To go back to an earlier generation, a
//! publisher publishes it again under the next number. Credentials and the endpoint of an S3-compatible store come from the
//! environment variables that the tools of AWS read (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`
//! and so on).

mod bucket_url;
mod client;
mod error;
mod publication_number;
mod published_manifest;
mod store_error;
#[cfg(test)]
mod tests;
mod transfer;
mod unfinished_uploads;

pub use bucket_url::{BadBucketUrl, BucketUrl};
pub use client::{Bucket, BucketFile, ListedPublication};
pub use error::BucketError;
pub use publication_number::PublicationNumber;
pub use published_manifest::{ManifestOutline, PublishedManifest};
pub use transfer::{UploadFile, upload};
pub(super) use transfer::{download, is_intact, run_transfers};
pub(super) use unfinished_uploads::delete_unfinished_uploads;
