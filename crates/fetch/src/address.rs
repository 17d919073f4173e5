//! Which addresses belong to everybody.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address is not one of the public internet. `None`: it is.
///
/// What is here follows the registries of special addresses
/// (<https://www.iana.org/assignments/iana-ipv4-special-registry>, <https://www.iana.org/assignments/iana-ipv6-special-registry>).
/// The services that tell a machine in a data centre its keys live at such addresses.
pub(crate) fn not_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => v4(address),
        IpAddr::V6(address) => v6(address),
    }
}

fn v4(address: Ipv4Addr) -> Option<&'static str> {
    match address.octets() {
        [0, ..] => Some("an unspecified address"),
        [127, ..] => Some("this machine"),
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Some("a private network"),
        [169, 254, ..] => Some("a link-local address"),
        [100, 64..=127, ..] => Some("a provider's inner network"),
        [192, 0, 0, _] | [198, 18..=19, ..] => Some("a reserved address"),
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Some("an address for documentation"),
        [192, 88, 99, _] | [240..=255, ..] => Some("a reserved address"),
        [224..=239, ..] => Some("a multicast address"),
        _ => None,
    }
}

fn v6(address: Ipv6Addr) -> Option<&'static str> {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let inner = |high: u16, low: u16| {
        let [w, x] = high.to_be_bytes();
        let [y, z] = low.to_be_bytes();
        v4(Ipv4Addr::new(w, x, y, z))
    };
    match [a, b, c, d, e, f] {
        [0, 0, 0, 0, 0, 0] if (g, h) == (0, 0) => Some("an unspecified address"),
        [0, 0, 0, 0, 0, 0] if (g, h) == (0, 1) => Some("this machine"),
        // An address of version 4 in the clothes of version 6 is judged as what it is.
        [0, 0, 0, 0, 0, 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0] => inner(g, h),
        [0x2002, ..] => inner(b, c),
        // Tunnels whose end cannot be seen, and blocks for special purposes.
        [0x2001, 0..=0x1ff, ..] => Some("a reserved address"),
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Some("an address for documentation"),
        [0x2000..=0x3fff, ..] => None,
        [0xfc00..=0xfdff, ..] => Some("a private network"),
        [0xfe80..=0xfebf, ..] => Some("a link-local address"),
        [0xff00..=0xffff, ..] => Some("a multicast address"),
        _ => Some("a reserved address"),
    }
}

#[cfg(test)]
mod tests {
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
}
