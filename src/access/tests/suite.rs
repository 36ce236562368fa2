//! The list of promises that every database keeps, and the loop that tries them, each on an empty ledger.

use std::future::Future;
use std::pin::Pin;

use super::ledger;
use crate::access::Ledger;

type Promise = for<'a> fn(&'a Ledger) -> Pin<Box<dyn Future<Output = ()> + 'a>>;

macro_rules! promises {
    ($($name:ident),* $(,)?) => {
        &[$((stringify!($name), |ledger| Box::pin(ledger::$name(ledger)))),*]
    };
}

/// Every promise of the ledger, by name.
pub(super) const PROMISES: &[(&str, Promise)] = promises![
    an_account_starts_with_two_keys,
    an_enterprise_account_keeps_its_numbers,
    an_address_has_one_open_account,
    accounts_are_found_by_id_and_address,
    a_plan_change_reaches_the_keys,
    a_closed_account_has_no_keys_and_takes_no_changes,
    a_key_is_revoked_once,
    keys_are_listed_by_account,
    every_change_and_nothing_else_raises_the_revision,
    a_row_that_cannot_be_read_shuts_one_key_alone,
    writers_at_the_same_time_wait_for_each_other,
];
