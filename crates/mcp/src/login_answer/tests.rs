//! Answers are taken by their state, and pasted ones in the forms that a browser shows.

use super::{LoginAnswer, NO_CODE, OTHER_STATE};

fn code(code: &str, issuer: Option<&str>) -> LoginAnswer {
    LoginAnswer::Code { code: code.to_owned(), issuer: issuer.map(str::to_owned) }
}

#[test]
fn a_redirect_is_taken_with_the_state_of_its_login_alone() {
    let read = |query| LoginAnswer::of_query(query, "s1");
    assert_eq!(read("code=a%2Fb&state=s1&iss=https%3A%2F%2Fas"), code("a/b", Some("https://as")));
    for query in ["code=a", "code=a&state=s2", "code=a&state=", "state=s11&code=a", "error=access_denied", ""]
    {
        assert_eq!(read(query), LoginAnswer::Foreign(OTHER_STATE), "{query}");
    }
    assert_eq!(read("state=s1"), LoginAnswer::Foreign(NO_CODE));
    let refused = read("state=s1&error=access_denied&error_description=not+you");
    assert_eq!(refused, LoginAnswer::Refused("access_denied (not you)".to_owned()));
}

#[test]
fn a_user_pastes_the_address_its_query_or_the_code() {
    let read = |text| LoginAnswer::of_paste(text, "s1");
    for text in ["http://127.0.0.1:1/callback?code=a&state=s1#x", " \"code=a&state=s1\"\n", "a"] {
        assert_eq!(read(text), code("a", None), "{text}");
    }
    assert_eq!(read("http://127.0.0.1:1/callback?code=a&state=s2"), LoginAnswer::Foreign(OTHER_STATE));
    for text in ["", "two words", "http://127.0.0.1:1/callback"] {
        assert_eq!(read(text), LoginAnswer::Foreign(NO_CODE), "{text}");
    }
}
