//! Identifies the state of all keys by the last change: its number, and a random id that no other change has.
//!
//! After a return to an older copy of the database, by a failover or a restore, numbers are used again for other changes. The ids differ,
//! so a reader can tell whether a state continues from the one that it knows.

use sqlx::{AnyConnection, Row as _};

use super::error::AccountStoreError;

/// How many revisions keep their ids. A reader that has missed more changes reloads every key.
const KEPT_IDS: i64 = 1_000;

/// A state of all keys. Every change of a key raises the number by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Revision {
    pub(crate) number: i64,
    /// `None` if a version of the program that writes no ids made the change.
    pub(super) id: Option<i64>,
}

impl Revision {
    /// True if the history of the database contains this revision. False also if the revision has no id.
    pub(super) async fn is_in_history(
        self,
        connection: &mut AnyConnection,
    ) -> Result<bool, AccountStoreError> {
        let select = "SELECT COUNT(*) FROM revision_ids JOIN revision ON revision_ids.number <= revision.number \
                      WHERE revision_ids.number = $1 AND id = $2";
        let select = sqlx::query_scalar(select).bind(self.number).bind(self.id);
        let found: i64 = select.fetch_one(connection).await?;
        Ok(found > 0)
    }

    /// True if the revision has an id. Only then its absence from the database means that the database has lost it.
    pub(crate) fn has_id(self) -> bool {
        self.id.is_some()
    }
}

pub(super) async fn read_revision(
    connection: &mut AnyConnection,
) -> Result<Revision, AccountStoreError> {
    let select = "SELECT revision.number AS number, id FROM revision \
                  LEFT JOIN revision_ids ON revision_ids.number = revision.number";
    let row = sqlx::query(select).fetch_one(connection).await?;
    Ok(Revision {
        number: row.try_get("number")?,
        id: row.try_get("id")?,
    })
}

/// Raises the revision and gives it an id. Returns its number.
pub(super) async fn raise_revision(
    connection: &mut AnyConnection,
) -> Result<i64, AccountStoreError> {
    let raise = sqlx::query_scalar("UPDATE revision SET number = number + 1 RETURNING number");
    let number: i64 = raise.fetch_one(&mut *connection).await?;
    let mut id = [0; 8];
    getrandom::fill(&mut id)?;
    let insert = "INSERT INTO revision_ids (number, id) VALUES ($1, $2) \
                  ON CONFLICT (number) DO UPDATE SET id = excluded.id";
    sqlx::query(insert)
        .bind(number)
        .bind(i64::from_ne_bytes(id))
        .execute(&mut *connection)
        .await?;
    sqlx::query("DELETE FROM revision_ids WHERE number <= $1")
        .bind(number - KEPT_IDS)
        .execute(connection)
        .await?;
    Ok(number)
}
