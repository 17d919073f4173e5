//! A server that speaks TLS, with a certificate of an authority that no system knows.

use std::path::Path;
use std::process::Command;

use throughline_store::{Durability, ServerUrl, Store};

use crate::cluster::Cluster;
use crate::node::Node;

/// Runs OpenSSL in a folder.
fn openssl(folder: &Path, args: &[&str]) {
    let ran = Command::new("openssl").args(args).current_dir(folder).output().unwrap();
    assert!(ran.status.success(), "openssl {args:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// Makes `NAME.key` and `NAME.crt` of an authority.
fn authority(folder: &Path, name: &str) {
    let (key, certificate, subject) =
        (format!("{name}.key"), format!("{name}.crt"), format!("/CN=authority {name}"));
    let mut args =
        vec!["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    args.extend(["-days", "30", "-subj", &subject, "-keyout", &key, "-out", &certificate]);
    args.extend(["-addext", "keyUsage=critical,keyCertSign"]);
    openssl(folder, &args);
}

/// Makes two authorities, and a certificate of the first one for the name `localhost`.
fn certificates(folder: &Path) {
    authority(folder, "own");
    authority(folder, "other");
    let mut args = vec!["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    args.extend(["-subj", "/CN=db", "-addext", "subjectAltName=DNS:localhost"]);
    args.extend(["-keyout", "server.key", "-out", "server.csr"]);
    openssl(folder, &args);
    let mut args = vec!["x509", "-req", "-in", "server.csr", "-CA", "own.crt", "-CAkey", "own.key"];
    args.extend(["-CAcreateserial", "-copy_extensions", "copy", "-days", "30", "-out", "server.crt"]);
    openssl(folder, &args);
}

/// A server with TLS, if OpenSSL is there to make its certificate.
fn server(test: &str) -> Option<Cluster> {
    if Command::new("openssl").arg("version").output().is_err() {
        println!("skipped: {test}: the program openssl is missing");
        return None;
    }
    Some(Cluster::with_tls(certificates))
}

/// The address with another host and these parameters.
fn with(url: &str, host: &str, parameters: &str) -> String {
    format!("{}?{parameters}", url.replace("127.0.0.1", host))
}

/// Connects, and says whether the server sees an encrypted connection.
async fn is_encrypted(cluster: &Cluster, url: &str) -> bool {
    let url: ServerUrl = url.parse().unwrap();
    let store = Store::open_server(&url, Durability::Normal).await.unwrap();
    let asked = "SELECT bool_or(ssl), bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                 WHERE application_name = 'throughline'";
    let (worked, said) = cluster.psql("postgres", asked);
    store.close().await.unwrap();
    assert!(worked && (said == "t|t" || said == "f|f"), "{said}");
    said == "t|t"
}

#[tokio::test]
async fn the_parameter_sslmode_decides_what_is_encrypted_and_checked() {
    let Some(cluster) = server("TLS") else { return };
    let url = cluster.database();
    let root = |name: &str| format!("sslrootcert={}", cluster.folder().join(name).display());
    let (own, other) = (root("own.crt"), root("other.crt"));
    for (host, parameters, encrypted) in [
        ("localhost", format!("sslmode=verify-full&{own}"), true),
        ("127.0.0.1", format!("sslmode=verify-ca&{own}"), true),
        ("127.0.0.1", "sslmode=require".to_owned(), true),
        ("127.0.0.1", "sslmode=prefer".to_owned(), true),
        ("127.0.0.1", "application_name=throughline".to_owned(), true),
        ("127.0.0.1", "sslmode=disable".to_owned(), false),
        ("127.0.0.1", "sslmode=allow".to_owned(), false),
    ] {
        let url = with(&url, host, &parameters);
        assert_eq!(is_encrypted(&cluster, &url).await, encrypted, "{host} {parameters}");
    }
    for (host, parameters, why) in [
        ("127.0.0.1", format!("sslmode=verify-full&{own}"), "not valid for name"),
        ("localhost", format!("sslmode=verify-full&{other}"), "UnknownIssuer"),
        ("localhost", "sslmode=verify-full".to_owned(), "UnknownIssuer"),
        ("localhost", format!("sslmode=verify-ca&{other}"), "UnknownIssuer"),
    ] {
        let url: ServerUrl = with(&url, host, &parameters).parse().unwrap();
        let refused = Store::open_server(&url, Durability::Normal).await.unwrap_err().to_string();
        assert!(refused.contains(why), "{parameters}: {refused}");
        assert!(
            refused.contains("certificate of postgres://") && refused.contains("sslrootcert"),
            "{refused}"
        );
    }
    let url: ServerUrl =
        with(&url, "localhost", "sslmode=verify-full&sslrootcert=/no/such.crt").parse().unwrap();
    let refused = Store::open_server(&url, Durability::Normal).await.unwrap_err().to_string();
    assert!(
        refused.starts_with("/no/such.crt cannot be read, which is sslrootcert of the address"),
        "{refused}"
    );
}

/// The program from end to end: its keeper of leases and its listener use TLS too.
#[test]
fn a_session_is_stored_over_tls() {
    let Some(cluster) = server("a session over TLS") else { return };
    let url = cluster.database();
    let root = cluster.folder().join("own.crt");
    let checked = format!("sslmode=verify-full&sslrootcert={}", root.display());
    let node = Node::new(&with(&url, "localhost", &checked));
    let project = tempfile::TempDir::new().unwrap();
    let (ran, acked) = node.worker("secret", project.path(), 0).wait();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(node.records("secret").len() as u64, acked);
    let refused = Node::new(&with(&url, "127.0.0.1", &checked)).run(&["sessions"]).failed(1);
    assert!(refused.contains("certificate") && refused.contains("sslmode"), "{refused}");
}

/// A server without TLS, where it is asked for.
#[tokio::test]
async fn a_server_without_tls_is_refused_where_it_is_required() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    assert!(!is_encrypted(&cluster, &url).await, "`prefer` takes what there is");
    for mode in ["require", "verify-ca", "verify-full"] {
        let url: ServerUrl = with(&url, "127.0.0.1", &format!("sslmode={mode}")).parse().unwrap();
        let refused = Store::open_server(&url, Durability::Normal).await.unwrap_err().to_string();
        assert!(refused.contains("does not support TLS"), "{refused}");
    }
}
