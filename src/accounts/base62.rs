//! Encodes in base 62 (`0-9A-Za-z`): random characters from the operating system, and 32-bit numbers in six characters.

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The highest multiple of 62 that fits in a byte. Bytes of this value and above are discarded, because they would make low digits more
/// frequent.
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

/// Writes `number` in six characters, the most significant first. Every number fits, because 62⁶ is more than 2³².
pub(super) fn encode_u32(mut number: u32) -> [u8; 6] {
    let mut text = [ALPHABET[0]; 6];
    for slot in text.iter_mut().rev() {
        *slot = digit(number);
        number /= 62;
    }
    text
}

/// The character for `value` modulo 62.
fn digit(value: u32) -> u8 {
    ALPHABET[(value % 62) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_six_digits_with_the_most_significant_first() {
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
            // The expected count is 200, its standard deviation 14. A count outside these bounds occurs less than once in 10^12 runs.
            assert!(
                (100..300).contains(&count),
                "{:?} came {count} times",
                char::from(*wanted)
            );
        }
        assert!(text.iter().all(u8::is_ascii_alphanumeric));
    }
}
