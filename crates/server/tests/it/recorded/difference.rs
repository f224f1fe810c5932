//! The difference of two texts, line by line, in a readable form.

use std::fmt::Write as _;

/// Number of equal lines shown around a difference.
const AROUND: usize = 3;

/// The lines that are only in `after` or `before`, marked `+` and `-`, with some equal lines around them. Empty when the texts
/// are equal.
pub fn difference(before: &str, after: &str) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let marked = marked(&before, &after);
    let mut shown = String::new();
    let mut last = None;
    for (number, (mark, line)) in marked.iter().enumerate() {
        let from = number.saturating_sub(AROUND);
        let near = &marked[from..marked.len().min(number + AROUND + 1)];
        if near.iter().all(|(mark, _)| *mark == ' ') {
            continue;
        }
        if last.is_some_and(|last| last + 1 != number) {
            shown.push_str("  …\n");
        }
        last = Some(number);
        writeln!(shown, "{mark} {line}").unwrap();
    }
    shown
}

/// Every line of both texts once, with its mark, by the longest common subsequence.
fn marked<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<(char, &'a str)> {
    // `common[i][j]`: the longest common subsequence of `before[i..]` and `after[j..]`.
    let mut common = vec![vec![0_u32; after.len() + 1]; before.len() + 1];
    for (i, old) in before.iter().enumerate().rev() {
        for (j, new) in after.iter().enumerate().rev() {
            common[i][j] = if old == new { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut marked) = (0, 0, Vec::new());
    while i < before.len() || j < after.len() {
        if i < before.len() && j < after.len() && before[i] == after[j] {
            marked.push((' ', before[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == after.len() || (i < before.len() && common[i + 1][j] >= common[i][j + 1]) {
            marked.push(('-', before[i]));
            i += 1;
        } else {
            marked.push(('+', after[j]));
            j += 1;
        }
    }
    marked
}

#[test]
fn a_difference_shows_changed_lines_with_their_neighbours() {
    let before = "a\nb\nc\nd\ne\nf\ng\nh\ni";
    assert_eq!(difference(before, before), "");
    let after = before.replace('e', "E");
    assert_eq!(difference(before, &after), "  b\n  c\n  d\n- e\n+ E\n  f\n  g\n  h\n");
    let ends = before.replace('a', "").replace('i', "i\nj");
    assert_eq!(difference(before, ends.as_str()), "- a\n+ \n  b\n  c\n  d\n  …\n  g\n  h\n  i\n+ j\n");
}
