//! The characters that a name may contain, checked cluster by cluster. Only the tidied name is examined.

use unicode_properties::{GeneralCategory as Category, GeneralCategoryGroup as Group, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

use super::error::NameError;

/// The most accents on one letter; Vietnamese and Thai need two.
const MOST_MARKS: usize = 2;
/// The most marks of any kind on one letter, spacing vowel signs included.
const MOST_SIGNS: usize = 4;

const JOINER: char = '\u{200D}';
const NON_JOINER: char = '\u{200C}';

pub(super) fn check(name: &str) -> Result<(), NameError> {
    for cluster in name.graphemes(true) {
        check_cluster(cluster)?;
    }
    check_joiners(name)?;
    check_marks(name)?;
    let visible = |c: char| matches!(c.general_category_group(), Group::Letter | Group::Number | Group::Symbol);
    if name.chars().any(visible) { Ok(()) } else { Err(NameError::NothingVisible) }
}

fn check_cluster(cluster: &str) -> Result<(), NameError> {
    // Only three flags are written with tags: England, Scotland and Wales.
    if cluster.starts_with('🏴') && emojis::get(cluster).is_some() {
        return Ok(());
    }
    let letter = cluster.chars().next().is_some_and(|c| c.general_category_group() == Group::Letter);
    for c in cluster.chars() {
        if is_blank(c) || letter && matches!(c, '\u{FE0E}' | '\u{FE0F}') {
            return Err(NameError::Invisible);
        }
        let joiner = matches!(c, JOINER | NON_JOINER);
        if !joiner && is_forbidden(c) {
            return Err(NameError::ForbiddenCharacter);
        }
    }
    Ok(())
}

fn is_forbidden(c: char) -> bool {
    matches!(
        c.general_category(),
        Category::Control | Category::Surrogate | Category::PrivateUse | Category::Unassigned | Category::Format
    )
}

/// Letters, marks and symbols that are invisible although their category does not show it: the default-ignorable code points that
/// are not format characters, and blanks of some scripts.
fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' | '\u{2800}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{34F}' | '\u{FFFC}' | '\u{1D159}' | '\u{FE00}'..='\u{FE0D}'
            | '\u{E0100}'..='\u{E01EF}' | '\u{13441}' | '\u{13442}' | '\u{16FE4}'
    )
}

/// A joiner may only shape Arabic and Indic words or hold an emoji together. Elsewhere it would only make two equal-looking names
/// differ.
fn check_joiners(name: &str) -> Result<(), NameError> {
    for cluster in name.graphemes(true).filter(|cluster| cluster.contains([JOINER, NON_JOINER])) {
        if emojis::get(cluster).is_some() {
            continue;
        }
        // The cluster ends with the joiner when the next letter starts a new cluster, so the whole name is examined.
        let start = cluster.as_ptr().addr() - name.as_ptr().addr();
        let inside = cluster.char_indices().filter(|(_, c)| matches!(*c, JOINER | NON_JOINER));
        for (at, joiner) in inside {
            let before = name[..start + at].chars().next_back();
            let after = &name[start + at + joiner.len_utf8()..];
            if !(before.is_some_and(|c| joins(c, after.chars().next()) || shapes(c, joiner, after))) {
                return Err(NameError::ForbiddenCharacter);
            }
        }
    }
    Ok(())
}

/// Both sides are in the same group of scripts; the left may be a mark (virama), the right is a letter.
fn joins(before: char, after: Option<char>) -> bool {
    let script = |c: char| match c {
        '\u{600}'..='\u{6FF}' | '\u{750}'..='\u{77F}' | '\u{870}'..='\u{8FF}' => Some("Arabic"),
        '\u{900}'..='\u{DFF}' => Some("Indic"),
        _ => None,
    };
    let is = |c: char, groups: &[Group]| groups.contains(&c.general_category_group());
    after.is_some_and(|after| {
        script(before).is_some()
            && script(before) == script(after)
            && is(before, &[Group::Letter, Group::Mark])
            && is(after, &[Group::Letter])
    })
}

/// Whether a joiner shapes a letter without another letter after it. A Bengali or Kannada ra keeps its form before the sign that
/// joins it to the next letter. A Malayalam consonant without a vowel takes its own form even at the end of a word.
fn shapes(before: char, joiner: char, after: &str) -> bool {
    let mut after = after.chars();
    let next = after.next();
    let is_letter = |c: char| c.general_category_group() == Group::Letter;
    let sign = match before {
        '\u{9B0}' | '\u{9F0}' => '\u{9CD}',
        '\u{CB0}' => '\u{CCD}',
        '\u{D4D}' => {
            return joiner == JOINER
                && next.is_none_or(|next| !is_letter(next) && next != NON_JOINER && next != JOINER);
        }
        _ => return false,
    };
    joiner == JOINER && next == Some(sign) && after.next().is_some_and(is_letter)
}

fn check_marks(name: &str) -> Result<(), NameError> {
    let (mut marks, mut signs, mut base) = (0, 0, false);
    for c in name.chars() {
        if c.general_category_group() == Group::Mark {
            signs += 1;
            marks += usize::from(c.general_category() != Category::SpacingMark);
            if !base || marks > MOST_MARKS || signs > MOST_SIGNS {
                return Err(NameError::TooManyMarks);
            }
        } else if !matches!(c, JOINER | NON_JOINER) {
            (marks, signs, base) = (0, 0, c != ' ');
        }
    }
    Ok(())
}
