//! The contract of [`ResultRepository`], as tests for any implementation.
//!
//! Each function may be given a fresh repository or one that other functions have used. An implementation that
//! must know its sessions creates those of [`SESSIONS`] first.

#![expect(clippy::expect_used, reason = "a suite of tests fails by panicking")]

use throughline_conversation::{Millis, ResultRef, SessionId};

use crate::repository::{ResultInfo, ResultRepository, StoreError, StoredResult};

/// Names of the sessions that the suite stores results in.
pub const SESSIONS: [&str; 2] = ["contract-a", "contract-b"];

/// Runs the whole suite.
pub async fn contract_all(port: &dyn ResultRepository) {
    contract_bytes_are_kept_exactly(port).await;
    contract_put_is_idempotent(port).await;
    contract_other_bytes_under_a_name_conflict(port).await;
    contract_sessions_are_apart(port).await;
    contract_list_is_oldest_first(port).await;
    contract_removed_is_gone(port).await;
}

/// Any bytes come back unchanged: empty, all values, invalid UTF-8, many.
pub async fn contract_bytes_are_kept_exactly(port: &dyn ResultRepository) {
    let all: Vec<u8> = (0..=255).collect();
    let large: Vec<u8> = (0..1_000_000_u32).map(|n| (n % 251) as u8).collect();
    for content in [Vec::new(), all, vec![0xff, 0xfe, 0, 0xc3], "naïve – 日本\r\n\0".into(), large] {
        let put = result(0, &content, 1);
        port.put(&put).await.expect("put");
        let found = port.get(&put.session, &put.id).await.expect("get");
        assert_eq!(found.as_ref(), Some(&put), "the result differs from what was put");
    }
}

/// The same bytes again change nothing, not even tool and time.
pub async fn contract_put_is_idempotent(port: &dyn ResultRepository) {
    let first = result(0, b"idempotent", 10);
    port.put(&first).await.expect("put");
    let again = StoredResult { tool: "another".to_owned(), at: Millis(99), ..first.clone() };
    port.put(&again).await.expect("put of the same bytes");
    let found = port.get(&first.session, &first.id).await.expect("get");
    assert_eq!(found, Some(first.clone()), "the second put changed the first");
    let listed = port.list(&first.session).await.expect("list");
    assert_eq!(listed.iter().filter(|info| info.id == first.id).count(), 1, "listed more than once");
}

/// A name is never given to other bytes.
pub async fn contract_other_bytes_under_a_name_conflict(port: &dyn ResultRepository) {
    let first = result(0, b"conflict", 10);
    port.put(&first).await.expect("put");
    let other = StoredResult { content: b"forged".to_vec(), ..first.clone() };
    let error = port.put(&other).await.expect_err("other bytes under a taken name must fail");
    assert!(matches!(&error, StoreError::Conflict(id) if *id == first.id), "not a conflict: {error:?}");
    let found = port.get(&first.session, &first.id).await.expect("get");
    assert_eq!(found, Some(first), "the failed put changed the result");
}

/// No session finds, lists or removes what another has, also under one name.
pub async fn contract_sessions_are_apart(port: &dyn ResultRepository) {
    let mine = result(0, b"mine", 20);
    let other = session(1);
    port.put(&mine).await.expect("put");
    assert_eq!(port.get(&other, &mine.id).await.expect("get"), None, "found from another session");
    assert!(!port.remove(&other, &mine.id).await.expect("remove"), "removed from another session");
    let theirs = StoredResult { session: other.clone(), content: b"theirs".to_vec(), ..mine.clone() };
    port.put(&theirs).await.expect("put of an equal name in another session");
    assert_eq!(port.get(&mine.session, &mine.id).await.expect("get"), Some(mine.clone()));
    assert_eq!(port.get(&other, &mine.id).await.expect("get"), Some(theirs.clone()));
    let listed = port.list(&other).await.expect("list");
    assert!(listed.contains(&theirs.info()), "its own result is not listed");
    assert!(!listed.contains(&mine.info()), "another session's result is listed");
    assert!(port.remove(&other, &mine.id).await.expect("remove"));
    assert_eq!(port.get(&mine.session, &mine.id).await.expect("get"), Some(mine), "removed in both");
}

/// The list is in order of time, then of name, and tells sizes.
pub async fn contract_list_is_oldest_first(port: &dyn ResultRepository) {
    let put = [result(1, b"list late", 50), result(1, b"list 1", 40), result(1, b"list two", 40)];
    for one in &put {
        port.put(one).await.expect("put");
    }
    let listed = port.list(&session(1)).await.expect("list");
    let mut sorted = listed.clone();
    sorted.sort_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
    assert_eq!(listed, sorted, "not oldest first");
    let infos: Vec<ResultInfo> = put.iter().map(StoredResult::info).collect();
    assert!(infos.iter().all(|info| listed.contains(info)), "{infos:?} not all in {listed:?}");
}

/// Removal returns whether the result existed, and a removed result may be put again.
pub async fn contract_removed_is_gone(port: &dyn ResultRepository) {
    let put = result(0, b"removed", 30);
    port.put(&put).await.expect("put");
    assert!(port.remove(&put.session, &put.id).await.expect("remove"), "there was a result");
    assert_eq!(port.get(&put.session, &put.id).await.expect("get"), None);
    assert!(!port.remove(&put.session, &put.id).await.expect("remove"), "it was removed before");
    port.put(&put).await.expect("put after removal");
    assert_eq!(port.get(&put.session, &put.id).await.expect("get"), Some(put));
}

fn session(index: usize) -> SessionId {
    let name = SESSIONS.get(index).copied().unwrap_or("contract");
    SessionId::new(name).expect("a name of letters and a dash")
}

fn result(index: usize, content: &[u8], at: i64) -> StoredResult {
    let session = session(index);
    let id = ResultRef::of(&session, content);
    StoredResult { session, id, tool: "shell_exec".to_owned(), content: content.to_vec(), at: Millis(at) }
}
