//! Writes addresses as a generation, without a delivery.

use std::fs;
use std::path::Path;

use postduif_schema::{
    ADDRESSES_DIR, Address, Area, DataFolder, FileEntry, GenerationCounts, GenerationName,
    LAYOUT_VERSION, Manifest, PLACES_DIR, PlaceWriter, PlacesBuilder, RegisterVersion,
    address_layout, to_document,
};

/// The memory limit of the index writer: enough to write a million addresses as one segment.
const ONE_SEGMENT_BYTES: usize = 2_000_000_000;

pub(super) fn publish(folder: &Path, addresses: &[Address]) -> anyhow::Result<DataFolder> {
    let data = DataFolder::new(folder);
    let name: GenerationName = "2026-01-01-1".parse()?;
    let generation = data.generation_path(name);
    let (places, rows) = (generation.join(PLACES_DIR), generation.join(ADDRESSES_DIR));
    fs::create_dir_all(&places)?;
    fs::create_dir_all(&rows)?;
    write_places(&places, addresses)?;
    write_addresses(
        &rows,
        RegisterVersion::from_full_build(name.stand()),
        addresses,
    )?;
    let manifest = Manifest {
        layout_version: LAYOUT_VERSION,
        generation: name,
        stand: name.stand(),
        sequence: 0,
        area: Area::Country,
        created_at: jiff::Timestamp::UNIX_EPOCH,
        counts: GenerationCounts {
            addresses: addresses.len() as u64,
            po_boxes: 0,
        },
        files: files(&generation)?,
        checksum: String::new(),
    };
    manifest.write(&generation)?;
    data.set_current(name)?;
    Ok(data)
}

fn write_places(folder: &Path, addresses: &[Address]) -> anyhow::Result<()> {
    let mut places = PlacesBuilder::default();
    for address in addresses {
        places.add_address(address);
    }
    let writer = PlaceWriter {
        short_names: &|_| None,
    };
    Ok(writer.write(places, folder)?)
}

fn write_addresses(
    folder: &Path,
    stamp: RegisterVersion,
    addresses: &[Address],
) -> anyhow::Result<()> {
    let (schema, fields) = address_layout();
    let index = tantivy::Index::create_in_dir(folder, schema)?;
    let mut writer = index.writer_with_num_threads(1, ONE_SEGMENT_BYTES)?;
    for address in addresses {
        writer.add_document(to_document(address, &fields))?;
    }
    let mut commit = writer.prepare_commit()?;
    commit.set_payload(&stamp.to_payload());
    commit.commit()?;
    Ok(writer.wait_merging_threads()?)
}

fn files(generation: &Path) -> anyhow::Result<Vec<FileEntry>> {
    let mut files = Vec::new();
    for index in [ADDRESSES_DIR, PLACES_DIR] {
        for entry in fs::read_dir(generation.join(index))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if !name.starts_with('.') {
                files.push(FileEntry::from_disk(
                    generation,
                    &format!("{index}/{name}"),
                )?);
            }
        }
    }
    Ok(files)
}
