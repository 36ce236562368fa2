//! Statements of many rows at once: one answer of the database for all of them, however far away it is.

use std::fmt::Write as _;

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::QueryAs;
use sqlx::{Any, AssertSqlSafe, FromRow};

/// Rows of parameters, each so many texts and then so many numbers. Only the texts tell their type by themselves.
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
            .expect("a string takes all");
        }
        list.push(')');
    }
    list
}

/// Statements of so few rows recur, and are kept prepared: that saves a round trip to the server each time.
const MAX_PREPARED_ROWS: usize = 8;

/// A statement whose text depends on the number of rows alone; keeping each prepared would push out those that recur.
pub(super) fn query_as<'q, T>(statement: String, rows: usize) -> QueryAs<'q, Any, T, AnyArguments>
where
    T: for<'r> FromRow<'r, AnyRow>,
{
    sqlx::query_as(AssertSqlSafe(statement)).persistent(rows <= MAX_PREPARED_ROWS)
}
