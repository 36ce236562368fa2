//! Builds data folders for tests of the search: the bundled town, a real delivery, or a made-up country of any size.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use postduif_indexer::Build;
use postduif_schema::DataFolder;
use postduif_schema::NoProgress;
use synth::{Spec, StreetNameList};

const TOWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/town.zip");
const PO_BOXES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/po-boxes.csv");

/// Indexes the town in `testdata` and its post-office boxes.
pub(crate) fn bundled_town(folder: &Path) -> anyhow::Result<DataFolder> {
    build(folder, TOWN.into(), Some(PO_BOXES.into()))
}

/// Indexes a delivery without post-office boxes.
pub(crate) fn delivery(folder: &Path, extract: &Path) -> anyhow::Result<DataFolder> {
    build(folder, extract.into(), None)
}

/// Indexes a made-up country, as `synth --addresses N --names TSV` and `postduif index build` do. With the real street names and
/// their frequencies, it is as hard to search as the real country. For example, it has 500 streets named Kerkstraat.
pub(crate) fn made_up(
    folder: &Path,
    addresses: u64,
    names: Option<&Path>,
) -> anyhow::Result<DataFolder> {
    let mut spec = Spec::new(addresses, 1)?;
    if let Some(names) = names {
        let list = File::open(names).with_context(|| names.display().to_string())?;
        spec = spec.with_names(StreetNameList::read(BufReader::new(list))?);
    }
    let extract = folder.join("delivery.zip");
    synth::write_extract(&spec, &extract, |_| ())?;
    build(folder, extract, None)
}

fn build(folder: &Path, extract: PathBuf, po_boxes: Option<PathBuf>) -> anyhow::Result<DataFolder> {
    let data = DataFolder::new(folder.join("data"));
    let build = Build {
        po_boxes,
        ..Build::new(extract)
    };
    build.run(&data, &NoProgress)?;
    Ok(data)
}
