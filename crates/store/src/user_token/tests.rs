//! Secrets, expiry and names.

use std::io::ErrorKind;

use super::*;

fn issued(seconds: Option<u64>) -> (UserToken, String) {
    let lifetime = seconds.map(Duration::from_secs);
    UserToken::issue("ann", UserRights::Run, vec![], Millis(5), lifetime).unwrap()
}

#[test]
fn a_token_accepts_its_own_secret_and_no_other() {
    let ((token, secret), (_, other)) = (issued(None), issued(None));
    assert_eq!(UserToken::id_in(&secret), Some(token.id.as_str()));
    assert!(token.accepts(&secret));
    let mut short = secret.clone();
    let last = short.pop();
    let changed = format!("{short}{}", if last == Some('0') { '1' } else { '0' });
    for wrong in [other.as_str(), &changed, "", &short] {
        assert!(!token.accepts(wrong), "{wrong}");
    }
    assert!(!format!("{token:?}").contains(&secret), "what is stored does not say it");
    for text in ["", "tl_", "tl_00000000_", &secret.replace("tl_", ""), &short, &format!("{secret}0")] {
        assert_eq!(UserToken::id_in(text), None, "{text}");
    }
}

#[test]
fn a_token_is_valid_until_it_expires_or_is_revoked() {
    let (token, _) = issued(Some(10));
    assert!(token.is_valid(Millis(10_004)) && !token.is_valid(Millis(10_005)));
    let (token, _) = issued(None);
    assert!(token.is_valid(Millis(i64::MAX)));
    assert!(!UserToken { revoked: Some(Millis(6)), ..token }.is_valid(Millis(7)));
}

#[test]
fn rights_include_those_before_them_and_names_are_plain() {
    assert!(UserRights::Read < UserRights::Run && UserRights::Run < UserRights::Admin);
    for rights in UserRights::ALL {
        assert_eq!(UserRights::named(rights.name()), Some(rights));
    }
    for name in ["", " ", ".ann", "ann lee", "a\nb", "ünal", &"a".repeat(65)] {
        let error = UserToken::issue(name, UserRights::Read, vec![], Millis(0), None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput, "{name:?}");
    }
    for name in ["ci-bot+2@example.com", "7", &"a".repeat(64)] {
        assert!(UserToken::issue(name, UserRights::Read, vec![], Millis(0), None).is_ok(), "{name:?}");
    }
}
