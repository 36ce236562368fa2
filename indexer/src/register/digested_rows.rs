//! Writes and reads rows with a digest, which is the CRC-32 of the table's name, the key and the value.
//!
//! The store also has a checksum of every page, and [`Register::open`](super::Register::open) checks all of these. But a page checksum
//! does not detect a value that was damaged before the page was written, or that is read under the key of another row. The digest
//! detects both.

use crc32fast::Hasher;
use redb::{Table, TableHandle as _};

/// The length in bytes of the digest at the end of a value. The digest is little-endian.
const DIGEST_LEN: usize = 4;

/// A key of `DUE_CHANGES`: day, object type, id.
pub(super) type DueKey = (u32, u8, u64);

/// The value with its digest at the end.
fn append_digest(table: &str, key: &[u8], mut value: Vec<u8>) -> Vec<u8> {
    let digest = digest(table, key, &value).to_le_bytes();
    value.extend(digest);
    value
}

/// The value without its digest; `None` if value and digest do not match.
pub(super) fn check_digest<'a>(table: &str, key: &[u8], row: &'a [u8]) -> Option<&'a [u8]> {
    let (value, found) = row.split_last_chunk::<DIGEST_LEN>()?;
    (digest(table, key, value).to_le_bytes() == *found).then_some(value)
}

/// Like [`check_digest`], for a row that has the id of an object as its key.
pub(super) fn check_id_digest<'a>(table: &str, key: u64, row: &'a [u8]) -> Option<&'a [u8]> {
    check_digest(table, &key.to_le_bytes(), row)
}

/// The digest of a key of `DUE_CHANGES`; the table stores the digest as the value of the key.
pub(super) fn due_digest((day, object_type, id): DueKey) -> u32 {
    digest(
        "due",
        &[&day.to_le_bytes()[..], &[object_type], &id.to_le_bytes()].concat(),
        &[],
    )
}

pub(super) fn insert_row(
    rows: &mut Table<'_, u64, &'static [u8]>,
    key: u64,
    value: Vec<u8>,
) -> Result<(), redb::Error> {
    let row = append_digest(rows.name(), &key.to_le_bytes(), value);
    rows.insert(key, &*row)?;
    Ok(())
}

pub(super) fn insert_single(
    single: &mut Table<'_, &'static str, &'static [u8]>,
    key: &'static str,
    value: Vec<u8>,
) -> Result<(), redb::Error> {
    let row = append_digest(single.name(), key.as_bytes(), value);
    single.insert(key, &*row)?;
    Ok(())
}

pub(super) fn insert_due(due: &mut Table<'_, DueKey, u32>, key: DueKey) -> Result<(), redb::Error> {
    due.insert(key, due_digest(key))?;
    Ok(())
}

fn digest(table: &str, key: &[u8], value: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    // The NUL byte separates name and key. No table name contains a NUL byte, so no other name and key give the same bytes.
    for part in [table.as_bytes(), &[0], key, value] {
        hasher.update(part);
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_refused_if_its_table_key_or_value_differs() {
        let row = append_digest("panden", &7_u64.to_le_bytes(), b"1462".to_vec());
        assert_eq!(check_id_digest("panden", 7, &row), Some(&b"1462"[..]));
        assert_eq!(check_id_digest("panden", 8, &row), None, "another key");
        assert_eq!(
            check_id_digest("woonplaatsen", 7, &row),
            None,
            "another table"
        );
        for bit in 0..row.len() * 8 {
            let mut damaged = row.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(check_id_digest("panden", 7, &damaged), None, "bit {bit}");
        }
        for length in 0..row.len() {
            assert_eq!(
                check_id_digest("panden", 7, &row[..length]),
                None,
                "{length} bytes"
            );
        }
    }

    #[test]
    fn the_digest_of_a_due_change_covers_its_whole_key() {
        let key = (20_210_915, 2, 457_200_000_000_001);
        let others = [
            (20_210_916, key.1, key.2),
            (key.0, 3, key.2),
            (key.0, key.1, key.2 + 1),
        ];
        assert!(
            others
                .into_iter()
                .all(|other| due_digest(other) != due_digest(key))
        );
    }
}
