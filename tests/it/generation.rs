//! Publishing a generation of a few addresses, as the indexer publishes one of a country.

use std::fs;
use std::path::Path;

use postduif_schema::{
    ADDRESSES, Address, Area, Counts, DataFolder, GenerationName, LAYOUT_VERSION, Manifest,
    StoredFile, address_layout, to_document,
};

/// Memory for the writer, taken as it is needed: enough to write a million addresses as one segment.
const ONE_SEGMENT_BYTES: usize = 1_000_000_000;

/// Writes a generation and makes it the current one.
pub(crate) fn publish(data: &DataFolder, name: &str, addresses: &[Address]) {
    let name = write(data, name, addresses);
    data.set_current(name).expect("a writable data folder");
}

/// Writes a generation, flips a byte of its largest file, and makes it the current one.
pub(crate) fn publish_damaged(data: &DataFolder, name: &str, addresses: &[Address]) {
    let name = write(data, name, addresses);
    let folder = data.generation_path(name).join(ADDRESSES);
    let files = fs::read_dir(&folder)
        .expect("an index")
        .map(|entry| entry.expect("an entry").path());
    let largest = files
        .max_by_key(|path| path.metadata().expect("a file").len())
        .expect("a file");
    let mut bytes = fs::read(&largest).expect("readable");
    bytes[0] ^= 1;
    fs::write(&largest, bytes).expect("writable");
    data.set_current(name).expect("a writable data folder");
}

fn write(data: &DataFolder, name: &str, addresses: &[Address]) -> GenerationName {
    let name: GenerationName = name.parse().expect("a generation's name");
    let folder = data.generation_path(name);
    write_index(&folder.join(ADDRESSES), addresses);
    let manifest = Manifest {
        layout_version: LAYOUT_VERSION,
        generation: name,
        stand: name.stand(),
        area: Area::Country,
        created_at: jiff::Timestamp::UNIX_EPOCH,
        counts: Counts {
            addresses: addresses.len() as u64,
            po_boxes: 0,
        },
        files: describe(&folder),
        checksum: String::new(),
    };
    manifest.write(&folder).expect("a fresh folder");
    name
}

fn write_index(folder: &Path, addresses: &[Address]) {
    fs::create_dir_all(folder).expect("a writable data folder");
    let (schema, fields) = address_layout();
    let index = tantivy::Index::create_in_dir(folder, schema).expect("a fresh folder");
    let mut writer = index
        .writer_with_num_threads(1, ONE_SEGMENT_BYTES)
        .expect("a writer");
    for address in addresses {
        writer
            .add_document(to_document(address, &fields))
            .expect("a document");
    }
    writer.commit().expect("a commit");
    writer.wait_merging_threads().expect("no merges");
}

fn describe(folder: &Path) -> Vec<StoredFile> {
    let entries = fs::read_dir(folder.join(ADDRESSES)).expect("an index");
    let names = entries.map(|entry| {
        entry
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("ASCII")
    });
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    let paths = names.iter().map(|name| format!("{ADDRESSES}/{name}"));
    paths
        .map(|path| StoredFile::describe(folder, &path).expect("a file"))
        .collect()
}
