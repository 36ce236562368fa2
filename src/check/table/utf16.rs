//! Decodes UTF-16 to UTF-8. Spreadsheets save text files in UTF-16 as "Unicode text". An unpaired surrogate becomes U+FFFD.

use std::io::{self, Read};

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_16BE, UTF_16LE};

/// Bytes of the input that are decoded in one step.
const CHUNK_BYTES: usize = 1 << 16;

/// Reads UTF-16 as UTF-8, chunk by chunk.
pub(super) struct Utf16Reader<R> {
    input: R,
    decoder: Decoder,
    encoded: Box<[u8]>,
    text: Vec<u8>,
    /// Bytes of `text` that were already returned.
    returned: usize,
    is_at_end: bool,
}

/// The encoding of a text that begins with a byte-order mark of UTF-16; `None` for other texts.
pub(super) fn utf16_encoding(start: &[u8]) -> Option<&'static Encoding> {
    let (encoding, _) = Encoding::for_bom(start)?;
    [UTF_16LE, UTF_16BE].contains(&encoding).then_some(encoding)
}

impl<R: Read> Utf16Reader<R> {
    /// Reads a text that begins with a byte-order mark. The mark is not returned.
    pub(super) fn new(input: R, encoding: &'static Encoding) -> Self {
        Self {
            input,
            decoder: encoding.new_decoder_with_bom_removal(),
            encoded: vec![0; CHUNK_BYTES].into(),
            text: Vec::new(),
            returned: 0,
            is_at_end: false,
        }
    }

    /// Decodes the next chunk.
    fn fill(&mut self) -> io::Result<()> {
        let read = self.input.read(&mut self.encoded)?;
        self.is_at_end = read == 0;
        let encoded = &self.encoded[..read];
        let most = self.decoder.max_utf8_buffer_length(read);
        let most = most.expect("the length of a chunk is small");
        self.text.resize(most, 0);
        let (result, _, written, _) = self
            .decoder
            .decode_to_utf8(encoded, &mut self.text, self.is_at_end);
        assert_eq!(
            result,
            CoderResult::InputEmpty,
            "the buffer is large enough"
        );
        self.text.truncate(written);
        self.returned = 0;
        Ok(())
    }
}

impl<R: Read> Read for Utf16Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.returned == self.text.len() && !self.is_at_end {
            self.fill()?;
        }
        let count = (&self.text[self.returned..]).read(buffer)?;
        self.returned += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte at a time, so that every UTF-16 unit is split over two reads.
    struct ByteByByte<'a>(&'a [u8]);

    impl Read for ByteByByte<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(1);
            self.0.read(&mut buffer[..most])
        }
    }

    fn encode(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(to_bytes).collect()
    }

    fn read(bytes: &[u8]) -> String {
        let encoding = utf16_encoding(bytes).expect("a byte-order mark");
        let read = |input: &mut dyn Read| {
            let mut text = String::new();
            let mut reader = Utf16Reader::new(input, encoding);
            reader.read_to_string(&mut text).expect("UTF-8");
            text
        };
        let whole = read(&mut { bytes });
        assert_eq!(read(&mut ByteByByte(bytes)), whole);
        whole
    }

    #[test]
    fn both_byte_orders_are_read_in_chunks_of_any_size() {
        let text = "naam\tplaats\r\nDaniël €\t's-Gravenhage 𝄞\r\n".repeat(5_000);
        assert_eq!(read(&encode(&text, u16::to_le_bytes)), text);
        assert_eq!(read(&encode(&text, u16::to_be_bytes)), text);
    }

    #[test]
    fn an_unpaired_surrogate_or_half_a_unit_is_replaced() {
        let mut bytes = encode("a", u16::to_le_bytes);
        bytes.extend(0xd834_u16.to_le_bytes());
        bytes.extend([b'b', 0, b'c']);
        assert_eq!(read(&bytes), "a\u{fffd}b\u{fffd}");
    }

    #[test]
    fn a_text_without_the_mark_is_not_utf16() {
        for start in [&b"\xef\xbb\xbfa"[..], b"a", b"", b"\xff"] {
            assert_eq!(utf16_encoding(start), None);
        }
    }
}
