//! The odd scenes of numbers and objects that do not go one to one.

use super::record::{Purposes, Use, VerblijfsobjectStatus as Status};
use super::street::{Number, Site, Suffix, Works};

/// Objects with a hoofdadres and one or three nevenadressen: all are addresses, with the object's point, surface and purposes.
pub(super) fn nevenadressen(works: &mut Works<'_>, site: Site) {
    for letters in ["a", "bcd"] {
        let pand = works.stand_pand(site);
        let main = if letters == "a" {
            Suffix::default()
        } else {
            Suffix::addition("0")
        };
        let others = letters.chars().map(Suffix::letter);
        let suffixes = [main].into_iter().chain(others);
        let numbers: Vec<Number> = suffixes
            .map(|suffix| works.ordinary_number(site, suffix))
            .collect();
        let life = works.lived(Use::LIVING);
        works.stand(site, numbers.clone(), pand.id, life);
        for number in numbers {
            works.serve(site, number, Use::LIVING, pand.year);
        }
    }
}

/// Two objects, some metres apart, with one hoofdadres; the one of `served` counts.
fn share(works: &mut Works<'_>, site: Site, uses: [Use; 2], served: usize) {
    let pand = works.stand_pand(site);
    let number = works.ordinary_number(site, Suffix::default());
    let beside = Site {
        at: site.at.plus(1_500, 700),
        ..site
    };
    let sites = [site, beside];
    for (site, now) in sites.into_iter().zip(uses) {
        let life = works.lived(now);
        works.stand(site, vec![number], pand.id, life);
    }
    works.serve(sites[served], number, uses[served], pand.year);
}

/// An object in use comes before one that is only planned.
pub(super) fn in_use_first(works: &mut Works<'_>, site: Site) {
    let office = Use {
        purposes: Purposes::KANTOOR,
        ..Use::LIVING
    };
    let planned = Use {
        surface_m2: 61,
        ..Use::LIVING.with(Status::Gevormd)
    };
    share(works, site, [planned, office], 1);
}

/// Then a woonfunctie comes first.
pub(super) fn dwelling_first(works: &mut Works<'_>, site: Site) {
    let shed = Use {
        purposes: Purposes::OVERIG,
        surface_m2: 12,
        ..Use::LIVING
    };
    share(works, site, [shed, Use::LIVING], 1);
}

/// Then the lowest identificatie.
pub(super) fn lowest_first(works: &mut Works<'_>, site: Site) {
    let second = Use {
        surface_m2: 33,
        ..Use::LIVING
    };
    share(works, site, [Use::LIVING, second], 0);
}

/// Two numbers that are written the same: one of an object in use, one of an object still planned.
pub(super) fn twins(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    for status in [Status::InGebruik, Status::Gevormd] {
        works.dwell_as(site, Suffix::default(), pand, Use::LIVING.with(status));
    }
}
