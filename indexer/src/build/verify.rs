//! Checks a new generation before it is published, after a build and after a delivery.

use postduif_schema::StoredPlaces;

use super::error::BuildError;

/// Checks that the towns of the stored places have as many addresses in all as the address index.
pub(crate) fn check_places(places: &StoredPlaces, addresses: u64) -> Result<(), BuildError> {
    let found = places.address_count()?;
    if found == addresses {
        Ok(())
    } else {
        Err(BuildError::IndexMismatch(format!(
            "the place index has {found} of {addresses} addresses"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postduif_schema::{Address, HouseNumber, PlaceWriter, PlacesBuilder};

    #[test]
    fn places_that_lack_an_address_are_not_published() {
        let place = ["Weesp"; 3].map(Into::into);
        let postcode = "1380AA".parse().expect("a postcode");
        let address = Address::new_po_box(postcode, HouseNumber::FIRST, place);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut places = PlacesBuilder::default();
        places.add_address(&address);
        let short_names = &|_| None;
        PlaceWriter { short_names }
            .write(places, folder.path())
            .expect("a fresh folder");
        let places = StoredPlaces::open(folder.path()).expect("opens");
        check_places(&places, 1).expect("one address");
        let error = check_places(&places, 2)
            .expect_err("one of two")
            .to_string();
        assert!(
            error.contains("1 of 2 addresses; nothing is published"),
            "{error}"
        );
    }
}
