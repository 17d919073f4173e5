//! What the codes of a server mean, without a server.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use sea_orm::sqlx::error::{DatabaseError, ErrorKind};

use super::*;

/// An error that a server sends.
#[derive(Debug)]
struct Sent(&'static str);

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server says {}", self.0)
    }
}

impl Error for Sent {}

impl DatabaseError for Sent {
    fn message(&self) -> &str {
        "what the server says"
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some(self.0.into())
    }

    fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
        self
    }

    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

/// The error of a statement that the server refuses with this code.
pub(crate) fn sent(code: &'static str) -> DbErr {
    of_driver(sqlx::Error::Database(Box::new(Sent(code))))
}

/// An error of the driver itself.
pub(crate) fn of_driver(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(Arc::new(error)))
}

/// An error of the network.
pub(crate) fn of_network(kind: io::ErrorKind) -> DbErr {
    of_driver(sqlx::Error::Io(kind.into()))
}

#[test]
fn a_code_of_a_server_has_five_signs() {
    assert_eq!(sqlstate(&sent("23505")).as_deref(), Some("23505"));
    for code in ["787", "2067", "123456"] {
        assert_eq!(sqlstate(&sent(code)), None, "{code}");
    }
    assert_eq!(sqlstate(&of_network(io::ErrorKind::BrokenPipe)), None);
    assert_eq!(sqlstate(&DbErr::Custom("23505".to_owned())), None);
}

#[test]
fn each_code_means_one_thing() {
    let of = |code| {
        let error = sent(code);
        (is_conflict(&error), is_full(&error), is_broken(&error))
    };
    for code in ["40001", "40P01"] {
        assert_eq!(of(code), (true, false, false), "{code}");
    }
    assert_eq!(of("53100"), (false, true, false));
    for code in ["08000", "08006", "57P01", "57P02", "57P03", "57P05", "53300"] {
        assert_eq!(of(code), (false, false, true), "{code}");
    }
    for code in ["23505", "23503", "55P03", "57P04", "57014", "53200", "40002", "00000"] {
        assert_eq!(of(code), (false, false, false), "{code}");
    }
}

#[test]
fn a_connection_is_broken_where_the_same_statement_may_succeed_later() {
    for error in [
        of_network(io::ErrorKind::ConnectionRefused),
        of_network(io::ErrorKind::UnexpectedEof),
        of_driver(sqlx::Error::PoolTimedOut),
        of_driver(sqlx::Error::WorkerCrashed),
        of_driver(sqlx::Error::Protocol("half a message".to_owned())),
        DbErr::ConnectionAcquire(ConnAcquireErr::Timeout),
    ] {
        assert!(is_broken(&error), "{error:?}");
    }
    // A file of certificates that is missing does not appear by itself.
    for error in [
        of_network(io::ErrorKind::NotFound),
        of_driver(sqlx::Error::RowNotFound),
        DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed),
        DbErr::Custom("x".to_owned()),
    ] {
        assert!(!is_broken(&error), "{error:?}");
    }
}
