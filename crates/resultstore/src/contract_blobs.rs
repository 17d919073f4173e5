//! The contract of [`BlobStore`], as tests for any implementation.

#![expect(clippy::expect_used, reason = "a suite of tests fails by panicking")]

use crate::blobs::BlobStore;

/// Runs the whole suite. The place may have other blobs, and none of this suite is left in it.
pub async fn contract_blobs_all(port: &dyn BlobStore) {
    contract_blobs_are_exact(port).await;
    contract_missing_blob_is_no_error(port).await;
    contract_removed_blob_is_gone(port).await;
    assert!(!port.place().ends_with('/'), "{} ends with a slash", port.place());
}

/// Any bytes come back unchanged: none, all values, many.
pub async fn contract_blobs_are_exact(port: &dyn BlobStore) {
    let large: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
    for (key, bytes) in [("ab/empty", Vec::new()), ("ab/all", (0..=255).collect()), ("cd/large", large)] {
        port.put(key, bytes.clone()).await.expect("put");
        assert_eq!(port.size(key).await.expect("size"), Some(bytes.len() as u64), "{key}");
        assert!(
            port.get(key).await.expect("get").as_ref() == Some(&bytes),
            "{key} differs from what was put"
        );
        port.put(key, bytes.clone()).await.expect("put of the same bytes");
        assert!(
            port.get(key).await.expect("get").as_ref() == Some(&bytes),
            "{key} differs after a second put"
        );
        port.remove(key).await.expect("remove");
    }
}

/// A key that was never put has no bytes and no size, and can be removed.
pub async fn contract_missing_blob_is_no_error(port: &dyn BlobStore) {
    assert_eq!(port.get("ef/never").await.expect("get"), None);
    assert_eq!(port.size("ef/never").await.expect("size"), None);
    port.remove("ef/never").await.expect("remove");
}

/// A removed blob is gone, its neighbour is not, and it may be put again.
pub async fn contract_removed_blob_is_gone(port: &dyn BlobStore) {
    port.put("ab/one", b"one".to_vec()).await.expect("put");
    port.put("ab/two", b"two".to_vec()).await.expect("put");
    port.remove("ab/one").await.expect("remove");
    assert_eq!(port.get("ab/one").await.expect("get"), None);
    assert_eq!(port.get("ab/two").await.expect("get"), Some(b"two".to_vec()));
    port.put("ab/one", b"again".to_vec()).await.expect("put after removal");
    assert_eq!(port.get("ab/one").await.expect("get"), Some(b"again".to_vec()));
    for key in ["ab/one", "ab/two"] {
        port.remove(key).await.expect("remove");
    }
}
