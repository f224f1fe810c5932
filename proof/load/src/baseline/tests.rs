//! Unit tests of `baseline`.

use super::*;

#[test]
fn orders_are_read() {
    assert_eq!(read("say {}"), Some(Word::Say(vec![0x81, 2, b'{', b'}'])));
    assert_eq!(read("send 7 {}"), Some(Word::Send(7, vec![0x81, 2, b'{', b'}'])));
    assert_eq!(read("games 500"), Some(Word::Games(500)));
    assert_eq!(read("games many"), None);
    assert_eq!(read("send all {}"), None);
    assert_eq!(read("sing"), None);
}
