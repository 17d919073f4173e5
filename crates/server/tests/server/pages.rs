//! The pages of the inspector.

use crate::harness::{HOSTILE, Served};

#[tokio::test]
async fn the_first_address_gives_the_cookie_and_hides_the_token() {
    let served = Served::new().await;
    let host = ("Host", served.host.as_str());
    let entered = served.send(&format!("GET /?token={}&limit=5", served.token), &[host], "").await;
    assert_eq!(entered.status, 303, "{}", entered.body);
    assert!(entered.head.contains("location: /?limit=5\r\n"), "{}", entered.head);
    let cookie = entered.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("httponly") && cookie.contains("samesite=strict"), "{cookie}");
    let cookie = format!("throughline-{}={}", served.host.split_once(':').unwrap().1, served.token);
    let page = served.send("GET /", &[host, ("Cookie", &cookie)], "").await;
    assert_eq!(page.status, 200, "{}", page.body);
    assert!(page.body.contains(&served.id) && !page.body.contains(&served.token));
    let away = served.send(&format!("GET //evil.example.com/?token={}", served.token), &[host], "").await;
    assert!(!away.head.contains("location: //"), "{}", away.head);
}

#[tokio::test]
async fn hostile_texts_are_text_on_every_page() {
    let served = Served::new().await;
    let own = format!("/sessions/{}", served.id);
    let mut hostile = 0;
    for path in [
        "/".to_owned(),
        own.clone(),
        format!("{own}/requests/1"),
        format!("{own}/requests/2/diff"),
        format!("{own}/turns"),
        format!("{own}/documents"),
        format!("{own}/summaries"),
        format!("{own}/contexts"),
        format!("{own}/checkpoints"),
        "/memos".to_owned(),
        "/preferences".to_owned(),
        "/search?q=%3Cscript%3E".to_owned(),
        "/search?q=heron".to_owned(),
    ] {
        let page = served.ask("GET", &path, "").await;
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        assert!(page.head.contains("content-type: text/html"), "{}", page.head);
        assert!(!page.body.contains("<script>alert"), "{path}");
        assert!(!page.body.contains("style=") && !page.body.contains("onclick"), "{path}");
        hostile += usize::from(page.body.contains("&lt;script&gt;alert(1)"));
    }
    assert!(hostile >= 4, "{hostile} pages show {HOSTILE}");
    let missing = served.ask("GET", "/sessions/%3Cb%3E", "").await;
    assert_eq!(missing.status, 404);
    assert!(missing.head.contains("content-type: text/html"), "{}", missing.head);
}

#[tokio::test]
async fn a_browser_without_a_token_or_at_an_unknown_address_sees_a_page() {
    let served = Served::new().await;
    let (host, html) = (("Host", served.host.as_str()), ("Accept", "text/html,application/xhtml+xml;q=0.9"));
    let closed = served.send("GET /", &[host, html], "").await;
    assert_eq!(closed.status, 401, "{}", closed.body);
    assert!(closed.head.contains("content-type: text/html"), "{}", closed.head);
    assert!(closed.body.contains("Open the address that the server printed"), "{}", closed.body);
    assert!(closed.head.contains("www-authenticate: bearer"), "{}", closed.head);
    let bearer = format!("Bearer {}", served.token);
    let own = [host, html, ("Authorization", bearer.as_str())];
    let unknown = served.send("GET /nowhere", &own, "").await;
    assert_eq!(unknown.status, 404, "{}", unknown.body);
    assert!(unknown.body.contains("there is nothing at") && unknown.body.contains("All sessions"));
    // A program gets JSON, and so does everything below /api.
    for (path, headers) in
        [("GET /", &[host][..]), ("GET /api/nowhere", &own), ("GET /nowhere", &[host, own[2]])]
    {
        let answer = served.send(path, headers, "").await;
        assert!(answer.head.contains("content-type: application/json"), "{path}: {}", answer.head);
    }
}

#[tokio::test]
async fn a_page_behind_the_end_of_a_list_shows_its_last_page() {
    let served = Served::new().await;
    let id = &served.id;
    for (path, row) in [
        (format!("/sessions/{id}"), "Where is it?"),
        (format!("/sessions/{id}/turns"), "Where is it?"),
        (format!("/sessions/{id}/requests/1"), "id=\"piece-1\""),
        ("/preferences".to_owned(), "/api/preferences/"),
        ("/".to_owned(), id),
    ] {
        let page = served.ask("GET", &format!("{path}?offset=500"), "").await;
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        assert!(page.body.contains(row), "{path}: {}", page.body);
    }
}

#[tokio::test]
async fn a_parameter_that_is_unknown_is_a_page_for_a_browser() {
    let served = Served::new().await;
    let bearer = format!("Bearer {}", served.token);
    let own = [("Host", served.host.as_str()), ("Accept", "text/html"), ("Authorization", bearer.as_str())];
    let page = served.send("GET /?order=cost", &own, "").await;
    assert_eq!(page.status, 400, "{}", page.body);
    assert!(
        page.head.contains("content-type: text/html") && page.body.contains("All sessions"),
        "{}",
        page.body
    );
    let search = served.send("GET /search?q=%26%26", &own, "").await;
    assert!(
        search.body.contains("No text of a stored session has") && search.body.contains("name=\"q\""),
        "{}",
        search.body
    );
}

#[tokio::test]
async fn the_head_of_a_page_names_its_session() {
    let served = Served::new().await;
    let page = served.ask("GET", &format!("/sessions/{}/requests", served.id), "").await;
    let title = page.body.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
    assert!(title.starts_with("Requests · ") && title.contains(&served.id), "{title}");
}
