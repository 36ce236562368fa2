//! The score of a place: all weights in one struct, and how they add up.

use postduif_schema::TownMatchKind;

use super::{
    Agreement, NameAgreement, NameMatch, NumberAgreement, PostcodeAgreement, StreetTownSplit,
    SuffixMatch,
};

/// How many points each match adds. A street with twice as many addresses gets one point more.
#[derive(Debug, Clone)]
pub struct Weights {
    /// The whole name was typed.
    pub name_exact: f32,
    /// The whole name without its leading article was typed.
    pub name_without_article: f32,
    /// The beginning of the name was typed.
    pub name_prefix: f32,
    /// For each letter fewer than four, if only the beginning of the name was typed.
    pub per_missing_letter: f32,
    /// The beginnings of the first words were typed, in order.
    pub name_word_prefixes: f32,
    /// The last words of the name were typed.
    pub name_last_words: f32,
    /// A later word of the name begins as typed.
    pub name_inner_prefix: f32,
    /// Each typed word begins some word of the name.
    pub name_any_order: f32,
    /// For each word of a name after the first, so that a longer name beats a name with a town.
    pub per_extra_name_word: f32,
    /// For each word with digits in a whole name, so that the longer name beats a name with a house number.
    pub per_digit_word: f32,
    /// The whole town was typed.
    pub town_exact: f32,
    /// For each typed letter of a town's beginning, up to four. A short beginning says little.
    pub per_town_prefix_letter: f32,
    /// Only the beginnings of both the name and the town behind it were typed: they may be one longer name.
    pub both_prefixes: f32,
    /// The beginning of the town was typed, before the street.
    pub town_prefix_first: f32,
    /// A later word of the town's name begins as typed.
    pub town_inner_prefix: f32,
    /// The town's municipality or province was typed.
    pub town_area: f32,
    /// For each doubling of the addresses of a street's town.
    pub town_size_beside_street: f32,
    /// For each doubling of the addresses of a town that is itself the hit.
    pub city_size: f32,
    /// For every town that is itself the hit, so that it ranks before a street.
    pub city_base: f32,
    /// The house number exists with exactly the typed suffix.
    pub number_exact: f32,
    /// A letter or addition was typed and is exactly that of the address. Outweighs reading it as the beginning of a town.
    pub suffix_exact: f32,
    /// The house number exists with a longer suffix.
    pub number_longer: f32,
    /// The house number is before all other words, which is unusual in Dutch.
    pub number_leading: f32,
    /// A house number that begins with the typed digits.
    pub number_prefix: f32,
    /// The house number exists, but not with this suffix.
    pub suffix_not_found: f32,
    /// The street does not have the house number.
    pub number_not_found: f32,
    /// For each step between the number and the street's name: 0 directly behind it, 1 directly before it, 2 elsewhere. A
    /// number elsewhere is often a date or a part of another name.
    pub per_step_apart: f32,
    /// For each address before this one in the list of a street or postcode.
    pub per_later_number: f32,
    /// The whole postcode was typed.
    pub postcode_whole: f32,
    /// Four leading digits.
    pub postcode_leading_digits: f32,
    /// A letter after four leading digits: rather a part of a postcode than the beginning of a name.
    pub postcode_letter: f32,
    /// An address in an area of four postcode digits has the number, but not the suffix: the digits and the suffix may be a mistyped postcode.
    pub other_suffix_in_digits: f32,
    /// Four digits behind other words, which may also be a house number.
    pub postcode_later_digits: f32,
    /// Four digits beside a house number.
    pub postcode_digits_with_number: f32,
    /// For each word beside a postcode that matches a street or town there.
    pub per_word_in_postcode: f32,
    /// The whole name of a street beside a postcode. Other streets of the postcode may begin with this name or have the number in
    /// their name.
    pub name_in_postcode: f32,
    /// For each word beside a postcode that matches nothing there.
    pub per_unmatched_word: f32,
    /// For each mistyped letter.
    pub per_edit: f32,
    /// For each mistyped letter of a town beside a street.
    pub per_town_edit: f32,
    /// A name is spelled differently but sounds the same.
    pub sounds_alike: f32,
    /// A name with another type of street, or only a part of the name.
    pub name_partial: f32,
    /// The full name of the town's municipality was typed beside a street.
    pub town_area_whole: f32,
    /// A street or town that was typed is not that of the candidate.
    pub name_different: f32,
    /// The house number exists with the typed suffix but for leading zeros or the letter of a unit.
    pub number_equivalent: f32,
    /// The candidate has the typed postcode.
    pub postcode_same: f32,
    /// The candidate's postcode differs by a usual slip.
    pub postcode_usual_slip: f32,
    /// The candidate's postcode differs in one character.
    pub postcode_near: f32,
    /// For the second character that differs.
    pub postcode_second_character: f32,
    /// The candidate's postcode has only the same four digits.
    pub postcode_same_digits: f32,
    /// The candidate's postcode is a different one.
    pub postcode_different: f32,
    /// For each word that nothing of a candidate explains.
    pub per_unexplained_word: f32,
    /// For each letter of unexplained words.
    pub per_unexplained_letter: f32,
    /// For each unexplained word that says little about the place.
    pub per_unexplained_filler: f32,
}

