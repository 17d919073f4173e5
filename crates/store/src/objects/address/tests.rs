//! Addresses of objects.

use super::*;

#[test]
fn an_address_has_the_digest_and_is_new_each_time() {
    let (one, two) = (Address::new("s3://b/p", b"abc").unwrap(), Address::new("s3://b/p", b"abc").unwrap());
    assert_ne!(one, two);
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert!(one.as_str().starts_with(&format!("s3://b/p/ba/{digest}-")), "{one}");
    assert_eq!(format!("s3://b/p/{}", one.key()), one.as_str());
    assert!(one.names(b"abc") && !one.names(b"abd"));
}

#[test]
fn a_damaged_address_names_nothing() {
    for text in ["", "/", "s3://b", "s3://b/aa/-1", "s3://b/aa/ba78"] {
        assert!(!Address::stored(text.to_owned()).names(b"abc"), "{text}");
    }
}
