//! Defines a request for the report of its key's account. No other request reads from the accounts database.

use super::ApiError;
use super::request::RequestContext;
use crate::accounts::{AccountReport, BillingPeriod, KeyGrant};

/// An authorized request, with the data of its account.
pub struct AccountRequest<'a> {
    pub(super) grant: &'a KeyGrant,
    /// The current billing period.
    pub(super) period: BillingPeriod,
    /// The account's keys and usage in the current billing period.
    pub(super) report: AccountReport,
}

impl<'a> AccountRequest<'a> {
    /// Reads the account from the database.
    ///
    /// # Errors
    /// If the database is unavailable.
    pub(super) async fn load(context: &'a RequestContext<'_>) -> Result<Self, ApiError> {
        let (app, grant) = (context.app(), context.grant());
        let period = BillingPeriod::from_anchor(grant.billing_anchor, app.access.clock.now());
        let report = app.account_reports.load(grant.account_id, period).await;
        let report = report.ok_or(ApiError::AccountsUnavailable)?;
        Ok(Self {
            grant,
            period,
            report,
        })
    }
}
