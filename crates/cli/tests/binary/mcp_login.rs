//! `throughline mcp login` and `logout`: an MCP server that answers 401 is used after a login in the browser.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::json;
use throughline_testserver::{Answer, OAuthServer, Script, Server};

use crate::browser::{agree, browse};
use crate::permitted::{MODEL, results};
use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run};

/// A login that waits for its browser.
struct Waiting {
    child: Child,
    /// Dropped, it ends the input, and the browser may still come back.
    input: Option<ChildStdin>,
    out: BufReader<ChildStdout>,
    said: String,
    url: String,
}

impl Waiting {
    fn begin(place: &Place, name: &str) -> Self {
        let mut command = place.bare(&["mcp", "login", name]);
        // What the log may say at most.
        command.env("RUST_LOG", "trace").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, mut out) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let (mut said, mut url) = (String::new(), String::new());
        while !url.starts_with("http://") {
            url.clear();
            if out.read_line(&mut url).unwrap() == 0 {
                let mut why = String::new();
                child.stderr.take().unwrap().read_to_string(&mut why).unwrap();
                panic!("no address: {said}{why}");
            }
            said.push_str(&url);
        }
        Self { child, input, out, said, url: url.trim().to_owned() }
    }

    /// Where the browser is sent after the user has agreed.
    fn agree(&self) -> String {
        agree(&self.url)
    }

    fn paste(&mut self, text: &str) {
        writeln!(self.input.as_mut().unwrap(), "{text}").unwrap();
    }

    fn end(mut self) -> Ran {
        drop(self.input.take());
        self.out.read_to_string(&mut self.said).unwrap();
        let output = self.child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        Ran { code: output.status.code(), out: self.said, err }
    }
}

/// A place whose settings have the server.
fn place(server: &OAuthServer) -> Place {
    let place = Place::new();
    run(&mut place.bare(&["mcp", "add", "docs", &server.url()])).done();
    place
}

/// Logs in with a browser on this machine.
fn log_in(place: &Place) -> Ran {
    let waiting = Waiting::begin(place, "docs");
    let page = browse(&waiting.agree());
    assert_says(&page, &["200 OK", "You are logged in"]);
    let ran = waiting.end();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&ran.out, &["Logged in to docs."]);
    ran
}

/// A run in which the model calls the server's tool. What it printed, and what the model read.
fn call(place: &Place) -> (Ran, String) {
    let script = Script::new().then(Answer::call("c1", "mcp__docs__lookup", json!({"query": "kestrel"})));
    let server: Server = serve(script.then(Answer::text("Done.")));
    let mut command = place.asks(&server, MODEL, &["--allow", "mcp__docs__lookup", "Look it up."]);
    let ran = run(command.env("RUST_LOG", "trace"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    (ran, results(&server))
}

fn list(place: &Place) -> String {
    run(&mut place.bare(&["mcp", "list"])).done()
}

fn stored(place: &Place) -> Vec<PathBuf> {
    let folder = fs::read_dir(place.folder.path().join(".config/throughline/keys"));
    let files = folder.into_iter().flatten().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_none()).collect()
}

#[track_caller]
fn assert_hidden(server: &OAuthServer, ran: &Ran) {
    for secret in server.secrets() {
        assert!(!ran.out.contains(&secret) && !ran.err.contains(&secret), "{secret}: {ran:?}");
    }
}

#[test]
fn a_server_is_logged_in_to_used_and_logged_out_of() {
    let server = OAuthServer::start().unwrap();
    let place = place(&server);
    assert_says(&list(&place), &["LOGIN", "docs", "no"]);
    let (ran, read) = call(&place);
    assert_says(&ran.err, &["it needs a login: throughline mcp login docs"]);
    assert!(!read.contains("behind the login"), "{read}");

    let waiting = Waiting::begin(&place, "docs");
    assert_says(&waiting.url, &["code_challenge_method=S256", "scope=tools", "resource=", "redirect_uri="]);
    drop(waiting.agree());
    let mut child = waiting.child;
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(stored(&place).is_empty(), "a login that was not finished stores nothing");

    let ran = log_in(&place);
    assert_hidden(&server, &ran);
    let files = stored(&place);
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(fs::metadata(&files[0]).unwrap().permissions().mode() & 0o777, 0o600);
    let listed = list(&place);
    assert_says(&listed, &["logged in"]);
    assert!(!listed.contains("canary"), "{listed}");
    let (ran, read) = call(&place);
    assert_says(&read, &["found behind the login"]);
    assert_hidden(&server, &ran);

    let said = run(&mut place.bare(&["mcp", "logout", "docs"])).done();
    assert_says(&said, &["Deleted the login to the MCP server docs"]);
    assert!(stored(&place).is_empty());
    assert_says(&run(&mut place.bare(&["mcp", "logout", "docs"])).failed(), &["there is no login"]);
    let (_, read) = call(&place);
    assert_says(&read, &["throughline mcp login docs"]);
}

#[test]
fn an_expired_token_is_renewed_and_a_refused_renewal_needs_a_login() {
    let server = OAuthServer::start().unwrap();
    let place = place(&server);
    let renewals = || server.received().iter().filter(|one| one.line == "POST /token").count();
    server.set_life(1);
    log_in(&place);
    server.set_life(3600);
    assert_eq!(renewals(), 1);
    assert_says(&call(&place).1, &["found behind the login"]);
    assert_eq!(renewals(), 2, "renewed before the first request");

    // The token has not expired, and the server takes it no more: one quiet renewal.
    server.revoke_access();
    let (ran, read) = call(&place);
    assert_says(&read, &["found behind the login"]);
    assert_hidden(&server, &ran);
    assert_eq!(renewals(), 3);

    server.revoke_access();
    server.revoke_refresh();
    let (ran, read) = call(&place);
    assert_says(&read, &["it needs a login: throughline mcp login docs"]);
    assert_hidden(&server, &ran);
    assert_says(&list(&place), &["needs login"]);
    assert_eq!(renewals(), 4, "asked once");
    log_in(&place);
    assert_says(&call(&place).1, &["found behind the login"]);
}

#[test]
fn a_redirect_of_another_login_is_refused_and_the_right_one_still_counts() {
    let server = OAuthServer::start().unwrap();
    let place = place(&server);
    let waiting = Waiting::begin(&place, "docs");
    let right = waiting.agree();
    let (before, state) = right.split_once("&state=").unwrap();
    let (_, issuer) = state.split_once('&').unwrap();
    for wrong in
        [format!("{before}&state=other&{issuer}"), before.to_owned(), before.replace("code=", "error=")]
    {
        assert_says(&browse(&wrong), &["400 Bad Request", "not the login"]);
    }
    assert_says(&browse(&before.replace("callback", "favicon.ico")), &["404"]);
    assert!(stored(&place).is_empty());
    // Another authorization server's answer: the code is not sent.
    let tokens = || server.received().iter().filter(|one| one.line == "POST /token").count();
    assert_eq!(tokens(), 0);
    assert_says(&browse(&right), &["200 OK"]);
    let ran = waiting.end();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&ran.err, &["another `state`"]);

    let waiting = Waiting::begin(&place, "docs");
    let denied = waiting.agree().replace("code=", "error=access_denied&x=");
    assert_says(&browse(&denied), &["400", "The login failed"]);
    let ran = waiting.end();
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_says(&ran.err, &["the login was refused: access_denied"]);
    assert_eq!(stored(&place).len(), 1, "the older login stays");
}

