//! Computes the score of a place: holds all weights in one struct, and adds up the weights that apply.

use postduif_schema::TownMatchKind;

use super::parse::{StreetTownSplit, SuffixMatch};
use super::{Agreement, NameAgreement, NameMatch, NumberAgreement, PostcodeAgreement};
use crate::search::word_shape::has_digit;

/// How many points each match adds to the score of a place. A street with twice as many addresses gets one point more. A change of
/// [`Weights::DEFAULT`] also changes validation, which uses all weights that [`Weights::VALIDATION`] does not set.
#[derive(Debug, Clone)]
pub struct Weights {
    /// The whole name was typed.
    pub name_exact: f32,
    /// The whole name without its leading article was typed.
    pub name_without_article: f32,
    /// The beginning of the name was typed.
    pub name_prefix: f32,
    /// For each letter by which the typed beginning of a name is shorter than four letters.
    pub per_missing_letter: f32,
    /// The beginnings of the first words were typed, in the order of the name.
    pub name_word_prefixes: f32,
    /// The last words of the name were typed.
    pub name_last_words: f32,
    /// A later word of the name begins with the typed text.
    pub name_inner_prefix: f32,
    /// Each typed word is the beginning of some word of the name.
    pub name_any_order: f32,
    /// For each typed word of a street name after the first word. With these points, a longer street name beats a shorter street name that
    /// is followed by a town.
    pub per_extra_name_word: f32,
    /// For each word with digits, if the whole name was typed. With these points, `plein 1944` finds the street Plein 1944 before house
    /// number 1944 of a street named Plein.
    pub per_digit_word: f32,
    /// The whole name of the town was typed.
    pub town_exact: f32,
    /// For each letter of the typed beginning of a town, up to four. `score_town` uses `town_prefix_first` instead if the town comes before
    /// the street, and `score_city` uses `name_prefix` if the town itself is the hit.
    pub per_town_prefix_letter: f32,
    /// Neither the whole street name nor the whole name of the town after it was typed. The words may be one longer name.
    pub both_prefixes: f32,
    /// Only the beginning of the town was typed, and it comes before the street.
    pub town_prefix_first: f32,
    /// A later word of the town's name begins with the typed text.
    pub town_inner_prefix: f32,
    /// The town's municipality or province was typed.
    pub town_area: f32,
    /// For each doubling of the number of addresses in the town, if the hit is a street or an address in it.
    pub town_size_beside_street: f32,
    /// For each doubling of the number of addresses in the town, if the hit is the town itself.
    pub city_size: f32,
    /// The hit is a town itself. With these points, the town ranks before a street.
    pub city_base: f32,
    /// The house number exists with exactly the typed suffix.
    pub number_exact: f32,
    /// A letter or addition was typed, and the address has exactly that one. The points outweigh those of reading the letter as the
    /// beginning of a town.
    pub suffix_exact: f32,
    /// The house number exists with a longer suffix than was typed, as 12 A does for `12`.
    pub number_longer: f32,
    /// The house number comes before all other words, which is unusual in Dutch.
    pub number_leading: f32,
    /// The house number is longer than the typed digits and begins with them, as 123 does for `12`.
    pub number_prefix: f32,
    /// The house number exists, but not with this suffix.
    pub suffix_not_found: f32,
    /// The house number exists with a beginning of the typed suffix, as 2 C does for `2c hs`.
    pub suffix_beginning: f32,
    /// The street or the postcode does not have the house number.
    pub number_not_found: f32,
    /// For each step between the house number and the street's name: 0 steps directly after the name, 1 directly before the name, 2
    /// elsewhere. A number elsewhere is often a date or a part of another name. The steps between the house number and a whole postcode are
    /// counted in the same way.
    pub per_step_apart: f32,
    /// The house number directly follows the name of another street of the town.
    pub number_of_other_street: f32,
    /// Another town with a street of that name was typed in a likelier place, such as directly after the house number.
    pub other_town_in_likelier_place: f32,
    /// For each address that comes before this address in the list of a street or postcode.
    pub per_later_number: f32,
    /// The whole postcode was typed.
    pub postcode_whole: f32,
    /// The text begins with the four digits of the postcode.
    pub postcode_leading_digits: f32,
    /// A letter follows the four digits at the start of the text. The letter is more likely a part of the postcode than the beginning of
    /// a name.
    pub postcode_letter: f32,
    /// Only the digits of a postcode were typed, and the address has the house number but not the suffix. The digits and the suffix may
    /// be a mistyped postcode.
    pub other_suffix_in_digits: f32,
    /// The four digits of the postcode come after other words. The digits may also be a house number.
    pub postcode_later_digits: f32,
    /// The four digits of the postcode come after other words, and a house number was typed too.
    pub postcode_digits_with_number: f32,
    /// At least four characters of the postcode were typed beside words that match no place. With these points, the streets of the postcode
    /// rank before a street of which only the beginning was typed and which does not have the digits as a house number. They rank after a
    /// street of the postcode with a mistyped name.
    pub postcode_digits_beside_words: f32,
    /// For each word that was typed with a postcode and matches a street or town in that postcode.
    pub per_word_in_postcode: f32,
    /// The whole name of a street was typed with its postcode. Without these points, another street of the postcode could rank higher,
    /// because its name only begins with this name or contains the house number.
    pub name_in_postcode: f32,
    /// The address has the typed postcode, the whole typed name of a street and the typed house number, but another town was typed. With
    /// these points it ranks above an address of the same name and number in that town.
    pub street_in_postcode_of_other_town: f32,
    /// For each word that was typed with a postcode and matches no street or town in that postcode.
    pub per_unmatched_word: f32,
    /// For each mistyped letter of a street or town that `run/typos.rs` found.
    pub per_edit: f32,
    /// For each mistyped letter of a town in validation and in `run/evidence`. There, all words are weighed, and a mistyped town costs
    /// fewer points than with `per_edit`.
    pub per_town_edit: f32,
    /// The typed name is spelled differently but sounds the same.
    pub sounds_alike: f32,
    /// The name was typed with another type of street, or only a part of the name was typed.
    pub name_partial: f32,
    /// The full name of the municipality was typed instead of the town of a street.
    pub town_area_whole: f32,
    /// Another street or town than that of the candidate was typed.
    pub name_different: f32,
    /// The house number exists, and its suffix differs from the typed one only in leading zeros or in the letter of a unit.
    pub number_equivalent: f32,
    /// The candidate has the typed postcode.
    pub postcode_same: f32,
    /// The candidate's postcode differs by a usual slip, such as a swap of two neighbouring characters.
    pub postcode_usual_slip: f32,
    /// The candidate's postcode differs in one character.
    pub postcode_near: f32,
    /// For the second differing character of the postcode, in addition to the points of `postcode_near`.
    pub postcode_second_character: f32,
    /// Only the four digits of the candidate's postcode are as typed.
    pub postcode_same_digits: f32,
    /// The typed postcode is that of another street in the candidate's town.
    pub postcode_same_town: f32,
    /// The candidate has another postcode, and not even the same four digits.
    pub postcode_different: f32,
    /// A penalty for each typed word that matches no field of a candidate. Filler words are not included.
    pub per_unexplained_word: f32,
    /// A penalty for each letter of the words that match no field.
    pub per_unexplained_letter: f32,
    /// A penalty for each filler word that matches no field.
    pub per_unexplained_filler: f32,
}

