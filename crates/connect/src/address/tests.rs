//! What is shown of an address.

use super::shown_address;

#[test]
fn an_address_is_shown_without_its_secrets() {
    for (address, shown) in [
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1"),
        ("https://api.example.com", "https://api.example.com"),
        ("https://me:hunter2@example.com/v1", "https://example.com/v1"),
        ("https://hunter2@example.com:8000", "https://example.com:8000"),
        ("https://me:hunter@2@example.com/v1", "https://example.com/v1"),
        ("me:hunter2@example.com:8000/v1", "example.com:8000/v1"),
        ("https://example.com/v1?key=hunter2#hunter2", "https://example.com/v1"),
        ("https://example.com?key=hunter2", "https://example.com"),
        ("http://[::1]:11434", "http://[::1]:11434"),
        ("", ""),
    ] {
        assert_eq!(shown_address(address), shown);
    }
}

#[test]
fn what_may_be_a_secret_is_hidden_where_it_is_not_plain_which_part_is_one() {
    for address in [
        "https://me:hun/ter2@example.com/v1",
        "https://me:hun?ter2@example.com/v1",
        "https://me:hun#ter2@example.com/v1",
        "https://example.com/v1?key=ter2@x",
        "https://me:hun\\ter2@example.com",
        "me:ter2@https://example.com",
        "ter2 ://example.com",
    ] {
        assert!(!shown_address(address).contains("ter2"), "{address}: {}", shown_address(address));
    }
}
