//! Tests of public addresses.

use super::{PublicUrl, PublicUrlError};

#[test]
fn a_public_address_is_scheme_host_and_port() {
    let read = |text| PublicUrl::parse(text).map(|url| url.to_string());
    assert_eq!(read("https://Agents.example.com/"), Ok("https://agents.example.com".to_owned()));
    assert_eq!(read("https://agents.example.com:443"), Ok("https://agents.example.com".to_owned()));
    assert_eq!(read("http://[fd00::1]:8378"), Ok("http://[fd00::1]:8378".to_owned()));
    for (text, error) in [
        ("agents.example.com", PublicUrlError::NoUrl),
        ("ftp://agents.example.com", PublicUrlError::Scheme),
        ("https://agents.example.com/team", PublicUrlError::More),
        ("https://agents.example.com/?a=1", PublicUrlError::More),
        ("https://user@agents.example.com", PublicUrlError::More),
    ] {
        assert_eq!(read(text), Err(error), "{text}");
    }
}
