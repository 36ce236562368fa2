//! Generations on their way between machines: published to an object store, and pulled from it.

mod bucket;
mod publish;
pub mod pull;

pub use bucket::{
    BadBucketUrl, Bucket, BucketError, BucketUrl, Kept, ListedPublication, Look, OpenFile, Outline,
    Publication,
};
pub use publish::{InBucket, ToBucket, ToBucketError};
pub use pull::{Asked, PullFrom, Pulled, Puller};
