//! How a server is connected to.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sea_orm::sqlx::{self, ConnectOptions as _, Connection as _, PgConnection};
use sea_orm::{DatabaseConnection, SqlxPostgresConnector};

use crate::durability::Durability;
use crate::server_settings::ServerSettings;
use crate::server_url::ServerUrl;

/// How long a statement waits for a connection before it asks again.
const TURN: Duration = Duration::from_secs(3);
/// Statements wait this long for a row or a table that another process writes, in milliseconds.
const LOCK_TIMEOUT: &str = "20000";

/// How to connect, and what each connection is set to then. A connection pooler takes no settings with the connection itself.
///
/// There is a password in it: it has no `Debug`.
#[derive(Clone)]
pub(crate) struct ServerOptions {
    pub(crate) connect: PgConnectOptions,
    settings: Arc<ServerSettings>,
}

impl ServerOptions {
    /// What is said to the server at `url` when it is connected to.
    pub(crate) fn new(url: &ServerUrl, durability: Durability) -> Result<Self, sqlx::Error> {
        let connect = PgConnectOptions::from_url(&url.to_connect())?;
        // No column has floating-point numbers, and a pooler does not know this parameter.
        let connect = connect.application_name("throughline").extra_float_digits(None);
        let mut settings = url.settings().unwrap_or_default();
        settings.push(("lock_timeout".to_owned(), LOCK_TIMEOUT.to_owned()));
        if durability == Durability::Full {
            settings.push(("synchronous_commit".to_owned(), "on".to_owned()));
        }
        // The server is not asked about every record.
        Ok(Self { connect: connect.disable_statement_logging(), settings: Arc::new(settings) })
    }

    /// The same under another name, which the server shows.
    pub(crate) fn named(self, name: &str) -> Self {
        Self { connect: self.connect.application_name(name), ..self }
    }

    /// Sets what a new connection is to have.
    pub(crate) async fn set(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        const SET: &str = "SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS setting (name, value)";
        let (names, values): (Vec<String>, Vec<String>) = self.settings.iter().cloned().unzip();
        sqlx::query(SET).persistent(false).bind(names).bind(values).execute(connection).await.map(drop)
    }
}

/// A connection that was not used for longer is tested first: the server may have restarted meanwhile. Testing one that has just
/// been used would double the trips to the server.
const RESTED: Duration = Duration::from_secs(1);

/// A pool that connects when it is used.
pub(crate) fn pool(options: ServerOptions, connections: u32) -> DatabaseConnection {
    let connect = options.connect.clone();
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(TURN)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            let options = options.clone();
            Box::pin(async move { options.set(connection).await })
        })
        .before_acquire(|connection, used| {
            Box::pin(async move {
                if used.idle_for > RESTED {
                    connection.ping().await?;
                }
                Ok(true)
            })
        });
    SqlxPostgresConnector::from_sqlx_postgres_pool(pool.connect_lazy_with(connect))
}
