//! Builds a zip bomb without overlapping entries. Its only entry inflates to gigabytes. The zip64 headers of the entry give the
//! true size or a false one.

use flate2::{Compress, Compression, FlushCompress};

/// The inflated size of one piece of the stream. The pieces are equal and independent of each other.
const PIECE: usize = 64 << 20;

/// The sizes that the two headers of the entry give; `None` is the true size.
#[derive(Clone, Copy)]
pub(super) struct FalseSizes {
    /// The size in the local header.
    pub(super) local: Option<u64>,
    /// The size in the central header.
    pub(super) central: Option<u64>,
}

impl FalseSizes {
    pub(super) const TRUE_SIZES: Self = Self {
        local: None,
        central: None,
    };
}

/// Builds an archive with one entry, which is deflated a thousandfold. The entry has a head, and `pieces` pieces that repeat one
/// letter.
///
/// Source: APPNOTE.TXT 6.3.9, sections 4.3.7, 4.3.12, 4.3.16 and 4.5.3.
pub(super) fn bomb(name: &str, head: &[u8], pieces: usize, listed: FalseSizes) -> Vec<u8> {
    let (begin, mut whole) = deflated(head);
    let (piece, crc) = deflated(&vec![b'x'; PIECE]);
    // End the stream with an empty final block with fixed codes.
    let stream = [begin, piece.repeat(pieces), vec![0x03, 0x00]].concat();
    (0..pieces).for_each(|_| whole.combine(&crc));
    let crc = whole.finalize();
    let truth = (head.len() + pieces * PIECE) as u64;
    let packed = stream.len() as u64;
    let name_length = &name.len().to_le_bytes()[..2];
    // Version 4.5, no flags, deflated, and no time of modification.
    let fields = [45, 0, 0, 0, 8, 0, 0, 0, 0x21, 0];
    let sizes = [0xff; 8];
    let extra = |size: u64| {
        let header = [1, 0, 16, 0];
        [&header[..], &size.to_le_bytes(), &packed.to_le_bytes()].concat()
    };
    let local = [
        b"PK\x03\x04",
        &fields[..],
        &crc.to_le_bytes(),
        &sizes,
        name_length,
        &[20, 0],
        name.as_bytes(),
        &extra(listed.local.unwrap_or(truth)),
    ]
    .concat();
    let central = [
        b"PK\x01\x02\x2d\x00",
        &fields[..],
        &crc.to_le_bytes(),
        &sizes,
        name_length,
        &[20, 0],
        &[0; 14],
        name.as_bytes(),
        &extra(listed.central.unwrap_or(truth)),
    ]
    .concat();
    let four = |number: usize| {
        u32::try_from(number)
            .expect("a small archive")
            .to_le_bytes()
    };
    let end = [
        b"PK\x05\x06\0\0\0\0\x01\0\x01\0",
        &four(central.len())[..],
        &four(local.len() + stream.len()),
        &[0, 0],
    ]
    .concat();
    [local, stream, central, end].concat()
}

/// Deflates bytes up to a byte boundary, so that more bytes can follow. Returns the deflated bytes and the checksum of the original
/// bytes.
fn deflated(bytes: &[u8]) -> (Vec<u8>, crc32fast::Hasher) {
    let mut crc = crc32fast::Hasher::new();
    crc.update(bytes);
    let mut deflated = Vec::with_capacity(1 << 20);
    let mut deflate = Compress::new(Compression::new(6), false);
    deflate
        .compress_vec(bytes, &mut deflated, FlushCompress::Sync)
        .expect("the buffer has room");
    assert_eq!(deflate.total_in(), bytes.len() as u64);
    (deflated, crc)
}