impl Weights {
    /// The weights in use. The relevance suite tests them.
    pub const DEFAULT: Self = Self {
        name_exact: 40.0,
        name_without_article: 32.0,
        name_prefix: 24.0,
        per_missing_letter: -3.0,
        name_word_prefixes: 22.0,
        name_last_words: 20.0,
        name_inner_prefix: 15.0,
        name_any_order: 10.0,
        per_extra_name_word: 5.0,
        per_digit_word: 20.0,
        town_exact: 20.0,
        per_town_prefix_letter: 3.0,
        both_prefixes: -8.0,
        town_prefix_first: 2.0,
        town_inner_prefix: 8.0,
        town_area: 4.0,
        town_size_beside_street: 0.7,
        city_size: 1.7,
        city_base: 5.0,
        number_exact: 15.0,
        suffix_exact: 8.0,
        number_longer: 11.0,
        number_leading: -15.0,
        number_prefix: 7.0,
        suffix_not_found: -8.0,
        number_not_found: -12.0,
        per_step_apart: -2.0,
        per_later_number: -0.05,
        postcode_whole: 50.0,
        postcode_leading_digits: 70.0,
        postcode_letter: 10.0,
        other_suffix_in_digits: -25.0,
        postcode_later_digits: 12.0,
        postcode_digits_with_number: 55.0,
        per_word_in_postcode: 4.0,
        name_in_postcode: 20.0,
        per_unmatched_word: -6.0,
        per_edit: -11.0,
        per_town_edit: -6.0,
        sounds_alike: -4.0,
        name_partial: 24.0,
        town_area_whole: 14.0,
        name_different: -10.0,
        number_equivalent: 13.0,
        postcode_same: 45.0,
        postcode_usual_slip: 40.0,
        postcode_near: 25.0,
        postcode_second_character: -10.0,
        postcode_same_digits: 12.0,
        postcode_different: -20.0,
        per_unexplained_word: -6.0,
        per_unexplained_letter: -2.0,
        per_unexplained_filler: -1.0,
    };

    /// The weights of validation. The postcode is one field among others: one more matching name outweighs it, and an address without
    /// the number ranks behind one that agrees in street, city and number.
    pub const VALIDATION: Self = Self {
        number_exact: 20.0,
        number_equivalent: 18.0,
        number_longer: 19.0,
        suffix_not_found: 5.0,
        number_not_found: -20.0,
        postcode_same: 30.0,
        postcode_usual_slip: 20.0,
        postcode_near: 15.0,
        postcode_second_character: -5.0,
        postcode_same_digits: 5.0,
        postcode_different: 0.0,
        ..Self::DEFAULT
    };

    /// Points for how well all that was typed or entered agrees with a candidate.
    #[must_use]
    pub fn score_agreement(&self, agreement: &Agreement) -> f32 {
        let street = match agreement.street {
            NameAgreement::Same => self.name_exact,
            NameAgreement::SoundsAlike => self.name_exact + self.sounds_alike,
            NameAgreement::Mistyped(edits) => self.name_exact + self.per_edit * f32::from(edits),
            NameAgreement::Partial => self.name_partial,
            NameAgreement::Begun(_) => self.name_prefix,
            NameAgreement::Area | NameAgreement::NotGiven => 0.0,
            NameAgreement::Different => self.name_different,
        };
        let unexplained = agreement.unexplained;
        street
            + self.score_town_name(agreement.town)
            + self.score_postcode(agreement.postcode)
            + self.score_number(agreement.number)
            + self.per_unexplained_word * f32::from(unexplained.words)
            + self.per_unexplained_letter * f32::from(unexplained.letters)
            + self.per_unexplained_filler * f32::from(unexplained.fillers)
    }

    /// Points for the name of a town.
    #[must_use]
    pub fn score_town_name(&self, town: NameAgreement) -> f32 {
        match town {
            NameAgreement::Same => self.town_exact,
            NameAgreement::SoundsAlike => self.town_exact + self.sounds_alike,
            NameAgreement::Mistyped(edits) => {
                self.town_exact + self.per_town_edit * f32::from(edits)
            }
            NameAgreement::Begun(letters) => {
                self.per_town_prefix_letter * f32::from(letters.min(4))
            }
            NameAgreement::Area => self.town_area_whole,
            NameAgreement::Partial | NameAgreement::NotGiven => 0.0,
            NameAgreement::Different => self.name_different,
        }
    }

