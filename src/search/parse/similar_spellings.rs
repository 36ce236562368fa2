//! Lists the spellings of a name that are compared with the names of the register.

use postduif_schema::SimilarText;

use super::abbreviations::spellings;
use super::misread_digits::replace_misread_digits;
use super::particles::with_particles;

/// Maximum number of spellings of a name that are compared, not counting those with letters for misread digits.
const MAX_SPELLINGS: usize = 6;

/// The spellings of a name that are compared: the folded words as they are, with abbreviations written out, with particles written out, and
/// with letters for misread digits.
pub fn similar_spellings(words: &[String]) -> Vec<SimilarText> {
    let spelled = spellings(words).into_iter().take(MAX_SPELLINGS);
    let corrected_words = replace_misread_digits(words);
    let corrected = corrected_words.as_deref().map_or_else(Vec::new, spellings);
    let spelled = spelled.chain(corrected);
    let similar = spelled.filter_map(|spelling| SimilarText::new(&spelling.words));
    let with_particles = with_particles(words);
    let with_particles = with_particles
        .iter()
        .filter_map(|words| SimilarText::new(words));
    similar.chain(with_particles).collect()
}
