//! Programs that begin in the same millisecond.

use std::collections::BTreeSet;

use super::*;

const AT: Millis = Millis(1_700_000_000_000);

fn info(id: SessionId) -> SessionInfo {
    SessionInfo { id, title: "t".to_owned(), workspace: "/w".to_owned(), model: "m".to_owned(), created: AT }
}

/// The data folder as another program opens it.
async fn data(folder: &std::path::Path) -> Storage {
    Storage::open(Some(folder.to_owned())).await.unwrap()
}

fn new(storage: &Storage) -> NewSession<'_> {
    NewSession { storage, id_prefix: "run", at: AT }
}

#[tokio::test]
async fn each_of_many_gets_an_id_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let old = new_session_id("run", AT).unwrap();
    data(folder.path()).await.create_session(&info(old.clone())).await.unwrap();
    let several = (0..8).map(|number| {
        let (path, old) = (folder.path().to_owned(), old.clone());
        tokio::spawn(async move {
            let from = (number % 2 == 1).then_some(&old);
            new(&data(&path).await).create(from, info).await.unwrap()
        })
    });
    let mut made = Vec::new();
    for one in several.collect::<Vec<_>>() {
        made.push(one.await.unwrap());
    }
    let ids: BTreeSet<_> = made.iter().map(|(info, _)| info.id.to_string()).collect();
    assert_eq!(ids.len(), 8, "{ids:?}");
    assert!(!ids.contains(old.as_str()), "an existing session is not created again");
    let expected = (1..=8).map(|more| new_session_id("run", Millis(AT.0 + more)).unwrap().to_string());
    assert_eq!(ids, expected.collect(), "ids sort by age");
    // The locks are held as long as the values live.
    assert!(made.iter().all(|(info, _)| throughline_store::lock_session(folder.path(), &info.id).is_err()));
}

#[tokio::test]
async fn an_error_of_another_kind_is_not_retried() {
    let folder = tempfile::tempdir().unwrap();
    let data = data(folder.path()).await;
    std::fs::remove_dir_all(folder.path().join("locks")).ok();
    std::fs::write(folder.path().join("locks"), "").unwrap();
    let error = new(&data).create(None, info).await.map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("cannot be used"), "{error:#}");
}

#[tokio::test]
async fn a_session_that_no_store_has_is_neither_continued_nor_copied() {
    let folder = tempfile::tempdir().unwrap();
    let data = data(folder.path()).await;
    let typo = SessionId::new("typo").unwrap();
    let error = existing(&data, &typo).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no session typo");
    assert!(data.sessions().await.unwrap().is_empty());
    data.create_session(&info(typo.clone())).await.unwrap();
    assert!(existing(&data, &typo).await.unwrap().is_some());
}
