//! Decodes cells of old DOS and Mac programs (code pages 850 and 437, Mac Roman): `Co‰vorden` in Windows-1252 is Coëvorden. A cell is
//! decoded if all its letters above ASCII are small and directly follow a small letter of ASCII, and at least one of them is a mark. Other
//! cells stay Windows-1252.

/// The characters of code pages 850 and 437 from 0x80 on.
const DOS_CHARS: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ";

/// Bytes that are Dutch letters in an old encoding, but signs, capitals or nothing in Windows-1252: `ü`, `é`, `ä`, `ë`, `ï` and
/// `ö` of DOS, and `ç`, `é`, `è`, `ê`, `ë`, `ï` and `ü` of the Mac.
const DOS_MARKS: &[u8] = b"\x81\x82\x84\x89\x8b\x94";
const MAC_MARKS: &[u8] = b"\x8d\x8e\x8f\x90\x91\x95\x9f";

/// Marks that are quotes in Windows-1252 (`„`, `‘` and `”`) and seldom end a word in an old encoding (`ä`, `ë` and `ö`). They are
/// letters only before a small letter other than `s`. The other quotes need no such rule: 0x82 and 0x8b (`‚` and `‹`) open a quotation,
/// so they follow no letter, and 0x82 ends words such as `Café`; 0x92, 0x93 and 0x9b are no marks.
const QUOTES: &[u8] = b"\x84\x91\x94";

/// Decodes a text that is certain to come from DOS or a Mac; `None` for other texts.
pub(super) fn decode_dos_or_mac(bytes: &[u8]) -> Option<String> {
    let dos = |byte: u8| DOS_CHARS.chars().nth(usize::from(byte) - 0x80);
    let mac = |byte: u8| {
        let bytes = [byte];
        let (text, _) = encoding_rs::MACINTOSH.decode_without_bom_handling(&bytes);
        text.chars().next()
    };
    decode(bytes, DOS_MARKS, dos).or_else(|| decode(bytes, MAC_MARKS, mac))
}

/// Decodes a text if one of its bytes is among `marks` and each of its bytes above ASCII is a small letter within a word.
fn decode(bytes: &[u8], marks: &[u8], char_of: impl Fn(u8) -> Option<char>) -> Option<String> {
    if !bytes.iter().any(|byte| marks.contains(byte)) {
        return None;
    }
    let decode_byte = |at: usize| {
        let byte = bytes[at];
        if byte.is_ascii() {
            return Some(char::from(byte));
        }
        let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        let after = bytes.get(at + 1).copied().unwrap_or(b' ');
        // `foto‘s` has a quote.
        let is_quote = QUOTES.contains(&byte) && (!after.is_ascii_lowercase() || after == b's');
        let is_in_word = before.is_ascii_lowercase() && after.is_ascii() && !is_quote;
        char_of(byte).filter(|c| is_in_word && c.is_lowercase())
    };
    (0..bytes.len()).map(decode_byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_are_no_words_in_windows_1252_are_decoded() {
        for (bytes, expected) in [
            (&b"Co\x89vorden"[..], Some("Coëvorden")),
            (b"Marga Klomp\x82straat", Some("Marga Klompéstraat")),
            (b"Caf\x82 Sch\x94nfeld", Some("Café Schönfeld")),
            (b"Co\x91vorden", Some("Coëvorden")),
            (b"Truus Wijsm\x9fllerstraat", Some("Truus Wijsmüllerstraat")),
            (b"Caf\x8e", Some("Café")),
            // Windows-1252: ’, ‘, “, ”, š, €, – and ë.
            (b"pagina\x92s foto\x91s", None),
            (b"d\x92Arc \x93Hoekje\x94 Milo\x9a", None),
            (b"\x80 5 a\x96b Dani\xebl", None),
            (b"Dani\xebl Co\x89vorden", None),
        ] {
            assert_eq!(decode_dos_or_mac(bytes).as_deref(), expected);
        }
    }
}
