//! The odd scenes of numbers and objects that do not go one to one.

use super::homes::Use;
use super::oddities::{LIVING, lettered, plain, stand};
use super::record::{Purposes, VerblijfsobjectStatus as Status};
use super::street::{Site, Suffix, Works};

/// One object with a hoofdadres and one to three nevenadressen: all are addresses, with the object's point, surface and purposes.
pub(super) fn nevenadressen(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    let count = 1 + works.rng.below(3);
    let mut numbers = vec![plain(works, site)];
    let others = ('a'..='c').zip(0..count);
    numbers.extend(others.map(|(letter, _)| lettered(works, site, letter)));
    stand(works, site, numbers.clone(), pand.id, LIVING);
    numbers
        .into_iter()
        .for_each(|number| works.serve(site, number, LIVING, pand.year));
}

/// Two objects with one hoofdadres: `first` is built first, `served` is what counts. The points differ.
fn share(works: &mut Works<'_>, site: Site, uses: [Use; 2], served: usize) {
    let pand = works.stand_pand(site);
    let number = plain(works, site);
    let sites = [
        site,
        Site {
            at: site.at.plus(1_500, 700),
            ..site
        },
    ];
    for (site, now) in sites.into_iter().zip(uses) {
        stand(works, site, vec![number], pand.id, now);
    }
    works.serve(sites[served], number, uses[served], pand.year);
}

pub(super) fn shared_in_use_first(works: &mut Works<'_>, site: Site) {
    let planned = Use {
        status: Status::Gevormd,
        surface_m2: 61,
        ..LIVING
    };
    share(
        works,
        site,
        [
            planned,
            Use {
                purposes: Purposes::KANTOOR,
                ..LIVING
            },
        ],
        1,
    );
}

pub(super) fn shared_dwelling_first(works: &mut Works<'_>, site: Site) {
    share(
        works,
        site,
        [
            Use {
                purposes: Purposes::OVERIG,
                surface_m2: 12,
                ..LIVING
            },
            LIVING,
        ],
        1,
    );
}

pub(super) fn shared_lowest_first(works: &mut Works<'_>, site: Site) {
    share(
        works,
        site,
        [
            LIVING,
            Use {
                surface_m2: 33,
                ..LIVING
            },
        ],
        0,
    );
}

/// Two numbers that are written the same: one of an object in use, one of an object still planned.
pub(super) fn twins(works: &mut Works<'_>, site: Site) {
    let pand = works.stand_pand(site);
    for status in [Status::InGebruik, Status::Gevormd] {
        works.dwell_as(site, Suffix::default(), pand, Use { status, ..LIVING });
    }
}
