//! What the people who run postduif work with: its figures and what is made of them, and the files in `docker/`.

mod copies;
mod figures;
mod hangup;
mod layout;
mod metrics;
pub(crate) mod nginx;
mod packaging;
mod restores;
mod rules;
mod several;
