//! How a server is connected to.

use std::str::FromStr as _;
use std::time::Duration;

use sea_orm::sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sea_orm::sqlx::{self, Connection as _};
use sea_orm::{DatabaseConnection, SqlxPostgresConnector};

use crate::durability::Durability;
use crate::server_url::ServerUrl;

/// How long a statement waits for a connection before it asks again.
const TURN: Duration = Duration::from_secs(3);
/// Statements wait this long for a row or a table that another process writes, in milliseconds.
const LOCK_TIMEOUT: &str = "20000";

/// What is said to the server at `url` when it is connected to.
pub(crate) fn options(url: &ServerUrl, durability: Durability) -> Result<PgConnectOptions, sqlx::Error> {
    let mut options = PgConnectOptions::from_str(url.as_str())?.application_name("throughline");
    options = options.options([("lock_timeout", LOCK_TIMEOUT)]);
    if durability == Durability::Full {
        options = options.options([("synchronous_commit", "on")]);
    }
    // The server is not asked about every record.
    Ok(sqlx::ConnectOptions::disable_statement_logging(options))
}

/// A connection that was not used for longer is tested first: the server may have restarted meanwhile. Testing one that has just
/// been used would double the trips to the server.
const RESTED: Duration = Duration::from_secs(1);

/// A pool that connects when it is used.
pub(crate) fn pool(options: PgConnectOptions, connections: u32) -> DatabaseConnection {
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(TURN)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .before_acquire(|connection, used| {
            Box::pin(async move {
                if used.idle_for > RESTED {
                    connection.ping().await?;
                }
                Ok(true)
            })
        });
    SqlxPostgresConnector::from_sqlx_postgres_pool(pool.connect_lazy_with(options))
}
