//! v1: the service's own interface. Answers in an envelope, errors as `{error: {code, message}}`.

mod address;
pub mod addresses;
pub mod autocomplete;
pub mod bulk;
pub mod postcodes;
pub mod reverse;
pub mod validate;

use serde::Serialize;

pub(crate) use address::V1Address;

/// The envelope of one object.
#[derive(Serialize)]
struct One<T> {
    data: T,
}

/// The envelope of a list.
#[derive(Serialize)]
struct List<T> {
    data: Vec<T>,
    meta: Count,
}

#[derive(Serialize)]
struct Count {
    count: usize,
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(views: I) -> Self {
        let data = Vec::from_iter(views);
        Self {
            meta: Count { count: data.len() },
            data,
        }
    }
}
