//! Addresses.

use super::*;

fn parse(text: &str) -> Result<String, InvalidObjectPlace> {
    text.parse::<ObjectPlace>().map(|place| place.to_string())
}

#[test]
fn buckets_and_folders_are_places() {
    assert_eq!(parse("s3://bucket"), Ok("s3://bucket".to_owned()));
    assert_eq!(parse(" s3://bucket/a/b/ "), Ok("s3://bucket/a/b".to_owned()));
    assert_eq!(parse("file:///srv/blobs"), Ok("file:///srv/blobs".to_owned()));
    let place: ObjectPlace = "s3://team-1/through/line/".parse().unwrap();
    assert_eq!(
        *place.kind(),
        Kind::Bucket { bucket: "team-1".to_owned(), prefix: Path::parse("through/line").unwrap() }
    );
    for text in ["s3://b/a b", "s3://b/a%20b", "s3://b/über"] {
        let place: ObjectPlace = text.parse().unwrap();
        let prefix = Path::parse(text.strip_prefix("s3://b/").unwrap()).unwrap();
        assert_eq!(*place.kind(), Kind::Bucket { bucket: "b".to_owned(), prefix }, "the key is unchanged");
        assert_eq!(place.as_str(), text);
    }
    let place: ObjectPlace = "file:///a%20b".parse().unwrap();
    assert_eq!(*place.kind(), Kind::Folder(PathBuf::from("/a b")));
}

#[test]
fn another_text_is_an_error_that_does_not_show_it() {
    for text in ["s3://bucket/../up", "s3://bucket/a//b", "s3://bucket/a/./b"] {
        assert_eq!(parse(text), Err(InvalidObjectPlace::Form), "{text}: it names no key");
    }
    for text in
        ["", "blobs", "/srv/blobs", "s3:bucket", "s3://", "s3:///prefix", "s3://bucket:9/x", "file:///"]
    {
        assert_eq!(parse(text), Err(InvalidObjectPlace::Form), "{text}");
    }
    assert_eq!(parse("gs://bucket"), Err(InvalidObjectPlace::Scheme("gs".to_owned())));
    assert_eq!(parse("s3://bucket?region=x"), Err(InvalidObjectPlace::Parameters));
    let error = parse("s3://AKIA:canary@bucket/x").unwrap_err();
    assert_eq!(error, InvalidObjectPlace::Credentials);
    assert!(!error.to_string().contains("canary"));
}
