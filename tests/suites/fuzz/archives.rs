//! Fuzzes archives in archives: any bytes, or a valid delivery that is rearranged, nested and then corrupted.

use std::path::Path;

use postduif_indexer::{Build, read_delivery_header};
use postduif_schema::DataFolder;
use postduif_schema::NoProgress;
use zip::CompressionMethod;

use crate::delivery::{Archive, Content, municipal, national};

/// Names for entries: one for every kind of entry in a delivery, and some that occur in no delivery.
const NAMES: [&str; 16] = [
    "Leveringsdocument-BAG-Extract.xml",
    "GEM-WPL-RELATIE-15092021.zip",
    "GEM-WPL-RELATIE-15092021-000001.xml",
    "0457GEM15092021.zip",
    "9999NUM15092021.zip",
    "9999NUM15092021-000001.xml",
    "9999NUM15092021-000002.xml",
    "9999VBO15092021.zip",
    "9999MUT15092021-16092021.zip",
    "9999MUT15092021-16092021-000001.xml",
    "9999Inactief15092021.zip",
    "a/b/../../9999WPL15092021.zip",
    "deep/0457PND15092021.zip",
    "__MACOSX/._x",
    "readme.txt",
    "~~~~~~~~~~",
];

/// The first bytes of each kind of record in a zip archive. Source: APPNOTE.TXT 6.3.9, section 4.3.
const SIGNATURES: [&[u8; 4]; 4] = [b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06"];

/// The maximum number of entries. It is more than any reader accepts, and few enough to keep an input small.
const MOST_ENTRIES: usize = 200;

/// If the first byte is even, the other bytes are the archive. If it is odd, the other bytes are a list of changes to a valid
/// delivery.
pub(super) fn archives(bytes: &[u8]) {
    let Some((&which, rest)) = bytes.split_first() else {
        return;
    };
    match which & 1 {
        0 => check(rest),
        _ => check(&rearranged(which, rest)),
    }
}

/// Builds from an archive. The build must either publish, or refuse with an error that names the archive. It must write only to the
/// data folder.
fn check(packed: &[u8]) {
    super::in_folder(|folder| check_in(folder, packed));
}

fn check_in(folder: &Path, packed: &[u8]) {
    let extract = folder.join("delivery.zip");
    std::fs::write(&extract, packed).expect("writes");
    let has_header = read_delivery_header(&extract).is_ok();
    let data = DataFolder::new(folder.join("data"));
    let build = Build {
        accept_fewer: true,
        ..Build::new(extract)
    };
    match build.run(&data, &NoProgress) {
        Ok(_) => {
            assert!(has_header && data.current_generation().expect("readable").is_some());
            std::fs::remove_dir_all(data.path()).expect("removes");
        }
        Err(error) => {
            let text = error.to_string();
            assert!(
                error.is_refusal() && text.contains("delivery.zip"),
                "{text}"
            );
            assert!(text.len() < 2000, "{} bytes: {text}", text.len());
            assert_eq!(data.current_generation().expect("readable"), None);
            assert_eq!(names_in(&data.generations_path()), [""; 0], "{text}");
        }
    }
    assert!(
        names_in(folder)
            .iter()
            .all(|name| name == "delivery.zip" || name == "data")
    );
}

fn names_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let names = entries.map(|entry| entry.expect("readable").file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

/// Applies a list of changes to a valid delivery. Before the first byte 0xff, every three bytes change an entry. After it, every
/// four bytes change the packed bytes.
fn rearranged(which: u8, plan: &[u8]) -> Vec<u8> {
    let mut delivery = match which & 2 {
        0 => municipal(),
        _ => national(),
    };
    let end = plan
        .iter()
        .position(|&byte| byte == 0xff)
        .unwrap_or(plan.len());
    for step in plan[..end].chunks_exact(3) {
        change(&mut delivery, [step[0], step[1], step[2]]);
    }
    let mut packed = delivery.pack();
    for step in plan.get(end + 1..).unwrap_or_default().chunks_exact(4) {
        corrupt(&mut packed, [step[0], step[1], step[2], step[3]]);
    }
    packed
}

/// Makes one change to one entry, at any depth of nested archives.
fn change(delivery: &mut Archive, [kind, which, how]: [u8; 3]) {
    let mut paths = Vec::new();
    list(delivery, &mut Vec::new(), &mut paths);
    if paths.is_empty() || paths.len() > MOST_ENTRIES {
        return;
    }
    let path = &paths[usize::from(which) % paths.len()];
    let (&at, parent) = path.split_last().expect("an entry has a path");
    let whole = delivery.clone();
    let entries = &mut archive_at(delivery, parent).0;
    let name = NAMES[usize::from(how) % NAMES.len()];
    let free = entries.iter().all(|(taken, _)| taken != name);
    let method = match how & 1 {
        0 => CompressionMethod::Stored,
        _ => CompressionMethod::Deflated,
    };
    match kind % 7 {
        0 => drop(entries.remove(at)),
        1 if free => name.clone_into(&mut entries[at].0),
        2 if free => {
            let (_, content) = entries[at].clone();
            entries.push((name.into(), content));
        }
        3 => {
            if let Content::Archive(_, packing) = &mut entries[at].1 {
                *packing = method;
            }
        }
        4 if free => {
            let entry = entries.remove(at);
            let nested = Content::Archive(Archive(vec![entry]), method);
            entries.push((name.into(), nested));
        }
        5 if free => entries.push((name.into(), Content::Archive(whole, method))),
        6 => entries[at].1 = Content::File(vec![how; usize::from(how) << 6]),
        _ => {}
    }
}

/// Lists the path to every entry, as indices from the outermost archive to the innermost.
fn list(archive: &Archive, prefix: &mut Vec<usize>, paths: &mut Vec<Vec<usize>>) {
    for (at, (_, content)) in archive.0.iter().enumerate() {
        prefix.push(at);
        paths.push(prefix.clone());
        if let Content::Archive(inner, _) = content {
            list(inner, prefix, paths);
        }
        prefix.pop();
    }
}

fn archive_at<'a>(archive: &'a mut Archive, path: &[usize]) -> &'a mut Archive {
    path.iter()
        .fold(archive, |archive, &at| match &mut archive.0[at].1 {
            Content::Archive(inner, _) => inner,
            Content::File(_) | Content::Packed(_) => unreachable!("only archives have entries"),
        })
}

/// Overwrites one byte of a record in an archive. The parameters select the kind of record, the index of the record, the offset in
/// the record, and the new byte.
fn corrupt(packed: &mut [u8], [kind, which, at, byte]: [u8; 4]) {
    let signature = SIGNATURES[usize::from(kind) % SIGNATURES.len()];
    let starts = |at: &usize| packed[*at..].starts_with(signature);
    let records: Vec<usize> = (0..packed.len()).filter(starts).collect();
    if records.is_empty() {
        return;
    }
    let record = records[usize::from(which) % records.len()];
    if let Some(place) = packed.get_mut(record + usize::from(at)) {
        *place = byte;
    }
}
