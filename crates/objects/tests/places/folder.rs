//! Objects in a folder.

use std::path::Path;

use throughline_objects::{ObjectBlobs, ObjectPlace};
use throughline_resultstore::BlobStore as _;
use throughline_resultstore::contract_blobs::contract_blobs_all;

fn blobs(folder: &Path) -> ObjectBlobs {
    let place: ObjectPlace = format!("file://{}", folder.display()).parse().unwrap();
    ObjectBlobs::new(place, [])
}

#[tokio::test]
async fn a_folder_keeps_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    contract_blobs_all(&blobs(folder.path())).await;
    contract_blobs_all(&blobs(&folder.path().join("new"))).await;
}

#[tokio::test]
async fn nothing_is_created_before_the_first_call() {
    let folder = tempfile::tempdir().unwrap();
    let new = blobs(&folder.path().join("new"));
    assert!(new.place().ends_with("/new"));
    assert!(!folder.path().join("new").exists());
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_created_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    blobs(&folder.path().join("new")).put("ab/abcd", b"x".to_vec()).await.unwrap();
    for part in ["new", "new/ab"] {
        let mode = folder.path().join(part).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{part}");
    }
    assert_eq!(std::fs::read(folder.path().join("new/ab/abcd")).unwrap(), b"x");
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = blobs(&folder.path().join("a/b"));
    let said = missing.put("ab/x", Vec::new()).await.unwrap_err().to_string();
    assert!(said.contains("/a/b does not exist") && said.contains("storage.blobs"), "{said}");
    std::fs::write(folder.path().join("file"), "").unwrap();
    let said = blobs(&folder.path().join("file")).get("ab/x").await.unwrap_err().to_string();
    assert!(said.contains("/file cannot be used"), "{said}");
    std::fs::create_dir(folder.path().join("ok")).unwrap();
    std::fs::write(folder.path().join("ok/ab"), "").unwrap();
    let said = blobs(&folder.path().join("ok")).put("ab/x", Vec::new()).await.unwrap_err().to_string();
    assert!(said.contains("/ok cannot be used"), "{said}");
}
