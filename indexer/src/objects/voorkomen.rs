//! Defines voorkomens, the versions of an object, and decides when each version holds.

use crate::day::{Day, ValidityPeriod};
use crate::record_issues::IssueEffect::Rejected;
use crate::xml::{XmlError, XmlReader};

/// One version of an object: its state in one period.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Voorkomen<T> {
    /// The voorkomenidentificatie. Together with the object's id, it identifies the version.
    pub number: u32,
    /// The period in which the version holds.
    pub period: ValidityPeriod,
    /// True if a correction annulled the version, or if the version does not belong in the BAG. Such a version never held.
    #[serde(skip)]
    pub annulled: bool,
    /// The state of the object in the period.
    pub state: T,
}

/// A voorkomen in a delivery, with the id of its object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VoorkomenRecord<Id, T> {
    /// The id of the object.
    pub id: Id,
    /// The version.
    pub voorkomen: Voorkomen<T>,
}

impl<T> Voorkomen<T> {
    /// True if the version holds on a day or on a later one, so the register must keep it.
    pub fn holds_on_or_after(&self, day: Day) -> bool {
        !self.annulled && self.period.holds_on_or_after(day)
    }

    /// The state on a day. If several versions hold on the day, the version with the highest number is used.
    pub fn state_on<'a>(versions: impl IntoIterator<Item = &'a Self>, day: Day) -> Option<&'a T> {
        let holding = versions
            .into_iter()
            .filter(|version| !version.annulled && version.period.holds_on(day));
        holding
            .max_by_key(|version| version.number)
            .map(|version| &version.state)
    }
}

/// The values of a `Historie:Voorkomen` element: everything of a version except the state.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct VoorkomenValidity {
    /// `None` if the version's number is invalid.
    pub(crate) number: Option<u32>,
    /// `None` if a day of the period is invalid.
    period: Option<ValidityPeriod>,
    annulled: bool,
}

impl VoorkomenValidity {
    /// Reads an object's `voorkomen` element; `None` if the element is empty. Invalid values are noted as issues.
    pub(crate) fn read(xml: &mut XmlReader<'_>) -> Result<Option<Self>, XmlError> {
        let mut validity = None;
        xml.for_each_child(|xml, name| match name {
            "Voorkomen" => {
                validity = Some(Self::read_voorkomen(xml)?);
                Ok(())
            }
            _ => xml.skip(),
        })?;
        Ok(validity)
    }

    fn read_voorkomen(xml: &mut XmlReader<'_>) -> Result<Self, XmlError> {
        let (mut number, mut begin, mut annulled) = (None, None, false);
        // `None` if the end is invalid, `Some(None)` if the version has no end.
        let mut end = Some(None);
        xml.for_each_child(|xml, name| {
            match name {
                "voorkomenidentificatie" => {
                    number = xml.read_value("voorkomenidentificatie", Rejected)?;
                }
                "beginGeldigheid" => begin = xml.read_value("beginGeldigheid", Rejected)?,
                "eindGeldigheid" => {
                    end = xml.read_value("eindGeldigheid", Rejected)?.map(Some);
                }
                "tijdstipInactief" => {
                    annulled = true;
                    xml.skip()?;
                }
                "BeschikbaarLV" => annulled |= Self::read_annulled_by_lv(xml)?,
                _ => xml.skip()?,
            }
            Ok(())
        })?;
        let begin = xml.require(begin, "beginGeldigheid");
        let period = begin.zip(end);
        Ok(Self {
            number: xml.require(number, "voorkomenidentificatie"),
            period: period.map(|(begin, end)| ValidityPeriod { begin, end }),
            annulled,
        })
    }

    fn read_annulled_by_lv(xml: &mut XmlReader<'_>) -> Result<bool, XmlError> {
        let mut annulled = false;
        xml.for_each_child(|xml, name| {
            annulled |= matches!(name, "tijdstipInactiefLV" | "tijdstipNietBagLV");
            xml.skip()
        })?;
        Ok(annulled)
    }

    /// Whether the version holds on a day or on a later one; true if its period is invalid.
    pub(crate) fn holds_on_or_after(self, day: Day) -> bool {
        !self.annulled
            && self
                .period
                .is_none_or(|period| period.holds_on_or_after(day))
    }

    /// The version with this state; `None` if its number or period is invalid.
    pub(crate) fn with_state<T>(self, state: T) -> Option<Voorkomen<T>> {
        Some(Voorkomen {
            number: self.number?,
            period: self.period?,
            annulled: self.annulled,
            state,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{TODAY, day, version};

    #[test]
    fn the_last_of_several_versions_that_hold_is_used() {
        #[track_caller]
        fn case(periods: &[&str], expected: Option<usize>) {
            let number = |index| u32::try_from(index).expect("few") + 1;
            let versions = periods
                .iter()
                .enumerate()
                .map(|(index, period)| version(number(index), period, index));
            let mut versions: Vec<Voorkomen<usize>> = versions.collect();
            assert_eq!(
                Voorkomen::state_on(&versions, day(TODAY)).copied(),
                expected,
                "{periods:?}"
            );
            versions.reverse();
            assert_eq!(
                Voorkomen::state_on(&versions, day(TODAY)).copied(),
                expected,
                "{periods:?}, reversed"
            );
        }
        case(&[], None);
        case(&["2010-01-01.."], Some(0));
        case(&["2010-01-01..2021-09-15", "2021-09-15.."], Some(1));
        case(&["2010-01-01..2021-09-16", "2021-09-16.."], Some(0));
        case(&["2010-01-01..2021-09-15"], None);
        case(&["2021-09-16.."], None);
        // First two versions with the same period, then a version that ends on the day on which it begins.
        case(&["2010-01-01..", "2010-01-01.."], Some(1));
        case(
            &[
                "2010-01-01..2021-09-15",
                "2021-09-15..2021-09-15",
                "2021-09-15..",
            ],
            Some(2),
        );
        case(&["2010-01-01..", "2021-09-15..2021-09-15"], Some(0));
    }

    #[test]
    fn an_annulled_version_never_held() {
        let mut versions = [version(1, "2010-01-01..", 1), version(2, "2010-01-01..", 2)];
        versions[1].annulled = true;
        assert_eq!(Voorkomen::state_on(&versions, day(TODAY)), Some(&1));
        let matters = versions
            .each_ref()
            .map(|version| version.holds_on_or_after(day(TODAY)));
        assert_eq!(matters, [true, false]);
    }
}
