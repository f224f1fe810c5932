//! Marking answers that name several choices: the share of the key that is right, and the points for that share.
//!
//! Called by the [`Key`](super::Key) of a question.

use quizhall_quiz::{Question, QuestionKind, choice};

use super::mark::Mark;

/// The key of a `multi_select` or an `order` question.
pub(crate) struct Choices {
    offered: Vec<String>,
    points: u32,
    /// The place of each choice in the key, if it is there.
    places: Vec<Option<usize>>,
    is_order: bool,
}

/// The share of a key that is right.
struct Share {
    right: usize,
    of: usize,
}

impl Choices {
    pub fn of(question: &Question) -> Self {
        let place_of = |choice: &String| question.accepted.iter().position(|right| right.trim() == choice.trim());
        Self {
            offered: question.choices.clone(),
            points: question.points,
            places: question.choices.iter().map(place_of).collect(),
            is_order: question.kind == QuestionKind::Order,
        }
    }

    /// An answer is right when its share is complete. A smaller share earns that part of the points, rounded down, so never all
    /// of them.
    pub fn mark(&self, answer: &str) -> Mark {
        let Some(named) = choice::named(answer, &self.offered) else { return Mark::WRONG };
        let share = if self.is_order { self.in_order(&named) } else { self.selected(&named) };
        if share.right >= share.of { Mark::RIGHT } else { Mark { partial: share.points(self.points), ..Mark::WRONG } }
    }

    /// The choices that an answer names, one per line. Where their order is the answer, they stay in that order; otherwise each
    /// appears once, in the order in which the choices are offered. None for an answer that names no choices.
    pub fn compared(&self, answer: &str) -> Option<String> {
        let mut named = choice::named(answer, &self.offered)?;
        if !self.is_order {
            named.sort_unstable();
            named.dedup();
        }
        let texts: Vec<&str> = named.iter().filter_map(|at| self.offered.get(*at)).map(String::as_str).collect();
        Some(texts.join("\n"))
    }

    /// (right − wrong) out of all right choices. A choice that is named twice counts once.
    fn selected(&self, named: &[usize]) -> Share {
        let is_named = |choice: &usize| named.contains(choice);
        let (right, wrong): (Vec<usize>, Vec<usize>) =
            (0..self.offered.len()).filter(is_named).partition(|choice| self.places[*choice].is_some());
        let of = self.places.iter().flatten().count();
        Share { right: right.len().saturating_sub(wrong.len()), of }
    }

    /// The pairs of neighbours in the right order that are also neighbours in the answer, out of all such pairs. No choice may be
    /// named twice.
    fn in_order(&self, named: &[usize]) -> Share {
        let of = self.offered.len().saturating_sub(1);
        let repeats = (1..named.len()).any(|at| named[..at].contains(&named[at]));
        let follows = |pair: &&[usize]| self.places[pair[1]].zip(self.places[pair[0]]).is_some_and(|(b, a)| b == a + 1);
        let right = if repeats { 0 } else { named.windows(2).filter(follows).count() };
        Share { right, of }
    }
}

impl Share {
    /// This share of the points, rounded down.
    fn points(&self, points: u32) -> u32 {
        let (right, of) = (self.right as u64, self.of.max(1) as u64);
        u32::try_from(u64::from(points) * right / of).unwrap_or(points)
    }
}
