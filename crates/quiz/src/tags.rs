//! Tags: the words under which an author finds a quiz or a question again.
//!
//! Used by the question and by the upload of a quiz. A player never receives a tag.

use std::collections::HashSet;

use crate::check::{Check, count, ensure, line};

/// Most tags of a quiz, and of a question.
pub(crate) const TAGS: usize = 20;

/// Most code points of a tag.
pub(crate) const TAG: usize = 40;

/// Checks number, length, characters, and that no tag is repeated. A comma separates tags where they are typed.
pub(crate) fn check_tags(place: &str, tags: &[String]) -> Check {
    count(place, tags.len(), 0, TAGS)?;
    let mut seen = HashSet::new();
    for (at, tag) in tags.iter().enumerate() {
        let place = format!("{place}[{at}]");
        line(&place, tag, TAG)?;
        ensure(!tag.contains(','), || place.clone(), "must not hold a comma")?;
        ensure(seen.insert(tag.trim().to_lowercase()), || place, "must differ from the other tags")?;
    }
    Ok(())
}
