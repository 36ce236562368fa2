//! Lists the tests that run on every kind of database, each with an empty store.

use std::future::Future;
use std::pin::Pin;

use futures_util::StreamExt as _;

use super::{accounts, keys, notices, refusals, restrictions, rotation, usage};
use crate::accounts::AccountStore;
use crate::limits::quota::tests::{other_nodes, store_tests as quotas};

type StoreTest = for<'a> fn(&'a AccountStore) -> Pin<Box<dyn Future<Output = ()> + 'a>>;

macro_rules! store_tests {
    ($($module:ident::$name:ident),* $(,)?) => {
        &[$((stringify!($name), |store| Box::pin($module::$name(store)))),*]
    };
}

/// How many tests run at the same time. Most of them wait for the next tick of a lease task.
const MAX_CONCURRENT_TESTS: usize = 16;

/// Runs every test. `new_store` creates a store for each number, and a guard that keeps the store's folder.
pub(super) async fn run_store_tests<T>(new_store: impl AsyncFn(usize) -> (T, AccountStore)) {
    let trials = STORE_TESTS.iter().enumerate();
    let trials = trials.map(async |(number, (name, test))| {
        println!("{name}");
        let (_place, store) = new_store(number).await;
        test(&store).await;
        store.close().await;
    });
    let trials = futures_util::stream::iter(trials).buffer_unordered(MAX_CONCURRENT_TESTS);
    trials.collect::<()>().await;
}

/// The tests, by name.
const STORE_TESTS: &[(&str, StoreTest)] = store_tests![
    accounts::an_account_starts_with_two_keys,
    accounts::an_enterprise_account_keeps_its_limits,
    accounts::an_email_address_has_one_open_account,
    accounts::accounts_are_found_by_id_and_email,
    accounts::a_plan_change_reaches_the_keys,
    accounts::a_closed_account_has_no_keys_and_cannot_be_changed,
    restrictions::restrictions_are_stored_and_reach_the_directory,
    restrictions::unreadable_restrictions_disable_the_key,
    keys::a_key_is_revoked_only_once,
    keys::keys_are_listed_by_account,
    keys::every_change_and_nothing_else_raises_the_revision,
    keys::an_unreadable_row_disables_one_key_only,
    keys::a_refreshed_directory_equals_a_new_one,
    keys::concurrent_writers_wait_for_each_other,
    keys::changes_after_a_return_to_an_older_copy_reach_a_running_node,
    keys::only_the_last_revisions_keep_their_ids,
    rotation::both_keys_work_until_the_old_one_expires_on_every_node,
    rotation::a_grace_period_is_rounded_up_to_whole_seconds,
    rotation::only_a_key_in_force_without_an_expiry_can_be_rotated,
    rotation::each_recipient_gets_one_notice_of_a_change,
    rotation::the_email_address_of_an_account_can_be_changed,
    usage::counts_add_up_and_are_read_by_account_and_by_key,
    usage::an_unknown_key_does_not_block_the_counts_of_others,
    usage::a_failure_before_the_commit_adds_nothing,
    usage::a_refused_commit_adds_nothing,
    usage::concurrent_nodes_lose_no_counts,
    refusals::refusals_of_all_keys_and_nodes_add_up,
    refusals::a_report_has_the_last_twenty_refusals,
    refusals::old_refusals_are_deleted,
    refusals::a_report_covers_one_account_and_one_period,
    notices::a_notice_is_claimed_once_until_the_claim_expires,
    notices::a_sent_notice_is_not_due_again,
    notices::no_notice_is_due_for_a_closed_account_or_an_ended_period,
    notices::only_one_of_several_senders_claims_a_notice,
    quotas::only_an_account_with_calls_gets_a_lease,
    quotas::a_node_reads_the_row_for_the_status_of_an_account_without_calls,
    quotas::two_nodes_together_serve_exactly_the_allowance,
    other_nodes::three_nodes_serve_exactly_the_allowance_even_if_all_demand_moves_to_one,
    quotas::the_last_call_is_served_once,
    quotas::a_bulk_request_is_served_whole_or_not_at_all,
    quotas::dropped_permits_return_their_calls,
    quotas::a_stop_returns_unused_calls,
    quotas::a_killed_node_loses_one_lease_at_most,
    quotas::each_notice_is_created_once,
    quotas::a_changed_plan_applies_at_once,
    quotas::an_account_without_live_keys_returns_its_lease,
    quotas::an_unknown_account_does_not_affect_other_accounts,
    quotas::a_thousand_accounts_get_a_lease_at_once,
];
