//! What a name looks like (UTS #39), for telling names apart and keeping some words for the service.

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use crate::fold;

/// Names nobody may take, in whatever letters they are spelled.
const RESERVED: [&str; 5] = ["host", "admin", "moderator", "quiz", "system"];

static RESERVED_SKELETONS: LazyLock<[String; 5]> = LazyLock::new(|| RESERVED.map(of));

/// Skeleton of the case-folded NFKC form without white space. Folded once more after: the table leads zero to a
/// capital O.
pub(super) fn of(name: &str) -> String {
    let folded: String = name.nfkc().flat_map(fold::case).collect();
    looks(&folded)
}

/// Whether the name passes for a reserved word. Tried with case folded before and after, because some letters look
/// alike only as capitals (Cyrillic `Н` and `H`), others only as small letters.
pub(super) fn is_reserved(name: &str) -> bool {
    let composed: String = name.nfkc().collect();
    let (folded, as_typed) = (of(name), looks(&composed));
    RESERVED_SKELETONS.iter().any(|reserved| *reserved == folded || *reserved == as_typed)
}

fn looks(text: &str) -> String {
    let shapes = unicode_security::skeleton(text).flat_map(fold::case);
    shapes.filter(|c| !c.is_whitespace()).collect()
}
