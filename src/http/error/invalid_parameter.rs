//! Lists the invalid parameters of the interface, with their names and texts in both API versions.

/// An invalid parameter, and why it is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidParameter {
    /// The postcode does not have the form of a postcode.
    Postcode,
    /// The house number is not a whole number up to 99,999.
    Number,
    /// The text does not begin with a house number. A letter and an addition may follow the number.
    NumberWithSuffix,
    /// The house number is 0.
    NumberBelowOne,
    /// The point, the radius or the limit of a reverse look-up is not valid.
    Coordinates,
    /// The text to complete is too short.
    Query,
    /// There is no such kind of suggestion.
    Type,
    /// The number of suggestions is not a whole number.
    QueryLimit,
}

impl InvalidParameter {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Postcode => "postcode",
            Self::Number | Self::NumberWithSuffix | Self::NumberBelowOne => "number",
            Self::Coordinates => "lat, lon",
            Self::Query => "q",
            Self::Type => "type",
            Self::QueryLimit => "limit",
        }
    }

    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Postcode => "should match pattern \"^[0-9]{4}[a-zA-Z]{2}$\"",
            Self::Number | Self::NumberWithSuffix => "should be integer",
            Self::NumberBelowOne => "should be >= 1",
            Self::Coordinates => "should be decimal degrees",
            Self::Query => "should be at least two characters",
            Self::Type => "should be one of all, address, street, city",
            Self::QueryLimit => "should be integer",
        }
    }

    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Postcode => "invalid_postcode",
            Self::Number | Self::NumberWithSuffix | Self::NumberBelowOne => "invalid_number",
            Self::Coordinates => "invalid_coordinates",
            Self::Query | Self::QueryLimit => "invalid_query",
            Self::Type => "invalid_type",
        }
    }

    pub(super) fn message(self) -> &'static str {
        match self {
            Self::Postcode => "postcode must be four digits and two letters, such as 1234AB",
            Self::Number | Self::NumberBelowOne => {
                "number must be a whole number from 1 to 99999, without letter or addition"
            }
            Self::NumberWithSuffix => {
                "number must be a whole number from 1 to 99999, or a text that begins with one, such as 12a-3"
            }
            Self::Query => "q must have at least two characters, such as ke for Kerkstraat",
            Self::Type => "type must be all, address, street or city",
            Self::QueryLimit => "limit must be a whole number, at most 10",
            Self::Coordinates => {
                "lat must be from -90 to 90 and lon from -180 to 180, both in decimal degrees; radius and limit, where given, must be whole numbers"
            }
        }
    }
}
