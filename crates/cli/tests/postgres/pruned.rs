//! A hundred thousand old sessions on a server.

use crate::cluster::{Cluster, open};
use crate::pruning::{SESSIONS, begin, prune};

/// Copies of the small session, each under an id of its own, and the records of the large one.
fn copies(large: usize, records: usize) -> [String; 4] {
    let last = SESSIONS - 1;
    [
        format!(
            "INSERT INTO sessions (id, title, workspace, model, created_at, last_seq) \
             SELECT 'old-' || lpad(number::text, 6, '0'), title, workspace, model, created_at, last_seq \
             FROM sessions, generate_series(0, {last}) AS number WHERE id = 'sample'"
        ),
        format!(
            "INSERT INTO log (session_id, seq, kind, exchange, at, digest, payload) \
             SELECT 'old-' || lpad(number::text, 6, '0'), seq, kind, exchange, at, digest, payload \
             FROM log, generate_series(0, {last}) AS number WHERE session_id = 'sample'"
        ),
        format!(
            "INSERT INTO log (session_id, seq, kind, exchange, at, digest, payload) \
             SELECT 'large', number * {records} + seq, kind, exchange, at, digest, payload \
             FROM log, generate_series(0, {large} - 1) AS number WHERE session_id = 'sample'"
        ),
        "ANALYZE".to_owned(),
    ]
}

#[test]
fn a_hundred_thousand_sessions_are_deleted_from_a_server_while_another_process_writes() {
    let cluster = Cluster::durable();
    let url = cluster.database();
    let name = url.rsplit('/').next().unwrap().to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (large, records) = runtime.block_on(async { begin(open(&url).await).await });
    for sql in copies(large, records) {
        let (worked, said) = cluster.psql(&name, &sql);
        assert!(worked, "{said}");
    }
    let opened = url.clone();
    prune(
        &["--database", &url],
        async move || open(&opened).await,
        || cluster.psql(&name, "SELECT count(*) FROM sessions").1.parse().unwrap(),
    );
}
