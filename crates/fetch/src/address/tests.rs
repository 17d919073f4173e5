//! Tests of address classes.

use std::net::IpAddr;

use expect_test::expect;

use super::not_public;

#[test]
fn only_public_addresses_pass() {
    let addresses = [
        "0.0.0.0",
        "127.0.0.1",
        "127.9.9.9",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "172.32.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.100.100.200",
        "100.63.0.1",
        "192.0.0.192",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "8.8.8.8",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:8.8.8.8",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2002:808:808::",
        "2001:0:1::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "2606:4700::1111",
        "2001:4860:4860::8888",
    ];
    let mut all = String::new();
    for address in addresses {
        let why = not_public(address.parse::<IpAddr>().unwrap()).unwrap_or("public");
        all.push_str(&format!("{address}: {why}\n"));
    }
    expect![[r#"
        0.0.0.0: an unspecified address
        127.0.0.1: this machine
        127.9.9.9: this machine
        10.1.2.3: a private network
        172.16.0.1: a private network
        172.31.255.255: a private network
        172.32.0.1: public
        192.168.1.1: a private network
        169.254.169.254: a link-local address
        100.100.100.200: a provider's inner network
        100.63.0.1: public
        192.0.0.192: a reserved address
        198.18.0.1: a reserved address
        224.0.0.1: a multicast address
        255.255.255.255: a reserved address
        8.8.8.8: public
        ::: an unspecified address
        ::1: this machine
        ::ffff:127.0.0.1: this machine
        ::ffff:169.254.169.254: a link-local address
        ::ffff:8.8.8.8: public
        ::7f00:1: a reserved address
        64:ff9b::7f00:1: this machine
        64:ff9b::808:808: public
        64:ff9b:1::1: a reserved address
        2002:7f00:1::: this machine
        2002:808:808::: public
        2001:0:1::1: a reserved address
        fd00:ec2::254: a private network
        fe80::1: a link-local address
        fec0::1: a reserved address
        ff02::1: a multicast address
        2606:4700::1111: public
        2001:4860:4860::8888: public
    "#]]
    .assert_eq(&all);
}
