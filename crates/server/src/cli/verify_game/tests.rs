//! How much of a file is read.

use super::read_whole;

#[test]
fn a_file_without_an_end_is_not_read_for_ever() {
    assert_eq!(read_whole(&b"proof"[..], 5).ok().as_deref(), Some(&b"proof"[..]));
    let error = read_whole(std::io::repeat(0), 5).err();
    assert_eq!(error.map(|error| error.kind()), Some(std::io::ErrorKind::FileTooLarge));
}
