//! Digits of bytes.

use super::hexadecimal;

#[test]
fn each_byte_has_two_digits() {
    assert_eq!(hexadecimal(&[0, 1, 0x7f, 0xab, 0xff]), "00017fabff");
    assert_eq!(hexadecimal(&[]), "");
}