impl Weights {
    /// The weights of type-ahead. The relevance suite tests them.
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
        number_prefix: 3.0,
        suffix_not_found: -8.0,
        suffix_beginning: 5.0,
        number_not_found: -12.0,
        per_step_apart: -2.0,
        number_of_other_street: -40.0,
        other_town_in_likelier_place: -20.0,
        per_later_number: -0.05,
        postcode_whole: 50.0,
        postcode_leading_digits: 70.0,
        postcode_letter: 10.0,
        other_suffix_in_digits: -25.0,
        postcode_later_digits: 12.0,
        postcode_digits_with_number: 55.0,
        postcode_digits_beside_words: 40.0,
        per_word_in_postcode: 4.0,
        name_in_postcode: 20.0,
        street_in_postcode_of_other_town: 25.0,
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
        postcode_same_town: 6.0,
        postcode_different: -20.0,
        per_unexplained_word: -6.0,
        per_unexplained_letter: -2.0,
        per_unexplained_filler: -1.0,
    };

    /// The weights of validation. The postcode counts as one field among others, so one more name that matches outweighs the postcode. An
    /// address without the entered number ranks below an address that agrees in street, city and number.
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

    /// Points for how well the whole typed or entered text agrees with a candidate.
    pub fn score_agreement(&self, agreement: &Agreement) -> f32 {
        let street = match agreement.street {
            NameAgreement::Same => self.name_exact,
            NameAgreement::SoundsAlike => self.name_exact + self.sounds_alike,
            NameAgreement::Mistyped(edits) => self.name_exact + self.per_edit * f32::from(edits),
            NameAgreement::Partial => self.name_partial,
            NameAgreement::Prefix(_) => self.name_prefix,
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

    /// Points for how well the name of a town agrees.
    pub fn score_town_name(&self, town: NameAgreement) -> f32 {
        match town {
            NameAgreement::Same => self.town_exact,
            NameAgreement::SoundsAlike => self.town_exact + self.sounds_alike,
            NameAgreement::Mistyped(edits) => {
                self.town_exact + self.per_town_edit * f32::from(edits)
            }
            NameAgreement::Prefix(letters) => {
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
            PostcodeAgreement::SameTown => self.postcode_same_town,
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

    /// Points for a street with a matching name.
    pub fn score_name(&self, name_match: NameMatch, words: &[String]) -> f32 {
        let extra_words = self.per_extra_name_word * count_as_f32(words.len().saturating_sub(1));
        extra_words
            + match name_match {
                NameMatch::Exact => {
                    let digits = words.iter().filter(|word| has_digit(word)).count();
                    self.name_exact + self.per_digit_word * count_as_f32(digits)
                }
                NameMatch::WithoutArticle => self.name_without_article,
                NameMatch::Prefix => self.name_prefix + self.score_short_beginning(words),
                NameMatch::WordPrefixes => self.name_word_prefixes,
                NameMatch::LastWords => self.name_last_words,
                NameMatch::InnerPrefix => {
                    self.name_inner_prefix + self.score_short_beginning(words)
                }
                NameMatch::AnyOrder => self.name_any_order,
            }
    }

    /// Points for a beginning of fewer than four letters.
    fn score_short_beginning(&self, words: &[String]) -> f32 {
        let letters = words.iter().map(String::len).sum::<usize>();
        self.per_missing_letter * count_as_f32(4_usize.saturating_sub(letters))
    }

    /// Points for the town of a street. The points for the street's name are separate.
    pub fn score_town(
        &self,
        match_kind: TownMatchKind,
        split: &StreetTownSplit<'_>,
        name: NameMatch,
    ) -> f32 {
        let letters = split.town.iter().map(String::len).sum::<usize>().min(4);
        let uncertain = match name {
            NameMatch::Exact => 0.0,
            _ => self.both_prefixes,
        };
        match match_kind {
            TownMatchKind::Exact | TownMatchKind::ExactWithBegunArea => self.town_exact,
            TownMatchKind::Prefix | TownMatchKind::VillagePrefix if split.town_first => {
                self.town_prefix_first
            }
            TownMatchKind::Prefix | TownMatchKind::VillagePrefix => {
                self.per_town_prefix_letter * count_as_f32(letters) + uncertain
            }
            TownMatchKind::InnerWord => {
                self.town_inner_prefix
                    + self.per_missing_letter * count_as_f32(4 - letters)
                    + uncertain
            }
            TownMatchKind::Area => {
                self.town_area + self.per_missing_letter * count_as_f32(4 - letters) + uncertain
            }
        }
    }

    /// Points for the size of a street and of its town. Both sizes are numbers of addresses.
    pub fn score_size(&self, street: u64, town: u64) -> f32 {
        log2_size(street) + self.town_size_beside_street * log2_size(town)
    }

    /// Points for a town that is itself the hit. `words` is the number of typed words of its name, and `addresses` the number of addresses in
    /// the town.
    pub fn score_city(&self, match_kind: TownMatchKind, words: usize, addresses: u64) -> f32 {
        let name = match match_kind {
            TownMatchKind::Exact => {
                let extra_words = count_as_f32(words.saturating_sub(1));
                self.name_exact + self.per_extra_name_word * extra_words
            }
            TownMatchKind::ExactWithBegunArea | TownMatchKind::Prefix => self.name_prefix,
            TownMatchKind::VillagePrefix | TownMatchKind::InnerWord => self.name_inner_prefix,
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
pub fn count_as_f32(count: usize) -> f32 {
    u16::try_from(count).map_or(f32::MAX, f32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_ends_in_a_number_scores_more_than_a_shorter_name_with_that_house_number() {
        let words = ["wijk", "1"].map(String::from);
        let points = Weights::DEFAULT.score_name(NameMatch::Exact, &words);
        assert!(
            points
                > Weights::DEFAULT.score_name(NameMatch::Exact, &words[..1])
                    + Weights::DEFAULT.number_exact
        );
    }
}
