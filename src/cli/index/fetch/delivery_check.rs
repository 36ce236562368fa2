//! Checks a complete file before it is moved to the inbox: that it is an undamaged zip and the expected delivery.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::Path;

use jiff::civil::Date;
use postduif_indexer::{DeliveryHeader, MutationPeriod, parse_delivery_day, read_delivery_header};
use zip::ZipArchive;
use zip::result::ZipError;

/// Maximum ratio of unpacked to packed bytes. A file beyond it is rejected. Deliveries stay far below this limit, because their
/// entries are archives, which hardly shrink.
const MAX_UNPACKED_RATIO: u64 = 100;

/// Why a file is not moved to the inbox.
#[derive(Debug)]
pub(super) enum CheckError {
    /// The file is not the expected delivery, for this reason.
    Rejected(String),
    /// The file cannot be read.
    Io(io::Error),
}

/// Checks a whole file and returns its stand, which is the stand of the register after the delivery is applied. `expected` is the
/// period of the mutations that the file should have; `None` for an extract.
pub(super) fn check_delivery(
    path: &Path,
    expected: Option<MutationPeriod>,
) -> Result<Date, CheckError> {
    let header = match read_delivery_header(path) {
        Ok(header) => header,
        Err(error) if error.is_refusal() => {
            let reason = crate::cli::outcome::full_message(&error.into());
            // Replace the name of the unfinished file, because the operator does not know that name.
            let reason = reason.replace(&path.display().to_string(), "the file");
            return Err(CheckError::Rejected(format!("not a delivery: {reason}")));
        }
        Err(error) => return Err(CheckError::Io(io::Error::other(error))),
    };
    let (stand, period, found) = match header {
        DeliveryHeader::Stand { stand, .. } => (stand, None, format!("is the extract of {stand}")),
        DeliveryHeader::Mutations { period, .. } => (
            period.to,
            Some(period),
            format!("has mutations from {period}"),
        ),
    };
    if period != expected {
        let expected = expected.map_or("an extract".to_owned(), |period| {
            format!("mutations from {period}")
        });
        return Err(CheckError::Rejected(format!(
            "expected {expected}, but the file {found}"
        )));
    }
    check_checksums(path)?;
    Ok(stand)
}

/// Compares every entry with its CRC-32. If the file changed on the server during the download, its header may still be readable, but
/// a checksum differs.
fn check_checksums(path: &Path) -> Result<(), CheckError> {
    let file = File::open(path).map_err(CheckError::Io)?;
    let mut left = file.metadata().map_err(CheckError::Io)?.len();
    left = left.saturating_mul(MAX_UNPACKED_RATIO);
    let zip = ZipArchive::new(BufReader::with_capacity(1 << 20, file));
    let mut zip = zip.map_err(|error| zip_error("the archive", error))?;
    for index in 0..zip.len() {
        let entry = zip.by_index(index);
        let entry = entry.map_err(|error| zip_error("an entry", error))?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        // The reader compares the checksum when it reaches the end of the entry.
        let mut limited = entry.take(left.saturating_add(1));
        let read = io::copy(&mut limited, &mut io::sink());
        let read = read.map_err(|error| zip_error(&name, error.into()))?;
        left = left.checked_sub(read).ok_or_else(|| {
            CheckError::Rejected(format!(
                "the file unpacks to more than {MAX_UNPACKED_RATIO} times its size"
            ))
        })?;
    }
    Ok(())
}

/// Converts an error of the zip reader. An error with an OS error code is an I/O error. Any other error means that the content is
/// damaged.
fn zip_error(entry: &str, error: ZipError) -> CheckError {
    match error {
        ZipError::Io(error) if error.raw_os_error().is_some() => CheckError::Io(error),
        error => CheckError::Rejected(format!("damaged: {entry}: {error}")),
    }
}

/// Reads the day in the name of the first entry of a zip, such as `9999NUM08012026.zip`. `bytes` are the first bytes of the zip.
/// `None` if these bytes contain no day.
///
/// Source: PKWARE, APPNOTE.TXT, section 4.3.7. The length of the name is at byte 26, and the name at byte 30.
pub(super) fn first_entry_day(bytes: &[u8]) -> Option<Date> {
    let length = bytes.strip_prefix(b"PK\x03\x04").and(bytes.get(26..28))?;
    let length = u16::from_le_bytes(length.try_into().ok()?);
    let name = std::str::from_utf8(bytes.get(30..30 + usize::from(length))?).ok()?;
    let stem = name.strip_suffix(".zip")?;
    parse_delivery_day(stem.get(stem.len().checked_sub(8)?..)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_is_read_from_the_name_of_the_first_entry() {
        #[track_caller]
        fn case(name: &str, expected: Option<Date>) {
            let mut bytes = b"PK\x03\x04".to_vec();
            bytes.resize(26, 0);
            let length = u16::try_from(name.len()).expect("short");
            bytes.extend(length.to_le_bytes());
            bytes.extend([0, 0]);
            bytes.extend(name.as_bytes());
            assert_eq!(first_entry_day(&bytes), expected, "{name}");
            bytes.pop();
            assert_eq!(first_entry_day(&bytes), None, "cut off");
        }
        let day = jiff::civil::date(2026, 1, 8);
        case("9999NUM08012026.zip", Some(day));
        case("GEM-WPL-RELATIE-08012026.zip", Some(day));
        case("Leveringsdocument-BAG-Extract.xml", None);
        case("9999NUM99999999.zip", None);
        case("8012026.zip", None);
        case("é8012026.zip", None);
    }
}
