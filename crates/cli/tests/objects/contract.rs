//! The contracts of the ports over S3.

use std::sync::Arc;

use throughline_continuity::{SessionDirectory as _, SessionInfo};
use throughline_conversation::{Millis, SessionId};
use throughline_objects::ObjectBlobs;
use throughline_resultstore::contract::{SESSIONS, contract_all};
use throughline_resultstore::contract_blobs::contract_blobs_all;
use throughline_store::Store;

use crate::bucket::Bucket;

#[tokio::test]
async fn blobs_and_results_keep_their_contracts() {
    let bucket = Bucket::new();
    for place in [bucket.place(), "s3://results".to_owned()] {
        let blobs = ObjectBlobs::new(place.parse().unwrap(), bucket.variables());
        contract_blobs_all(&blobs).await;
    }
    assert_eq!(bucket.objects(), []);
    let blobs = ObjectBlobs::new(bucket.place().parse().unwrap(), bucket.variables());
    let store = Store::open_in_memory().await.unwrap().with_blobs(Arc::new(blobs), 3);
    for name in SESSIONS {
        let id = SessionId::new(name).unwrap();
        let (title, workspace, model) = (String::new(), "/w".to_owned(), "m".to_owned());
        store
            .sessions()
            .create(&SessionInfo { id, title, workspace, model, created: Millis(1) })
            .await
            .unwrap();
    }
    contract_all(&store.results()).await;
    let listed = bucket.objects();
    assert!(listed.len() > 5 && listed.iter().all(|(key, _)| key.starts_with("team/a/")), "{listed:?}");
    for name in SESSIONS {
        assert!(store.sessions().remove(&SessionId::new(name).unwrap()).await.unwrap());
    }
    assert_eq!(bucket.objects(), []);
}
