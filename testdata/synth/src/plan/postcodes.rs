//! Makes the postcodes of made-up streets.

use crate::model::SynthPostcode;

/// The number of four-digit codes that do not end in 0; codes that end in 0 are reserved for post-office boxes.
pub(crate) const DIGIT_CODES: usize = 8_100;

/// The letter pairs of street postcodes. Omits the rare letters F, I, O, Q, U and Y, and the pairs SA, SD and SS, which were never
/// issued. Source: `dutch.md`, facts on the postcode grammar.
pub(crate) fn letter_pairs() -> &'static [[u8; 2]] {
    static PAIRS: std::sync::LazyLock<Vec<[u8; 2]>> = std::sync::LazyLock::new(|| {
        const LETTERS: &[u8; 20] = b"ABCDEGHJKLMNPRSTVWXZ";
        let all = LETTERS
            .iter()
            .flat_map(|&first| LETTERS.iter().map(move |&second| [first, second]));
        all.filter(|pair| !matches!(pair, b"SA" | b"SD" | b"SS"))
            .collect()
    });
    &PAIRS
}

/// The postcode at `index`, counted from the first postcode of the four-digit code with the index `first_digits`.
pub(crate) fn postcode_at(first_digits: usize, index: usize) -> SynthPostcode {
    let letters = letter_pairs();
    let ordinal = (first_digits + index / letters.len()) % DIGIT_CODES;
    let digits =
        u16::try_from(1_000 + ordinal / 9 * 10 + 1 + ordinal % 9).expect("four digits fit");
    SynthPostcode {
        digits,
        letters: letters[index % letters.len()],
    }
}
