//! Writing the tables of a server again, so that nothing that was deleted is left in them.

use std::time::{Duration, Instant};

use sea_orm::sqlx::{self, Connection as _, Executor as _, PgConnection};
use sea_orm::{DbErr, RuntimeErr};

use crate::database::Database;
use crate::dialect::sqlstate::{LOCK_NOT_AVAILABLE, sqlstate};

/// The tables whose content can be deleted. Each is locked while it is written.
const TABLES: [&str; 12] = [
    "VACUUM (FULL) sessions",
    "VACUUM (FULL) session_owners",
    "VACUUM (FULL) session_parents",
    "VACUUM (FULL) log",
    "VACUUM (FULL) tool_result_blobs",
    "VACUUM (FULL) session_snapshots",
    "VACUUM (FULL) session_contexts",
    "VACUUM (FULL) llm_memos",
    "VACUUM (FULL) memory_files",
    "VACUUM (FULL) memory_chunks",
    "VACUUM (FULL) memory_fts",
    "VACUUM (FULL) loose_objects",
];

/// How long one try waits for the lock of a table. Every other statement on the table waits behind it.
const SHORT_WAIT: &str = "SET lock_timeout = 250";

/// Between two tries: others get their turn.
const PAUSE: Duration = Duration::from_millis(250);

/// How long tables that others read or write are tried.
const PATIENCE: Duration = Duration::from_secs(10);

impl Database {
    /// Writes the tables again. `false`: another process reads or writes one of them all the time.
    pub(crate) async fn rewrite_tables(&self) -> Result<bool, DbErr> {
        let failed = |error: sqlx::Error| DbErr::Exec(RuntimeErr::SqlxError(error.into()));
        let pool = self.connection.pool().get_postgres_connection_pool();
        // It waits for locks for a shorter time than others, so the pool does not get it again.
        let mut connection = pool.acquire().await.map_err(failed)?.detach();
        connection.execute(SHORT_WAIT).await.map_err(failed)?;
        let until = Instant::now() + PATIENCE;
        let mut all = true;
        for table in TABLES {
            all &= rewrite(&mut connection, table, until).await?;
        }
        connection.close().await.map_err(failed)?;
        Ok(all)
    }
}

/// Writes a table again, at the latest after a try at that time. `false`: others have not let it.
async fn rewrite(connection: &mut PgConnection, table: &'static str, until: Instant) -> Result<bool, DbErr> {
    loop {
        let Err(error) = connection.execute(table).await else { return Ok(true) };
        let error = DbErr::Exec(RuntimeErr::SqlxError(error.into()));
        if sqlstate(&error).as_deref() != Some(LOCK_NOT_AVAILABLE) {
            return Err(error);
        }
        if Instant::now() >= until {
            return Ok(false);
        }
        tokio::time::sleep(PAUSE).await;
    }
}
