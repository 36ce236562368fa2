//! Builds plots: an ordinary house, a block, or a special situation. Every function also records the addresses that must be served,
//! so that the expected addresses do not depend on the voorkomens.

mod dates;
mod ordinary;
mod plaatsen;
mod shared;
mod special;
mod unserved;

pub(crate) use ordinary::{house, ordinary, sheds};
pub(crate) use special::SPECIAL_PLOTS;
pub(crate) use unserved::{begins_later, demolished};
