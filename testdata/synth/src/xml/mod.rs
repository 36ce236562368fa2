//! Writes the XML of deliveries, and the zips that contain it.

mod archive;
mod area;
mod elements;
mod object_files;
mod objects;
mod onderzoek;
mod relations;
mod text;

pub(crate) use archive::NestedZip;
pub(crate) use area::municipal_area;
pub(crate) use object_files::{ObjectFiles, WriteCounts};
pub(crate) use objects::write_object;
pub(crate) use onderzoek::write_onderzoek;
pub(crate) use relations::write_relations;
pub(crate) use text::XmlText;
