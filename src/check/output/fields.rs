//! Defines the fields of the register's address that are added to a row.

use postduif_schema::{Address, Rd};

/// Beginning of the names of the columns that `check` adds. The input may be the output of an earlier run.
pub(in crate::check) const RESULT_PREFIX: &str = "postduif_";

postduif_schema::named_enum! {
    /// A field of the register's address, with its name in `--fields`. The name of the column in the output has `postduif_` in front.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RegisterField {
        Postcode = "postcode",
        Number = "number",
        Letter = "letter",
        Addition = "addition",
        Street = "street",
        City = "city",
        Municipality = "municipality",
        Province = "province",
        /// Id of the address.
        Id = "id",
        /// Degrees east, WGS84.
        Lon = "lon",
        /// Degrees north, WGS84.
        Lat = "lat",
        /// Metres east, EPSG:28992.
        RdX = "rd_x",
        /// Metres north, EPSG:28992.
        RdY = "rd_y",
    }
}

impl RegisterField {
    /// Reads a list of names, separated by commas.
    ///
    /// # Errors
    /// When a name is unknown or occurs twice. The error about an unknown name lists the known names.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        let field = |name: &str| {
            let name = name.trim();
            Self::from_name(name).ok_or_else(|| {
                let names = Self::ALL.map(Self::as_str).join(", ");
                format!("--fields: unknown field {name:?}; expected one of {names}")
            })
        };
        let mut fields = Vec::new();
        for field in text.split(',').map(field) {
            let field = field?;
            if fields.contains(&field) {
                return Err(format!("--fields: {} is given twice", field.as_str()));
            }
            fields.push(field);
        }
        Ok(fields)
    }

    /// The text of the field; empty if the address does not have the field.
    pub fn text(self, address: &Address) -> String {
        let location = address.location;
        match self {
            Self::Postcode => address.postcode.to_string(),
            Self::Number => address.number.to_string(),
            Self::Letter => optional(address.letter),
            Self::Addition => optional(address.addition),
            Self::Street => address.street.to_string(),
            Self::City => address.city.to_string(),
            Self::Municipality => address.municipality.to_string(),
            Self::Province => address.province.to_string(),
            Self::Id => address.id.to_string(),
            Self::Lon => optional(location.map(|at| at.lon_lat.lon_deg())),
            Self::Lat => optional(location.map(|at| at.lon_lat.lat_deg())),
            Self::RdX => optional(location.map(|at| Rd::x_m(at.rd))),
            Self::RdY => optional(location.map(|at| Rd::y_m(at.rd))),
        }
    }
}

fn optional<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// The address as one line: `Dijk 12A-3, 1234AB Weesp`.
pub(super) fn address_line(address: &Address) -> String {
    format!(
        "{} {}, {} {}",
        address.street,
        number_text(address),
        address.postcode,
        address.city
    )
}

/// House number, letter and addition: `12A-3`.
pub(super) fn number_text(address: &Address) -> String {
    let letter = RegisterField::Letter.text(address);
    match RegisterField::Addition.text(address) {
        addition if addition.is_empty() => format!("{}{letter}", address.number),
        addition => format!("{}{letter}-{addition}", address.number),
    }
}
