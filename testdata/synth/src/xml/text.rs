//! Writes the text of XML files. The text is ASCII, with all other characters as numeric references. Numbers and coordinates have
//! the form of real deliveries.

use crate::calendar::{Calendar, DayOffset, LocalMoment};
use crate::geometry::RdPoint;
use crate::model::Identificatie;
use crate::rng::mix;

/// Text that is not yet written to a file.
pub(crate) struct XmlText<'a> {
    pub(crate) bytes: Vec<u8>,
    calendar: &'a Calendar,
}

impl<'a> XmlText<'a> {
    pub(crate) fn new(calendar: &'a Calendar) -> Self {
        Self {
            bytes: Vec::new(),
            calendar,
        }
    }

    /// Appends markup, or other text that needs no escaping.
    pub(crate) fn raw(&mut self, text: &str) -> &mut Self {
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    /// Appends text, with `&`, `<`, `>` and all characters beyond ASCII as references.
    pub(crate) fn content(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            match (letter, u8::try_from(letter)) {
                ('&', _) => self.bytes.extend_from_slice(b"&amp;"),
                ('<', _) => self.bytes.extend_from_slice(b"&lt;"),
                ('>', _) => self.bytes.extend_from_slice(b"&gt;"),
                (' '..='~', Ok(byte)) => self.bytes.push(byte),
                _ => self
                    .bytes
                    .extend_from_slice(format!("&#x{:x};", u32::from(letter)).as_bytes()),
            }
        }
        self
    }

    /// Appends a number.
    pub(crate) fn integer(&mut self, value: u64) -> &mut Self {
        let width = value.checked_ilog10().map_or(1, |log| log + 1);
        self.digits(value, width)
    }

    /// Appends the last `width` digits of a number, with leading zeros.
    pub(crate) fn digits(&mut self, mut value: u64, width: u32) -> &mut Self {
        let start = self.bytes.len();
        for _ in 0..width {
            self.bytes
                .push(b'0' + u8::try_from(value % 10).expect("a digit is below ten"));
            value /= 10;
        }
        self.bytes[start..].reverse();
        self
    }

    /// Appends the sixteen digits of an identificatie.
    pub(crate) fn id(&mut self, id: Identificatie) -> &mut Self {
        self.digits(u64::from(id.issuer), 4)
            .digits(u64::from(id.object_type as u8), 2)
            .digits(id.number, 10)
    }

    /// Appends a date.
    pub(crate) fn day(&mut self, day: DayOffset) -> &mut Self {
        self.bytes.extend_from_slice(self.calendar.text(day));
        self
    }

    /// Appends a local time in milliseconds, without a time zone.
    pub(crate) fn moment(&mut self, moment: LocalMoment) -> &mut Self {
        let ms = u64::from(moment.ms);
        self.day(moment.day)
            .raw("T")
            .digits(ms / 3_600_000, 2)
            .raw(":")
            .digits(ms / 60_000 % 60, 2)
            .raw(":")
            .digits(ms / 1_000 % 60, 2);
        self.raw(".").digits(ms % 1_000, 3)
    }

    /// Appends metres with one to three decimals, such as `131009.0` and `476974.79`.
    pub(crate) fn metres(&mut self, mm: i64) -> &mut Self {
        let mm = u64::try_from(mm).expect("all of the country has positive coordinates");
        self.integer(mm / 1_000).raw(".").digits(mm % 1_000, 3);
        while self.bytes.ends_with(b"0") && !self.bytes.ends_with(b".0") {
            self.bytes.pop();
        }
        self
    }

    /// Appends the east and north coordinates, and a height of 0.0 if there are three dimensions.
    pub(crate) fn position(&mut self, at: RdPoint, dimension: u64) -> &mut Self {
        self.metres(at.x).raw(" ").metres(at.y);
        if dimension == 3 {
            self.raw(" 0.0")
        } else {
            self
        }
    }

    /// Appends the day and the number of the document on which a voorkomen is based. The number has one of a few forms that
    /// municipalities use.
    pub(crate) fn document(&mut self, day: DayOffset, hash: u64) -> &mut Self {
        self.raw("<Objecten:documentdatum>")
            .day(day)
            .raw("</Objecten:documentdatum><Objecten:documentnummer>")
            .document_number(hash);
        self.raw("</Objecten:documentnummer>")
    }

    /// Appends a document number that is made from a hash.
    pub(crate) fn document_number(&mut self, hash: u64) -> &mut Self {
        let hash = mix(hash);
        let number = hash % 90_000 + 10_000;
        match hash >> 32 & 31 {
            0..12 => self
                .raw("Z.")
                .integer(number)
                .raw("/D.")
                .integer(hash >> 40 & 0xFFFF),
            12..20 => self
                .raw("BP-19")
                .integer(50 + number % 50)
                .raw("-")
                .integer(number % 400),
            20..24 => self.raw("B&amp;W-").integer(number % 5_000),
            24 => self.raw("BP-1969-").integer(number % 90).raw("&#xa0;"),
            25 => self.raw("besluit geconstateerd na&#xeb;").integer(number),
            _ => self
                .raw("20")
                .integer(10 + number % 16)
                .raw("-")
                .integer(number % 3_000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[track_caller]
    fn case(expected: &str, write: impl FnOnce(&mut XmlText<'_>)) {
        let calendar = Calendar::around(date(2026, 1, 8));
        let mut text = XmlText::new(&calendar);
        write(&mut text);
        assert_eq!(String::from_utf8_lossy(&text.bytes), expected);
    }

    #[test]
    fn text_has_the_form_of_real_deliveries() {
        case("Belgi&#xeb;laan &amp; &#x2019;s &#x132;", |text| {
            text.content("Belgiëlaan & ’s Ĳ");
        });
        case("131009.0 476974.79 0.0", |text| {
            text.position(
                RdPoint {
                    x: 131_009_000,
                    y: 476_974_790,
                },
                3,
            );
        });
        case("129824.496 481758.3", |text| {
            text.position(
                RdPoint {
                    x: 129_824_496,
                    y: 481_758_300,
                },
                2,
            );
        });
        case("0 10 4007", |text| {
            text.integer(0).raw(" ").integer(10).raw(" ").integer(4_007);
        });
        case("2025-12-31T07:57:39.004", |text| {
            text.moment(LocalMoment {
                day: DayOffset(-8),
                ms: 28_659_004,
            });
        });
    }
}
