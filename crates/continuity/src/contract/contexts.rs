//! The contract of `ContextStore`.

use throughline_conversation::{Millis, Seq, SessionId};

use crate::contexts::{ContextSource, ContextStore, StoredContext};

/// Checks a store. Both sessions must exist and have no context, and must not be the same.
pub async fn contract_context_store(store: &dyn ContextStore, session: &SessionId, other: &SessionId) {
    let context = |session: &SessionId, covers: u64, source: ContextSource| StoredContext {
        session: session.clone(),
        covers: Seq(covers),
        source,
        worker: "claude".to_owned(),
        at: Millis(1_000 + covers as i64),
        context: format!("{{\"summary\":\"é {covers}\\n\"}}"),
    };
    assert_eq!(store.list(session).await.unwrap(), []);
    store.remove(session).await.expect("removing nothing succeeds");
    let late = context(session, 12, ContextSource::Compaction);
    let early = context(session, 3, ContextSource::Resume);
    let foreign = context(other, 3, ContextSource::Refresh);
    for one in [&late, &early, &foreign] {
        store.save(one).await.unwrap();
    }
    assert_eq!(store.list(session).await.unwrap(), [early.clone(), late], "the newest is last");
    let again = StoredContext {
        at: Millis(7),
        context: "{}".to_owned(),
        ..context(session, 12, ContextSource::Refresh)
    };
    store.save(&again).await.unwrap();
    assert_eq!(store.list(session).await.unwrap(), [early, again], "one for each place");
    store.remove(session).await.unwrap();
    assert_eq!(store.list(session).await.unwrap(), []);
    assert_eq!(store.list(other).await.unwrap(), [foreign], "sessions are apart");
}
