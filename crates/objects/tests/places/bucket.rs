//! A server that answers from a script.

use std::sync::{Arc, Mutex};

use throughline_objects::ObjectBlobs;
use throughline_resultstore::BlobStore as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

const SECRET: &str = "s3cret-key-canary";

/// Answers one connection after the other with these texts, and gives the beginnings of the requests.
async fn served(answers: Vec<String>) -> (ObjectBlobs, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let requests = Arc::clone(&seen);
    tokio::spawn(async move {
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut read = Vec::new();
            let mut buffer = [0; 4096];
            while !read.windows(4).any(|part| part == b"\r\n\r\n") {
                let count = stream.read(&mut buffer).await.unwrap();
                read.extend_from_slice(&buffer[..count]);
            }
            requests.lock().unwrap().push(String::from_utf8_lossy(&read).into_owned());
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
        }
    });
    let variables = [
        ("AWS_ACCESS_KEY_ID", "AKIACANARY"),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_REGION", "eu-west-1"),
        ("AWS_ENDPOINT_URL", &format!("http://{address}")),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    (ObjectBlobs::new("s3://bucket/prefix".parse().unwrap(), variables), seen)
}

fn answer(status: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\netag: \"1\"\r\nlast-modified: Wed, 12 Oct 2022 17:50:00 GMT\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_asked_for_again() {
    let broken = answer("200 OK", "whole").replace("whole", "wh");
    let (blobs, seen) = served(vec![answer("503 Slow Down", ""), broken, answer("200 OK", "whole")]).await;
    assert_eq!(blobs.get("ab/key").await.unwrap(), Some(b"whole".to_vec()));
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 3);
    assert!(seen[2].starts_with("GET /bucket/prefix/ab/key HTTP/1.1\r\n"), "{}", seen[2]);
    let signature = "AWS4-HMAC-SHA256 Credential=AKIACANARY/";
    assert!(seen[2].contains(signature) && seen[2].contains("/eu-west-1/s3/aws4_request"), "{}", seen[2]);
}

#[tokio::test]
async fn a_refusal_shows_the_reason_and_no_secret() {
    let body = format!(
        "<?xml version=\"1.0\"?><Error><Code>SignatureDoesNotMatch</Code><Message>Check your key.</Message>\
         <StringToSign>{SECRET}</StringToSign><AWSAccessKeyId>AKIACANARY</AWSAccessKeyId></Error>"
    );
    let (blobs, _) = served(vec![answer("403 Forbidden", &body)]).await;
    let said = blobs.put("ab/key", b"x".to_vec()).await.unwrap_err();
    let text = format!("{said} {said:?}");
    assert!(said.to_string().contains("s3://bucket/prefix refuses: "), "{said}");
    assert!(said.to_string().contains("SignatureDoesNotMatch: Check your key."), "{said}");
    assert!(!text.contains(SECRET) && !text.contains("AKIACANARY"), "{text}");
    assert!(!format!("{blobs:?}").contains("CANARY") && !format!("{blobs:?}").contains(SECRET));
}

#[tokio::test]
async fn a_missing_object_is_not_an_error_and_a_missing_bucket_is() {
    let missing = |code: &str| answer("404 Not Found", &format!("<Error><Code>{code}</Code></Error>"));
    let (blobs, _) = served(vec![missing("NoSuchKey"), missing("NoSuchBucket")]).await;
    assert_eq!(blobs.get("ab/key").await.unwrap(), None);
    let said = blobs.get("ab/key").await.unwrap_err().to_string();
    assert!(said.contains("s3://bucket/prefix does not exist"), "{said}");
}

#[tokio::test]
async fn a_server_that_is_away_is_tried_for_a_while() {
    let (blobs, _) = served(Vec::new()).await;
    tokio::task::yield_now().await;
    let said = blobs.get("ab/key").await.unwrap_err().to_string();
    assert!(said.contains("s3://bucket/prefix failed: ") && said.contains("AWS_ENDPOINT_URL"), "{said}");
}

/// Blobs in a bucket of this server.
fn of_server(variables: &[(&str, &str)]) -> ObjectBlobs {
    let own = [("AWS_ACCESS_KEY_ID", "AKIACANARY"), ("AWS_SECRET_ACCESS_KEY", SECRET)];
    let variables =
        own.iter().chain(variables).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ObjectBlobs::new("s3://bucket/prefix".parse().unwrap(), variables)
}

#[tokio::test]
async fn an_endpoint_that_is_no_address_is_an_error() {
    for endpoint in
        ["minio.local:9000", "localhost:9000/", "127.0.0.1:9000", "http://a b:9000", "ftp://a", "http:"]
    {
        for name in ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"] {
            let error = of_server(&[(name, endpoint)]).put("ab/key", b"text".to_vec()).await.unwrap_err();
            assert!(error.to_string().contains(name), "{endpoint}: {error}");
        }
    }
}

/// The address is one for documents: nothing answers there.
#[tokio::test]
async fn an_endpoint_without_encryption_is_used_on_this_machine_alone() {
    let endpoint = ("AWS_ENDPOINT_URL", "http://192.0.2.1:9");
    for variables in [&[endpoint][..], &[endpoint, ("AWS_ALLOW_HTTP", "false")]] {
        let error = of_server(variables).put("ab/key", b"text".to_vec()).await.unwrap_err();
        assert!(error.to_string().contains("AWS_ALLOW_HTTP=true"), "{error}");
    }
}
