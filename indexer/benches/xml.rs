//! Measures how fast XML is read, for each object type. Run it with `cargo bench -p postduif-indexer --bench xml`.
//!
//! The benchmark reads one document of each type from the town in `testdata`, or from the extract in `POSTDUIF_BENCH_EXTRACT`. For
//! comparison, it also reads the same documents with quick-xml alone.

use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::path::PathBuf;
use std::sync::OnceLock;

use divan::counter::BytesCount;
use divan::{AllocProfiler, Bencher};
use postduif_indexer::DocumentKind;
use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const EXTRACT: &str = "POSTDUIF_BENCH_EXTRACT";
const TOWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/town.zip");

/// Object types, by their letters in file names.
const KINDS: [&str; 5] = ["WPL", "OPR", "NUM", "VBO", "PND"];

fn main() {
    divan::main();
}

/// The first document of each object type.
fn documents() -> &'static [Vec<u8>] {
    static DOCUMENTS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    DOCUMENTS.get_or_init(|| {
        let extract = std::env::var_os(EXTRACT).map_or(TOWN.into(), PathBuf::from);
        let mut extract = ZipArchive::new(File::open(extract).expect("an extract")).expect("a zip");
        let kinds = KINDS.iter().map(|letters| {
            let document = first_document(&mut extract, letters);
            document.unwrap_or_else(|| panic!("no {letters} in the extract"))
        });
        kinds.collect()
    })
}

fn first_document(extract: &mut ZipArchive<impl Read + Seek>, letters: &str) -> Option<Vec<u8>> {
    for at in 0..extract.len() {
        let mut entry = extract.by_index(at).expect("an entry");
        let name = entry.name().expect("a name").into_owned();
        // A name has four digits, the three letters of the type, and a day of eight digits. A municipal delivery has the archives
        // of the types inside an archive of type GEM.
        let kind = name.get(4..7).filter(|_| name.len() == 19);
        if kind.is_none_or(|kind| kind != letters && kind != "GEM") {
            continue;
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("sound");
        let mut inner = ZipArchive::new(Cursor::new(bytes)).expect("a zip");
        if kind != Some(letters) {
            return first_document(&mut inner, letters);
        }
        let mut document = Vec::new();
        let mut entry = inner.by_index(0).expect("a document");
        entry.read_to_end(&mut document).expect("sound");
        return Some(document);
    }
    None
}

fn measure(bencher: Bencher<'_, '_>, kind: &str, work: impl Fn(&'static [u8])) {
    let at = KINDS.iter().position(|letters| *letters == kind);
    let document = &documents()[at.expect("a kind")];
    let bencher = bencher.counter(BytesCount::of_slice(document));
    bencher.bench_local(|| work(document));
}

#[divan::bench(args = KINDS)]
fn objects(bencher: Bencher<'_, '_>, kind: &str) {
    measure(bencher, kind, |document| {
        let count = DocumentKind::Objects.count_records(kind, document);
        let count = count.expect("a sound document");
        assert!(count > 0, "no {kind}");
    });
}

#[divan::bench(args = KINDS)]
fn quick_xml_alone(bencher: Bencher<'_, '_>, kind: &str) {
    measure(bencher, kind, |document| {
        let mut reader = Reader::from_reader(document);
        while !matches!(reader.read_event().expect("sound"), Event::Eof) {}
    });
}
