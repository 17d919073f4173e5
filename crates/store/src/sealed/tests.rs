//! The form of stored values.

use super::*;

fn key(digit: char) -> EncryptionKey {
    EncryptionKey::from_text(&String::from(digit).repeat(64)).unwrap()
}

const ROW: RowName<'static> = RowName { table: "t", session: "s", name: "n" };

fn unsealed(key: &EncryptionKey, row: RowName<'_>, value: &[u8]) -> Option<Vec<u8>> {
    match stored(value).unwrap() {
        Stored::Encrypted(encrypted) => key.unseal(row, &encrypted),
        Stored::Plain(plain) => Some(plain.to_vec()),
    }
}

#[test]
fn an_encrypted_value_comes_back_for_its_row_and_key_only() {
    let own = key('1');
    for value in [&b""[..], b"heron", &MAGIC, &[0xff; 100_000]] {
        let sealed = own.seal(ROW, value).unwrap();
        assert!(value.is_empty() || !sealed.windows(value.len()).skip(1).any(|part| part == value));
        assert_eq!(plain_length(&sealed), Some(value.len()));
        assert_eq!(unsealed(&own, ROW, &sealed).as_deref(), Some(value));
        assert_ne!(own.seal(ROW, value).unwrap(), sealed, "a nonce is used once");
        let moved = [
            RowName { table: "u", ..ROW },
            RowName { session: "u", ..ROW },
            RowName { name: "u", ..ROW },
            // The same letters, divided elsewhere.
            RowName { session: "", name: "sn", ..ROW },
        ];
        for row in moved {
            assert_eq!(unsealed(&own, row, &sealed), None, "{row:?}");
        }
        assert_eq!(unsealed(&key('2'), ROW, &sealed), None);
        for place in HEADER + ID_BYTES..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert_eq!(unsealed(&own, ROW, &changed), None, "byte {place}");
            if place > 300 {
                break;
            }
        }
    }
}

#[test]
fn a_plain_value_is_stored_unchanged_and_never_taken_for_an_encrypted_one() {
    assert_eq!(unencrypted(b"heron").as_ref(), b"heron");
    let sealed = key('1').seal(ROW, b"heron").unwrap();
    for hostile in [&MAGIC[..], &sealed, &unencrypted(&sealed)] {
        let written = unencrypted(hostile);
        assert_eq!(stored(&written), Ok(Stored::Plain(hostile)));
        assert_eq!(plain_length(&written), Some(hostile.len()));
    }
    for text in ["", "{}", "sealed:", "sealed:AAAA"] {
        let written = unencrypted_text(text.to_owned());
        let read = match of_text(written.as_bytes()) {
            Some(value) => unsealed(&key('1'), ROW, &value.unwrap()).unwrap(),
            None => written.into_bytes(),
        };
        assert_eq!(read, text.as_bytes());
    }
}

#[test]
fn what_is_cut_or_of_a_later_version_is_not_taken_for_a_value() {
    let sealed = key('1').seal(ROW, b"heron").unwrap();
    for length in MAGIC.len()..HEADER + ID_BYTES + NONCE {
        assert_eq!(stored(&sealed[..length]), Err(UnknownForm), "{length} bytes");
    }
    // The nonce is whole, and the tag is not.
    assert_eq!(unsealed(&key('1'), ROW, &sealed[..HEADER + ID_BYTES + NONCE + 3]), None);
    assert_eq!(plain_length(&sealed[..HEADER + ID_BYTES + NONCE + 3]), None);
    let later = [MAGIC.as_slice(), &[2], b"rest"].concat();
    assert_eq!(stored(&later), Err(UnknownForm));
    for text in ["sealed:", "sealed:*", "sealed:AAAA"] {
        assert_eq!(of_text(text.as_bytes()), Some(Err(UnknownForm)), "{text}");
    }
}
