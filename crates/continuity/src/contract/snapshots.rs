//! The contract of `SnapshotStore`.

use throughline_conversation::{Millis, SessionId, project};

use super::{SampleCounter, sample_log};
use crate::snapshot::snapshot_of;
use crate::snapshots::SnapshotStore;

/// Checks a store. Both sessions must exist and have no snapshot, and must not be the same.
pub async fn contract_snapshot_store(store: &dyn SnapshotStore, session: &SessionId, other: &SessionId) {
    let log = sample_log(11, 120);
    let view = |records: usize| project(&log[..records], &SampleCounter).unwrap();
    let early = snapshot_of(session, &view(60), Millis(5));
    let late = snapshot_of(session, &view(120), Millis(9));
    let foreign = snapshot_of(other, &view(30), Millis(1));

    assert_eq!(store.load(session).await.unwrap(), None);
    store.remove(session).await.expect("removing nothing succeeds");
    store.save(&early).await.unwrap();
    assert_eq!(store.load(session).await.unwrap().as_ref(), Some(&early), "it comes back unchanged");
    store.save(&late).await.unwrap();
    assert_eq!(store.load(session).await.unwrap().as_ref(), Some(&late), "the newest takes the place");
    assert_eq!(store.load(other).await.unwrap(), None, "sessions are apart");
    store.save(&foreign).await.unwrap();
    store.remove(session).await.unwrap();
    assert_eq!(store.load(session).await.unwrap(), None);
    assert_eq!(store.load(other).await.unwrap(), Some(foreign), "only the session's own is removed");

    let nothing = snapshot_of(session, &throughline_conversation::View::default(), Millis(0));
    store.save(&nothing).await.unwrap();
    assert_eq!(store.load(session).await.unwrap(), Some(nothing), "an empty view is a view");
}
