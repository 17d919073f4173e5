//! What an address may be, and what is shown of it.

use expect_test::expect;

use super::*;

#[test]
fn no_password_is_shown() {
    for text in [
        "postgres://ann:s3cret@db.example:5433/team",
        "postgresql://ann:s3cret@db.example:5433/team?sslmode=require&application_name=s3cret",
        "postgres://db.example:5433/team?user=ann&password=s3cret",
        "postgres:///team?user=ann&host=db.example&port=5433&password=s3cret&sslkey=/s3cret",
    ] {
        let url: ServerUrl = text.parse().unwrap();
        assert_eq!(url.to_string(), "postgres://ann@db.example:5433/team", "{text}");
        assert!(!format!("{url:?}").contains("s3cret"), "{text}");
    }
}

#[test]
fn the_parts_of_an_address_may_be_parameters() {
    let shown = |text: &str| text.parse::<ServerUrl>().unwrap().to_string();
    assert_eq!(shown(" postgres://db.example/team "), "postgres://db.example/team");
    assert_eq!(shown("postgres://ann@db.example/?dbname=team"), "postgres://ann@db.example/team");
    assert_eq!(shown("postgres://db.example/team?options[search_path]=own"), "postgres://db.example/team");
}

#[test]
fn a_wrong_address_is_refused_without_being_shown() {
    let wrong = |text: &str| text.parse::<ServerUrl>().unwrap_err().to_string();
    expect!["it is no address of a PostgreSQL server: write postgres://user@host/database"]
        .assert_eq(&wrong("ann:s3cret@host"));
    expect!["it is no address of a PostgreSQL server: write postgres://user@host/database"]
        .assert_eq(&wrong("postgres://ann:s3/cret@host/team"));
    expect![[r#""mysql" servers are not supported: write postgres://user@host/database"#]]
        .assert_eq(&wrong("mysql://ann:s3cret@host/team"));
    expect!["it names no database: write postgres://user@host/database"]
        .assert_eq(&wrong("postgres://ann:s3cret@host"));
    expect![[r#"its parameter "pasword" is unknown; known are sslmode, sslrootcert, sslcert, sslkey, host, hostaddr, port, dbname, user, password, application_name, options"#]]
        .assert_eq(&wrong("postgres://ann@host/team?pasword=s3cret"));
    expect![[
        r#"its parameter "options" cannot be read: write -c NAME=VALUE for each setting of the server"#
    ]]
    .assert_eq(&wrong("postgres://ann@host/team?options=search_path%3Dteam"));
}