#[test]
fn a_browser_on_another_machine_is_pasted() {
    let server = OAuthServer::start().unwrap();
    let place = place(&server);
    let mut waiting = Waiting::begin(&place, "docs");
    let address = waiting.agree();
    waiting.paste("that is no address");
    waiting.paste(&address);
    let ran = waiting.end();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&ran.err, &["Paste the whole address"]);
    assert_says(&list(&place), &["logged in"]);
    assert_says(&call(&place).1, &["found behind the login"]);
}

#[test]
fn a_token_goes_to_its_server_alone() {
    let (server, other) = (OAuthServer::start().unwrap(), OAuthServer::start().unwrap());
    let place = place(&server);
    log_in(&place);
    server.redirect_to(&other.url());
    assert_says(&call(&place).0.err, &["307"]);
    assert!(other.received().is_empty(), "a redirect is not followed: {:?}", other.received());

    // A server of the same name at another address has no login.
    let file = place.folder.path().join(".config/throughline/config.toml");
    let text = fs::read_to_string(&file).unwrap().replace(&server.url(), &other.url());
    fs::write(&file, text).unwrap();
    assert!(!list(&place).contains("logged in"));
    assert_says(&call(&place).0.err, &["it needs a login"]);
    let sent: Vec<_> = other.received().into_iter().filter_map(|one| one.authorization).collect();
    assert_eq!((other.received().is_empty(), sent), (false, Vec::new()));
}

#[test]
fn a_client_that_was_registered_by_hand_is_used() {
    let server = OAuthServer::start().unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    server.register_by_hand("house", &format!("http://127.0.0.1:{port}/callback"));
    let place = place(&server);
    let said = run(&mut place.bare(&["mcp", "login", "docs"])).failed();
    assert_says(&said, &["did not register", "--client-id ID --callback-port"]);
    run(&mut place.bare(&["mcp", "remove", "docs"])).done();
    let port = port.to_string();
    let words = [
        "mcp",
        "add",
        "--client-id",
        "house",
        "--callback-port",
        &port,
        "--scope",
        "own",
        "docs",
        &server.url(),
    ];
    run(&mut place.bare(&words)).done();
    let waiting = Waiting::begin(&place, "docs");
    assert_says(&waiting.url, &["client_id=house", "scope=own"]);
    assert_says(&browse(&waiting.agree()), &["200 OK"]);
    assert_eq!(waiting.end().code, Some(0));
    assert_says(&call(&place).1, &["found behind the login"]);
    run(&mut place.bare(&["mcp", "remove", "docs"])).done();
    assert!(stored(&place).is_empty(), "a removed server has no login");
}

#[test]
fn what_has_no_login_says_why() {
    let place = Place::new();
    run(&mut place.bare(&["mcp", "add", "files", "npx", "files"])).done();
    run(&mut place.bare(&["mcp", "add", "plain", "http://docs.example.com/mcp"])).done();
    let header = "Authorization: Bearer ${HOME}";
    run(&mut place.bare(&["mcp", "add", "--header", header, "keyed", "https://docs.example.com/mcp"])).done();
    run(&mut place.bare(&["mcp", "add", "gone", "http://127.0.0.1:9/mcp"])).done();
    for (name, says) in [
        ("files", "it is a program"),
        ("plain", "use https://"),
        ("keyed", "`Authorization` header"),
        ("gone", "cannot be reached"),
        ("filez", "did you mean files?"),
    ] {
        assert_says(&run(&mut place.bare(&["mcp", "login", name])).failed(), &[says]);
    }
}
