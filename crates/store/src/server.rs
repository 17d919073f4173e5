//! The connections to a PostgreSQL server.

use std::path::Path;
use std::time::Duration;

use sea_orm::sqlx::{self, Connection as _, PgConnection};
use sea_orm::{DbErr, RuntimeErr};

use crate::announcements::Announcements;
use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::durability::Durability;
use crate::lease::Leases;
use crate::link::Link;
use crate::pool::{ServerOptions, pool};
use crate::server_url::ServerUrl;

/// How long a server may take to answer when it is connected to.
const ANSWER: Duration = Duration::from_secs(10);
/// Connections side by side.
const CONNECTIONS: u32 = 8;

impl Database {
    /// Opens a database on a server.
    pub(crate) async fn server(url: &ServerUrl, durability: Durability) -> Result<Self, DatabaseError> {
        let shown = url.to_string();
        for (parameter, file) in url.files() {
            if let Err(source) = std::fs::File::open(&file) {
                return Err(DatabaseError::CertificateFile { path: shown.into(), parameter, file, source });
            }
        }
        let options =
            ServerOptions::new(url, durability).map_err(|error| failed(error, Path::new(&shown)))?;
        check(&options).await.map_err(|error| failed(error, Path::new(&shown)))?;
        let mut database =
            Self::on(Link::new(pool(options.clone(), CONNECTIONS)), Path::new(&shown), durability);
        database.announcements = Some(Announcements::new(options.connect.clone()));
        database.leases = Some(Leases::new(options, shown));
        Ok(database)
    }
}

/// Connects once, so that a wrong address or password is found at once: a pool would try it for as long as it waits.
async fn check(options: &ServerOptions) -> Result<(), sqlx::Error> {
    let connecting = async {
        let mut connection = PgConnection::connect_with(&options.connect).await?;
        options.set(&mut connection).await?;
        connection.close().await
    };
    match tokio::time::timeout(ANSWER, connecting).await {
        Ok(connected) => connected,
        Err(_) => Err(sqlx::Error::PoolTimedOut),
    }
}

fn failed(error: sqlx::Error, shown: &Path) -> DatabaseError {
    DatabaseError::of_server(DbErr::Conn(RuntimeErr::SqlxError(error.into())), shown)
}
