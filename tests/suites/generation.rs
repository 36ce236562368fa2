//! Publishes generations of a few addresses in the form that the indexer publishes.

use std::fs;
use std::path::Path;

use postduif_schema::{
    ADDRESSES_DIR, Address, AddressId, AddressIndex, Area, DataFolder, FileEntry, GenerationCounts,
    GenerationName, LAYOUT_VERSION, Manifest, PLACES_DIR, PlaceWriter, PlacesBuilder,
    RegisterVersion, address_layout, to_document,
};
use tantivy::Term;
use tantivy::indexer::NoMergePolicy;

/// The memory limit of the index writer: enough to write a million addresses as one segment.
const ONE_SEGMENT_BYTES: usize = 1_000_000_000;

/// Writes a generation and makes it the current one.
pub(crate) fn publish(data: &DataFolder, name: &str, addresses: &[Address]) {
    let name = write(data, name, addresses);
    data.set_current(name).expect("a writable data folder");
}

/// Writes a generation, flips a bit in its largest file, and makes it the current one.
pub(crate) fn publish_damaged(data: &DataFolder, name: &str, addresses: &[Address]) {
    let name = write(data, name, addresses);
    let folder = data.generation_path(name).join(ADDRESSES_DIR);
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

/// Writes a generation that shares the segments of the current generation, and makes it the current one. It deletes some addresses,
/// and adds others in a new segment.
pub(crate) fn publish_next(
    data: &DataFolder,
    name: &str,
    deleted: &[AddressId],
    added: &[Address],
) {
    let current = data
        .current_generation()
        .expect("readable")
        .expect("a generation");
    let name: GenerationName = name.parse().expect("a generation's name");
    let [from, to] = [current, name].map(|name| data.generation_path(name).join(ADDRESSES_DIR));
    fs::create_dir_all(&to).expect("a writable data folder");
    for file in fs::read_dir(from).expect("an index") {
        let file = file.expect("an entry");
        if file.path().extension().is_none_or(|end| end != "lock") {
            fs::hard_link(file.path(), to.join(file.file_name())).expect("one file system");
        }
    }
    let addresses = change_index(&to, name, deleted, added);
    write_manifest(data, name, addresses);
    data.set_current(name).expect("a writable data folder");
}

/// Deletes and adds addresses in an index; returns the new number of addresses.
fn change_index(
    folder: &Path,
    name: GenerationName,
    deleted: &[AddressId],
    added: &[Address],
) -> u64 {
    let (_, fields) = address_layout();
    let index = tantivy::Index::open_in_dir(folder).expect("an index");
    let mut writer = index
        .writer_with_num_threads(1, ONE_SEGMENT_BYTES)
        .expect("a writer");
    writer.set_merge_policy(Box::new(NoMergePolicy));
    for id in deleted {
        writer.delete_term(Term::from_field_u64(fields.id, id.get()));
    }
    for address in added {
        writer
            .add_document(to_document(address, &fields))
            .expect("a document");
    }
    commit(&mut writer, name);
    writer.wait_merging_threads().expect("no merges");
    AddressIndex::open(folder).expect("opens").len()
}

fn write(data: &DataFolder, name: &str, addresses: &[Address]) -> GenerationName {
    let name: GenerationName = name.parse().expect("a generation's name");
    write_index(
        &data.generation_path(name).join(ADDRESSES_DIR),
        name,
        addresses,
    );
    write_manifest(data, name, addresses.len() as u64);
    name
}

fn write_manifest(data: &DataFolder, name: GenerationName, addresses: u64) {
    let folder = data.generation_path(name);
    write_places(&folder);
    let manifest = Manifest {
        layout_version: LAYOUT_VERSION,
        generation: name,
        stand: name.stand(),
        sequence: 0,
        area: Area::Country,
        created_at: jiff::Timestamp::UNIX_EPOCH,
        counts: GenerationCounts {
            addresses,
            po_boxes: 0,
        },
        files: list_files(&folder),
        checksum: String::new(),
    };
    manifest.write(&folder).expect("a fresh folder");
}

/// Writes the index of places for the addresses of a generation.
fn write_places(folder: &Path) {
    let index = AddressIndex::open(&folder.join(ADDRESSES_DIR)).expect("an index");
    let mut places = PlacesBuilder::default();
    for address in index.iter() {
        places.add_address(&address.expect("an address"));
    }
    let writer = PlaceWriter {
        short_names: &|_| None,
    };
    fs::create_dir_all(folder.join(PLACES_DIR)).expect("a writable data folder");
    let written = writer.write(places, &folder.join(PLACES_DIR));
    written.expect("a fresh folder");
}

fn write_index(folder: &Path, name: GenerationName, addresses: &[Address]) {
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
    commit(&mut writer, name);
    writer.wait_merging_threads().expect("no merges");
}

fn commit(writer: &mut tantivy::IndexWriter, name: GenerationName) {
    let mut commit = writer.prepare_commit().expect("a commit");
    commit.set_payload(&RegisterVersion::from_full_build(name.stand()).to_payload());
    commit.commit().expect("a commit");
}

fn list_files(folder: &Path) -> Vec<FileEntry> {
    let in_index = |index: &'static str| {
        let entries = fs::read_dir(folder.join(index)).expect("an index");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names.map(|name| name.into_string().expect("ASCII"));
        names
            .filter(|name| !name.starts_with('.'))
            .map(move |name| format!("{index}/{name}"))
    };
    let mut paths: Vec<String> = [ADDRESSES_DIR, PLACES_DIR]
        .into_iter()
        .flat_map(in_index)
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| FileEntry::from_disk(folder, path).expect("a file"))
        .collect()
}
