//! Generations on their way between machines: published to an object store, and pulled from it.

mod bucket;
mod publish;
pub mod pull;

pub use bucket::{
    BadBucketUrl, Bucket, BucketError, BucketFile, BucketUrl, ListedPublication, ManifestOutline,
    PublicationNumber, PublishedManifest, UploadFile,
};
pub use publish::{BucketPublishError, BucketPublisher, PublishOutcome};
pub use pull::{PullConfig, PullStatus, Puller, ReloadTriggers};
