//! Builds a street from its plan.

use super::builder::StreetBuilder;
use super::built::BuiltStreet;
use super::plots::{SPECIAL_PLOTS, begins_later, demolished, house, ordinary, sheds};
use crate::plan::{CountryPlan, StreetPlan, StreetRole};

/// One in this many plots is a special plot.
const SPECIAL_EVERY: u32 = 12;

/// Builds the street of this plan with all its objects.
pub(crate) fn build_street(country: &CountryPlan<'_>, plan: &StreetPlan) -> BuiltStreet {
    let mut builder = StreetBuilder::new(country, plan);
    match plan.role {
        StreetRole::Addressed => {
            fill(&mut builder);
            sheds(&mut builder);
        }
        StreetRole::Withdrawn => (0..3).for_each(|_| {
            let plot = builder.next_plot();
            demolished(&mut builder, plot);
        }),
        StreetRole::Future => (0..3).for_each(|_| {
            let plot = builder.next_plot();
            begins_later(&mut builder, plot);
        }),
        StreetRole::Bare(_) => {}
    }
    builder.street
}

/// Builds plots until the street serves exactly as many addresses as planned. A special plot with too many addresses is replaced by a
/// house.
fn fill(builder: &mut StreetBuilder<'_>) {
    // 5 and the number of special plots have no common factor, so successive streets start at different special plots.
    let mut next_special = builder.plan.index * 5;
    while builder.addresses_left() > 0 {
        let plot = builder.next_plot();
        if builder.plots % SPECIAL_EVERY == 3 {
            let (most, build) = SPECIAL_PLOTS[next_special % SPECIAL_PLOTS.len()];
            next_special += 1;
            if most <= builder.addresses_left() {
                build(builder, plot);
            } else {
                house(builder, plot);
            }
        } else {
            ordinary(builder, plot);
        }
    }
}
