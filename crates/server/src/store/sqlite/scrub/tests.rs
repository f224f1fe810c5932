//! Unit tests of `store::sqlite::scrub`.

use super::*;

/// A leaf of a table with two cells of 4 bytes at the end, and other bytes in between.
fn leaf() -> Vec<u8> {
    let mut page = vec![0xff; 64];
    page[..8].copy_from_slice(&[13, 0, 0, 0, 2, 0, 56, 0]);
    page
}

#[test]
fn the_gap_is_what_neither_directory_nor_cells_hold() {
    assert_eq!(gap(2, &leaf()), Some(12..56));
    let mut inner = leaf();
    inner[0] = 5;
    assert_eq!(gap(2, &inner), Some(16..56));
    let mut first = vec![0; 100];
    first.extend([13, 0, 0, 0, 0, 0, 120, 0, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(gap(1, &first), Some(108..120));
    assert!(is_dirty(1, &first) && is_dirty(2, &leaf()));
}

#[test]
fn pages_of_another_kind_and_damaged_ones_have_none() {
    for page in [vec![], vec![0; 64], vec![13], vec![13, 0, 0, 0xff, 0xff, 0, 56, 0], [13; 64].to_vec()] {
        assert_eq!(gap(2, &page), None, "{page:?}");
    }
}
