//! Copies generations between machines: publishes them to a bucket, and pulls them from a bucket.

mod bucket;
mod publish;
pub mod pull;

pub use bucket::{
    BadBucketUrl, Bucket, BucketError, BucketFile, BucketUrl, ListedPublication, ManifestOutline,
    PublicationNumber, PublishedManifest, UploadFile, upload,
};
pub use publish::{BucketPublishError, BucketPublisher, PublicationList, PublishOutcome};
pub use pull::{PullConfig, PullStatus, Puller, ReloadTriggers};
