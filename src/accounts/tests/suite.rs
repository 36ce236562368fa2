//! The list of promises that every database keeps, and how they are tried, each on an empty ledger.

use std::future::Future;
use std::pin::Pin;

use futures_util::StreamExt as _;

use super::{accounts, keys, notices, restrictions, usage};
use crate::accounts::AccountStore;
use crate::limits::quota::tests::{other_nodes, promises as quotas};

type Promise = for<'a> fn(&'a AccountStore) -> Pin<Box<dyn Future<Output = ()> + 'a>>;

macro_rules! promises {
    ($($module:ident::$name:ident),* $(,)?) => {
        &[$((stringify!($name), |ledger| Box::pin($module::$name(ledger)))),*]
    };
}

/// How many promises are tried at a time: most of them wait for the next second of a node.
const AT_A_TIME: usize = 16;

/// Tries every promise. `empty` makes a ledger for each number, and what keeps it in its place.
pub(super) async fn try_promises<T>(empty: impl AsyncFn(usize) -> (T, AccountStore)) {
    let trials = PROMISES.iter().enumerate();
    let trials = trials.map(async |(number, (name, promise))| {
        println!("{name}");
        let (_place, ledger) = empty(number).await;
        promise(&ledger).await;
        ledger.close().await;
    });
    let trials = futures_util::stream::iter(trials).buffer_unordered(AT_A_TIME);
    trials.collect::<()>().await;
}

/// Every promise of the ledger, by name.
const PROMISES: &[(&str, Promise)] = promises![
    accounts::an_account_starts_with_two_keys,
    accounts::an_enterprise_account_keeps_its_numbers,
    accounts::an_address_has_one_open_account,
    accounts::accounts_are_found_by_id_and_address,
    accounts::a_plan_change_reaches_the_keys,
    accounts::a_closed_account_has_no_keys_and_takes_no_changes,
    restrictions::bounds_survive_and_reach_the_directory,
    restrictions::a_row_with_bounds_that_cannot_be_read_shuts_its_key,
    keys::a_key_is_revoked_once,
    keys::keys_are_listed_by_account,
    keys::every_change_and_nothing_else_raises_the_revision,
    keys::a_row_that_cannot_be_read_shuts_one_key_alone,
    keys::a_directory_that_follows_is_as_good_as_a_new_one,
    keys::writers_at_the_same_time_wait_for_each_other,
    usage::counts_add_up_and_are_read_by_account_and_by_key,
    usage::a_key_that_is_not_there_holds_up_no_other,
    usage::what_fails_before_the_commit_is_not_added,
    usage::what_the_commit_refuses_is_not_added,
    usage::nodes_that_count_at_the_same_time_lose_nothing,
    notices::a_notice_is_claimed_once_and_comes_back_when_its_time_has_passed,
    notices::a_notice_that_was_sent_is_gone,
    notices::neither_a_closed_account_nor_a_period_that_is_over_gets_one,
    notices::of_several_senders_one_gets_it,
    quotas::only_an_account_with_calls_gets_a_lease,
    quotas::two_nodes_together_use_a_quota_up_exactly,
    other_nodes::three_nodes_use_a_quota_up_exactly_also_from_one_of_them,
    quotas::the_last_call_is_served_once,
    quotas::a_bulk_request_is_served_whole_or_not_at_all,
    quotas::dropped_permits_return_their_calls,
    quotas::a_stop_returns_unused_calls,
    quotas::a_killed_node_loses_one_lease_at_most,
    quotas::each_notice_exists_once,
    quotas::a_changed_plan_applies_at_once,
    quotas::an_account_without_live_keys_returns_its_lease,
    quotas::an_unknown_account_harms_no_other,
    quotas::a_thousand_accounts_get_a_lease_at_once,
];
