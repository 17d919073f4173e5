//! Tells public internet addresses from special ones.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The kind of a special address; `None` if the address is a public one.
///
/// Follows the registries of special addresses
/// (<https://www.iana.org/assignments/iana-ipv4-special-registry>, <https://www.iana.org/assignments/iana-ipv6-special-registry>).
/// The metadata services of cloud providers have such addresses.
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
        // An embedded IPv4 address counts as that address.
        [0, 0, 0, 0, 0, 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0] => inner(g, h),
        [0x2002, ..] => inner(b, c),
        // Tunnels to an unknown end, and special-purpose blocks.
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
mod tests;
