//! Secrets do not reach the log.

use super::SecretFilter;

#[test]
fn secrets_are_not_logged() {
    let filter = SecretFilter(vec!["sk-ant-0123456789".to_owned()]);
    for (line, shown) in [
        ("key sk-ant-0123456789 was refused", "key [secret] was refused"),
        ("Authorization: Bearer abc.def, next", "Authorization: Bearer [secret], next"),
        ("GET http://h/?token=abc&x=1 and ?TOKEN=d", "GET http://h/?token=[secret]&x=1 and ?TOKEN=[secret]"),
        ("postgres://ann:pa:ss@db:5432/x http://h:80/a", "postgres://ann:[secret]@db:5432/x http://h:80/a"),
        ("nothing to hide: a=1", "nothing to hide: a=1"),
    ] {
        assert_eq!(filter.hide(line), shown);
    }
}
