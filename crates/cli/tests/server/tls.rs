//! A server that speaks TLS itself.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;

use tempfile::TempDir;

use crate::served::Served;

/// Makes `NAME.crt` and `NAME.key` for 127.0.0.1 in the home folder, if OpenSSL is there.
fn certificate(home: &TempDir, name: &str) -> bool {
    let (key, certificate) = (format!("{name}.key"), format!("{name}.crt"));
    let mut args =
        vec!["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    args.extend(["-days", "30", "-subj", "/CN=team", "-addext", "subjectAltName=IP:127.0.0.1"]);
    args.extend(["-keyout", &key, "-out", &certificate]);
    match Command::new("openssl").args(args).current_dir(home.path()).output() {
        Ok(made) => {
            assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
            true
        }
        Err(_) => {
            println!("skipped: TLS: the program openssl is missing");
            false
        }
    }
}

/// What a client that knows a certificate gets for a request, and what it says of the connection.
fn asked(served: &Served, known: &str, path: &str) -> (String, String) {
    let (host, token) = (served.host(), served.token());
    let mut client = Command::new("openssl")
        .args(["s_client", "-quiet", "-verify_return_error", "-verify_ip", "127.0.0.1"])
        .args(["-CAfile", known, "-connect", host])
        .current_dir(served.home())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: https://{host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    // A client that refuses the certificate closes the pipe.
    let _ = client.stdin.as_mut().unwrap().write_all(request.as_bytes());
    let output = client.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_client_that_knows_the_certificate_is_answered_encrypted() {
    let home = TempDir::new().unwrap();
    if !(certificate(&home, "team") && certificate(&home, "other")) {
        return;
    }
    let served = Served::begin(Arc::new(home), &["--tls-cert", "team.crt", "--tls-key", "team.key"]);
    assert!(served.url.starts_with("https://127.0.0.1:"), "{}", served.url);
    let (answer, said) = asked(&served, "team.crt", "/api/sessions");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"sessions\":[]"), "{answer} {said}");
    let (entered, _) = asked(&served, "team.crt", &format!("/?token={}", served.token()));
    assert!(entered.contains("SameSite=Strict; Secure"), "{entered}");
    let (answer, said) = asked(&served, "other.crt", "/api/sessions");
    assert!(answer.is_empty(), "{answer} {said}");
}

#[test]
fn a_certificate_that_cannot_be_used_is_named() {
    let home = TempDir::new().unwrap();
    if !(certificate(&home, "team") && certificate(&home, "other")) {
        return;
    }
    std::fs::write(home.path().join("empty.crt"), "").unwrap();
    let served = Served::begin(Arc::new(home), &[]);
    for (certificate, key, says) in [
        ("missing.crt", "team.key", "missing.crt"),
        ("empty.crt", "team.key", "empty.crt"),
        ("team.crt", "team.crt", "the key cannot be read from team.crt"),
        ("team.crt", "other.key", "cannot be used together"),
    ] {
        let args = ["serve", "--port", "0", "--tls-cert", certificate, "--tls-key", key];
        let ran = served.command(&args).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.code() == Some(2) && said.contains(says), "{certificate} {key}: {said}");
    }
}
