//! The file keeps the contract, is the owner's alone, and is never lost.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use throughline_permission::{RuleStore as _, contract};

use super::RuleFile;

#[tokio::test]
async fn it_keeps_the_contract() {
    let data = tempfile::tempdir().unwrap();
    let store = || RuleFile::new(data.path(), Path::new("/project"));
    contract::rule_store(&store(), &store()).await;
    let other = RuleFile::new(data.path(), Path::new("/other"));
    assert_eq!(other.load().await.unwrap(), Vec::<String>::new(), "another project knows nothing of it");
    let mode = std::fs::metadata(data.path().join("permissions.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn a_damaged_file_is_an_error_and_stays() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("permissions.json");
    std::fs::write(&file, "{ half").unwrap();
    let store = RuleFile::new(data.path(), Path::new("/project"));
    let error = store.load().await.unwrap_err().to_string();
    assert!(error.contains("permissions.json") && error.contains("remove it"), "{error}");
    assert!(store.save("shell").await.is_err());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ half");
}

#[tokio::test]
async fn several_that_write_at_once_lose_nothing() {
    let data = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..12).map(|number| format!("tool_{number}")).collect();
    std::thread::scope(|scope| {
        for name in &names {
            let (store, name) = (RuleFile::new(data.path(), Path::new("/project")), name.clone());
            scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                runtime.block_on(store.change(move |rules| rules.push(name))).unwrap();
            });
        }
    });
    let mut kept = RuleFile::new(data.path(), Path::new("/project")).load().await.unwrap();
    kept.sort();
    let mut names = names;
    names.sort();
    assert_eq!(kept, names);
}
