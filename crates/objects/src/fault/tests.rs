//! What errors show.

use super::*;

#[test]
fn a_body_is_cut_to_its_code_and_message() {
    let text = "Error performing PUT http://u:canary@host:9/b/k in 3ms - Server returned non-2xx status code: 403: \
                <?xml version=\"1.0\"?><Error><Code>SignatureDoesNotMatch</Code><Message>No match.</Message>\
                <StringToSign>canary</StringToSign><AWSAccessKeyId>canary</AWSAccessKeyId></Error>";
    let shown = without_secrets(text);
    assert_eq!(
        shown,
        "Error performing PUT http://host:9/b/k in 3ms - Server returned non-2xx status code: 403: \
         SignatureDoesNotMatch: No match."
    );
}

#[test]
fn other_texts_stay() {
    assert_eq!(without_secrets("no such file: /a@b"), "no such file: /a@b");
    assert_eq!(without_secrets("see s3://b and https://h/x@y"), "see s3://b and https://h/x@y");
}