    fn score_postcode(&self, postcode: PostcodeAgreement) -> f32 {
        match postcode {
            PostcodeAgreement::Same => self.postcode_same,
            PostcodeAgreement::UsualSlip => self.postcode_usual_slip,
            PostcodeAgreement::Near(1) => self.postcode_near,
            PostcodeAgreement::Near(_) => self.postcode_near + self.postcode_second_character,
            PostcodeAgreement::SameDigits => self.postcode_same_digits,
            PostcodeAgreement::NotGiven => 0.0,
            PostcodeAgreement::Different => self.postcode_different,
        }
    }

    fn score_number(&self, number: NumberAgreement) -> f32 {
        match number {
            NumberAgreement::Same(SuffixMatch::Exact) => self.number_exact,
            NumberAgreement::Same(SuffixMatch::Equivalent) => self.number_equivalent,
            NumberAgreement::Same(SuffixMatch::Prefix) => self.number_longer,
            NumberAgreement::OtherSuffix => self.suffix_not_found,
            NumberAgreement::NotGiven => 0.0,
            NumberAgreement::Missing => self.number_not_found,
        }
    }

    /// Points for a street whose name matches.
    #[must_use]
    pub fn score_name(&self, fit: NameMatch, words: &[String]) -> f32 {
        let extra_words = self.per_extra_name_word * count_as_f32(words.len().saturating_sub(1));
        extra_words
            + match fit {
                NameMatch::Exact => {
                    let digits = |word: &&String| word.bytes().any(|byte| byte.is_ascii_digit());
                    let digits = words.iter().filter(digits).count();
                    self.name_exact + self.per_digit_word * count_as_f32(digits)
                }
                NameMatch::WithoutArticle => self.name_without_article,
                NameMatch::Prefix => {
                    let letters = words.iter().map(String::len).sum::<usize>();
                    self.name_prefix
                        + self.per_missing_letter * count_as_f32(4_usize.saturating_sub(letters))
                }
                NameMatch::WordPrefixes => self.name_word_prefixes,
                NameMatch::LastWords => self.name_last_words,
                NameMatch::InnerPrefix => self.name_inner_prefix,
                NameMatch::AnyOrder => self.name_any_order,
            }
    }

    /// Points for the town of a street, beside those for its name.
    #[must_use]
    pub fn score_town(
        &self,
        fit: TownMatchKind,
        split: &StreetTownSplit<'_>,
        name: NameMatch,
    ) -> f32 {
        let letters = split.town.iter().map(String::len).sum::<usize>().min(4);
        let uncertain = match name {
            NameMatch::Exact => 0.0,
            _ => self.both_prefixes,
        };
        match fit {
            TownMatchKind::Exact => self.town_exact,
            TownMatchKind::Prefix if split.town_first => self.town_prefix_first,
            TownMatchKind::Prefix => {
                self.per_town_prefix_letter * count_as_f32(letters) + uncertain
            }
            TownMatchKind::InnerWord => self.town_inner_prefix,
            TownMatchKind::Area => {
                self.town_area + self.per_missing_letter * count_as_f32(4 - letters)
            }
        }
    }

    /// Points for the number of addresses of a street and of its town.
    #[must_use]
    pub fn score_size(&self, street: u64, town: u64) -> f32 {
        log2_size(street) + self.town_size_beside_street * log2_size(town)
    }

    /// Points for a town that is itself the hit, with its number of addresses.
    #[must_use]
    pub fn score_city(&self, fit: TownMatchKind, addresses: u64) -> f32 {
        let name = match fit {
            TownMatchKind::Exact => self.name_exact,
            TownMatchKind::Prefix => self.name_prefix,
            TownMatchKind::InnerWord => self.name_inner_prefix,
            TownMatchKind::Area => 0.0,
        };
        name + self.city_base + self.city_size * log2_size(addresses)
    }
}

fn log2_size(count: u64) -> f32 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "only the order of magnitude counts"
    )]
    let count = count.max(1) as f32;
    count.log2()
}

/// Converts a small count to points.
#[must_use]
pub fn count_as_f32(count: usize) -> f32 {
    u16::try_from(count).map_or(f32::MAX, f32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_name_with_a_number_scores_more_than_a_house_number() {
        let words = ["wijk", "1"].map(String::from);
        let points = Weights::DEFAULT.score_name(NameMatch::Exact, &words);
        assert!(
            points
                > Weights::DEFAULT.score_name(NameMatch::Exact, &words[..1])
                    + Weights::DEFAULT.number_exact
        );
    }
}
