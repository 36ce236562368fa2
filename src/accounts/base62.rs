//! Base 62 over `0-9A-Za-z`: random characters from the operating system, and 32-bit numbers in six characters.

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The highest multiple of 62 that a byte can hold: bytes from here on are discarded, because low digits would be more frequent.
const UNBIASED_LIMIT: u8 = 248;

/// Fills `out` with uniformly random base-62 characters.
pub(super) fn fill_random(out: &mut [u8]) -> Result<(), getrandom::Error> {
    let mut filled = 0;
    while filled < out.len() {
        let mut pool = [0; 64];
        getrandom::fill(&mut pool)?;
        let fair = pool.iter().filter(|byte| **byte < UNBIASED_LIMIT);
        for (slot, byte) in out[filled..].iter_mut().zip(fair) {
            *slot = digit(u32::from(*byte));
            filled += 1;
        }
    }
    Ok(())
}

/// Writes `number` in six characters, most significant first; 62⁶ is more than 2³², so every number fits.
pub(super) fn encode_u32(mut number: u32) -> [u8; 6] {
    let mut text = [ALPHABET[0]; 6];
    for slot in text.iter_mut().rev() {
        *slot = digit(number);
        number /= 62;
    }
    text
}

/// The character of `value` modulo 62.
fn digit(value: u32) -> u8 {
    ALPHABET[(value % 62) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_is_big_endian_and_padded() {
        #[track_caller]
        fn case(number: u32, text: &[u8; 6]) {
            assert_eq!(&encode_u32(number), text, "{number}");
        }
        case(0, b"000000");
        case(1, b"000001");
        case(61, b"00000z");
        case(62, b"000010");
        case(62 * 62 + 10, b"00010A");
        case(u32::MAX, b"4gfFC3");
    }

    #[test]
    fn random_text_fills_every_place_and_uses_every_character() {
        let mut text = vec![0; 62 * 200];
        fill_random(&mut text).expect("the operating system has randomness");
        for wanted in ALPHABET {
            let count = text.iter().filter(|byte| *byte == wanted).count();
            // 200 expected, standard deviation 14: outside these bounds less than once in 10^12 runs.
            assert!(
                (100..300).contains(&count),
                "{:?} came {count} times",
                char::from(*wanted)
            );
        }
        assert!(text.iter().all(u8::is_ascii_alphanumeric));
    }
}
