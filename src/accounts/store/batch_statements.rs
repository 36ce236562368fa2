//! Builds statements with many rows, so that all rows take one round trip to the database.

use std::fmt::Write as _;

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::QueryAs;
use sqlx::{Any, AssertSqlSafe, FromRow};

/// Placeholders for rows of parameters. Each row has `texts` texts and then `numbers` numbers. The casts give the types of the parameters
/// to the database.
pub(super) fn values_placeholders(rows: usize, texts: usize, numbers: usize) -> String {
    let width = texts + numbers;
    let mut list = String::new();
    for row in 0..rows {
        list.push_str(if row == 0 { "(" } else { ", (" });
        for column in 1..=width {
            let comma = if column == 1 { "" } else { ", " };
            let parameter = row * width + column;
            match column <= texts {
                true => write!(list, "{comma}CAST(${parameter} AS TEXT)"),
                false => write!(list, "{comma}CAST(${parameter} AS BIGINT)"),
            }
            .expect("writing to a string succeeds");
        }
        list.push(')');
    }
    list
}

/// A statement with at most this many rows is used often, so it stays prepared, which saves a round trip.
const MAX_PREPARED_ROWS: usize = 8;

/// Makes a query from a text that depends only on the number of rows. A statement with more than `MAX_PREPARED_ROWS` rows is not kept
/// prepared, because it would evict the statements that are used often.
pub(super) fn query_rows<'q, T>(statement: String, rows: usize) -> QueryAs<'q, Any, T, AnyArguments>
where
    T: for<'r> FromRow<'r, AnyRow>,
{
    sqlx::query_as(AssertSqlSafe(statement)).persistent(rows <= MAX_PREPARED_ROWS)
}
