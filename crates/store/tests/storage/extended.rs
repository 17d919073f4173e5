//! A session that another database has the beginning of.

use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{MessageLog as _, SessionDirectory as _};
use throughline_store::{CopiedSession, CopyError};

use super::{Fixture, create};

#[tokio::test]
async fn a_session_comes_back_with_what_was_added_elsewhere() {
    let (here, there) = (Fixture::new().await, Fixture::new().await);
    create(&here.store, "s").await;
    let all = sample_log(7, 60);
    let id = session("s");
    here.store.message_log().append(&id, &all[..20]).await.unwrap();
    let copied = here.store.copy_session(&id, &there.store).await.unwrap();
    assert_eq!(copied, CopiedSession::Copied { records: 20, results: 0 });
    there.store.message_log().append(&id, &all[20..50]).await.unwrap();
    there.store.sessions().rename(&id, "renamed there").await.unwrap();
    let back = there.store.copy_session(&id, &here.store).await.unwrap();
    assert_eq!(back, CopiedSession::Extended { records: 30, results: 0 });
    assert_eq!(there.store.copy_session(&id, &here.store).await.unwrap(), CopiedSession::Same);
    let home = here.store.sessions().summary(&id).await.unwrap().unwrap();
    assert_eq!((home.records, home.info.title.as_str()), (50, "renamed there"));

    here.store.message_log().append(&id, &all[50..]).await.unwrap();
    let longer = there.store.copy_session(&id, &here.store).await.unwrap_err();
    assert!(matches!(longer, CopyError::Longer { more: 10, .. }), "{longer}");
    let mut other = all[50..].to_vec();
    other.iter_mut().for_each(|record| record.at.0 += 1);
    there.store.message_log().append(&id, &other).await.unwrap();
    let apart = there.store.copy_session(&id, &here.store).await.unwrap_err();
    assert!(matches!(apart, CopyError::Diverged { common: 50, .. }), "{apart}");
    assert_eq!(here.store.message_log().last(&id).await.unwrap().0, 60, "it is unchanged");

    create(&here.store, "x").await;
    create(&there.store, "x").await;
    here.store.message_log().append(&session("x"), &all[..20]).await.unwrap();
    there.store.message_log().append(&session("x"), &sample_log(8, 20)).await.unwrap();
    let taken = there.store.copy_session(&session("x"), &here.store).await.unwrap_err();
    assert!(matches!(taken, CopyError::Taken { .. }), "{taken}");
}
