//! What PostgreSQL says by the code of an error (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).

use std::io;

use sea_orm::{ConnAcquireErr, DbErr, RuntimeErr, sqlx};

/// A unique key that is taken.
pub(crate) const UNIQUE: &str = "23505";
/// A row that refers to a missing one.
pub(crate) const FOREIGN_KEY: &str = "23503";
/// A statement that waited too long for a lock.
pub(crate) const LOCK_NOT_AVAILABLE: &str = "55P03";

/// Two transactions that read what the other one writes.
const SERIALIZATION: &str = "40001";
/// Two transactions that wait for each other.
const DEADLOCK: &str = "40P01";

/// Returns true if the server undid a transaction because of another one. Nothing of it was carried out, and the same may
/// succeed now.
pub(crate) fn is_conflict(error: &DbErr) -> bool {
    matches!(sqlstate(error).as_deref(), Some(SERIALIZATION | DEADLOCK))
}

/// The disk of the server is full.
pub(crate) const DISK_FULL: &str = "53100";

/// Returns true if the disk of the server is full.
pub(crate) fn is_full(error: &DbErr) -> bool {
    sqlstate(error).as_deref() == Some(DISK_FULL)
}

/// The code of an error; `None`: it is not one that the server has sent.
pub(crate) fn sqlstate(error: &DbErr) -> Option<String> {
    let sqlx::Error::Database(cause) = driver(error)? else { return None };
    let code = cause.code()?;
    // SQLite's codes have fewer digits.
    (code.len() == 5).then(|| code.into_owned())
}

/// The error of the driver.
pub(crate) fn driver(error: &DbErr) -> Option<&sqlx::Error> {
    let (DbErr::Conn(cause) | DbErr::Exec(cause) | DbErr::Query(cause)) = error else { return None };
    let RuntimeErr::SqlxError(cause) = cause else { return None };
    Some(cause.as_ref())
}

/// Returns true if the connection broke, or the server does not take any at this moment. The statement may have been
/// carried out.
pub(crate) fn is_broken(error: &DbErr) -> bool {
    if let Some(code) = sqlstate(error) {
        // Connection exceptions, a server that ends or begins, a terminated connection, too many of them.
        return code.starts_with("08")
            || matches!(code.as_str(), "57P01" | "57P02" | "57P03" | "57P05" | "53300");
    }
    match error {
        DbErr::ConnectionAcquire(ConnAcquireErr::Timeout) => true,
        _ => match driver(error) {
            Some(sqlx::Error::Io(cause)) => !matches!(cause.kind(), io::ErrorKind::NotFound),
            Some(sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed | sqlx::Error::Protocol(_)) => true,
            _ => false,
        },
    }
}

#[cfg(test)]
pub(crate) mod tests;
