//! What a database has of a server's users. The suite `postgres` runs the same on a server.

use std::path::PathBuf;

use throughline_continuity::contract::session;
use throughline_continuity::{SessionDirectory as _, SessionInfo};
use throughline_conversation::{Millis, Record};
use throughline_store::{AuditEntry, Store, UserRights, UserToken};

/// Tokens, owners and the audit log of an empty database.
pub(crate) async fn contract_users(store: &Store) {
    tokens(store).await;
    owners(store).await;
    entries(store).await;
}

async fn tokens(store: &Store) {
    let tokens = store.user_tokens();
    let folders = vec![PathBuf::from("/srv/a \"b\""), PathBuf::from("/srv/ü")];
    let make = |user: &str, rights, folders: &[PathBuf], at| {
        UserToken::issue(user, rights, folders.to_vec(), Millis(at), None).unwrap()
    };
    let (ann, secret) = make("ann", UserRights::Run, &folders, 2);
    let (second, _) = make("ann", UserRights::Admin, &[], 3);
    let (bob, _) = make("bob", UserRights::Read, &[], 1);
    for token in [&ann, &second, &bob] {
        tokens.add(token).await.unwrap();
    }
    assert!(tokens.add(&ann).await.is_err(), "an id is of one token");
    assert_eq!(tokens.list().await.unwrap(), [bob.clone(), ann.clone(), second.clone()]);
    let found = tokens.find(UserToken::id_in(&secret).unwrap()).await.unwrap().unwrap();
    assert!(found == ann && found.accepts(&secret));
    assert_eq!(tokens.find("00000000").await.unwrap(), None);
    assert_eq!(tokens.revoke(&bob.id, Millis(7)).await.unwrap(), 1);
    assert_eq!(tokens.revoke("ann", Millis(8)).await.unwrap(), 2);
    assert_eq!(tokens.revoke("ann", Millis(9)).await.unwrap(), 0, "a token is revoked once");
    let revoked: Vec<_> = tokens.list().await.unwrap().into_iter().map(|token| token.revoked).collect();
    assert_eq!(revoked, [Some(Millis(7)), Some(Millis(8)), Some(Millis(8))]);
}

async fn owners(store: &Store) {
    let owners = store.session_owners();
    for id in ["o1", "o2"] {
        let workspace = "/home/ann".to_owned();
        let info = SessionInfo {
            id: session(id),
            title: String::new(),
            workspace,
            model: "sample".to_owned(),
            created: Millis(1),
        };
        store.sessions().create(&info).await.unwrap();
    }
    assert_eq!(owners.find(&session("o1")).await.unwrap(), None);
    assert_eq!(owners.claim(&session("o1"), "ann").await.unwrap(), "ann");
    assert_eq!(owners.claim(&session("o1"), "bob").await.unwrap(), "ann", "the first one has it");
    owners.claim(&session("o2"), "bob").await.unwrap();
    assert!(owners.claim(&session("missing"), "ann").await.is_err());
    assert!(store.sessions().remove(&session("o2")).await.unwrap());
    let listed = owners.list().await.unwrap();
    assert_eq!(listed.into_iter().collect::<Vec<_>>(), [("o1".to_owned(), "ann".to_owned())]);
    owners.release(&session("o1")).await.unwrap();
    assert_eq!(owners.find(&session("o1")).await.unwrap(), None);
    assert_eq!(owners.claim(&session("o1"), "bob").await.unwrap(), "bob", "it has no owner any more");
}

async fn entries(store: &Store) {
    let log = store.audit_log();
    let entry = |at: i64, status| AuditEntry {
        at: Millis(at),
        user: "ann".to_owned(),
        method: "POST".to_owned(),
        path: format!("/api/sessions/s{at}/turns"),
        session: (at != 3).then(|| format!("s{at}")),
        status,
        remote: "127.0.0.1".to_owned(),
        forwarded: (at == 2).then(|| "2001:db8::1".to_owned()),
    };
    let all = [entry(3, Some(200)), entry(2, Some(404)), entry(1, None)];
    for entry in all.iter().rev() {
        log.append(entry).await.unwrap();
    }
    assert_eq!(log.list(Millis(0), 10, 0).await.unwrap(), all);
    assert_eq!(log.list(Millis(2), 1, 1).await.unwrap(), all[1..2]);
    assert_eq!([log.count(Millis(2)).await.unwrap(), log.count_before(Millis(2)).await.unwrap()], [2, 1]);
    assert_eq!(log.remove_before(Millis(3), 1).await.unwrap(), 1, "the oldest go first, few at once");
    assert_eq!(log.list(Millis(0), 10, 0).await.unwrap(), all[..2]);
    assert_eq!(log.remove_before(Millis(3), 10).await.unwrap(), 1);
    assert_eq!(log.count(Millis(0)).await.unwrap(), 1);
}

/// Sessions that were not written since a time, and the deletion of a large one, piece by piece.
pub(crate) async fn contract_idle(store: &Store) {
    use throughline_continuity::MessageLog as _;
    use throughline_resultstore::{ResultRepository as _, StoredResult};

    let sample = throughline_continuity::contract::sample_log(5, 1_234);
    let newest = sample.last().unwrap().at;
    for (id, created) in [("i1", 1), ("i2", 1), ("i3", newest.0 + 2)] {
        let info = SessionInfo {
            id: session(id),
            title: String::new(),
            workspace: String::new(),
            model: String::new(),
            created: Millis(created),
        };
        store.sessions().create(&info).await.unwrap();
    }
    store.message_log().append(&session("i1"), &sample).await.unwrap();
    for number in 0..40_u8 {
        let content = vec![number; 100];
        let id = throughline_conversation::ResultRef::of(&session("i1"), &content);
        let result =
            StoredResult { session: session("i1"), id, tool: "read".to_owned(), content, at: Millis(1) };
        store.results().put(&result).await.unwrap();
    }
    let idle = async |before, after: &str, most| {
        let found = store.idle_sessions(Millis(before), after, most).await.unwrap();
        found.into_iter().map(|id| id.to_string()).filter(|id| id.starts_with('i')).collect::<Vec<_>>()
    };
    assert_eq!(idle(newest.0, "", 100).await, ["i2"], "a log counts by its newest record");
    assert_eq!(idle(newest.0 + 1, "", 100).await, ["i1", "i2"]);
    assert_eq!(idle(newest.0 + 1, "i1", 1).await, ["i2"]);
    let back = sample.last().unwrap().seq.next();
    let back = Record { seq: back, at: Millis(1), ..sample.last().unwrap().clone() };
    store.message_log().append(&session("i1"), &[back]).await.unwrap();
    let newest_of_i1 = store.sessions().summary(&session("i1")).await.unwrap().unwrap().last_activity;
    assert_eq!(idle(newest.0, "", 100).await, ["i2"], "the clock was set back, and its newest record stays");
    assert!(!store.is_idle(&session("i1"), newest).await.unwrap());
    assert!(store.is_idle(&session("i1"), Millis(newest.0 + 1)).await.unwrap());
    assert!(!store.is_idle(&session("missing"), Millis(i64::MAX)).await.unwrap());
    assert_eq!(newest_of_i1, Millis(1), "it is not before its session");
    assert!(store.sessions().remove(&session("i1")).await.unwrap());
    assert!(store.results().list(&session("i1")).await.unwrap().is_empty());
    assert!(store.message_log().last(&session("i1")).await.is_err(), "its log is gone");
    assert_eq!(idle(i64::MAX, "", 100).await, ["i2", "i3"]);
}
