//! The ledger: the answers of each player, which of them were acknowledged, and the result that the game must therefore have.

use std::collections::BTreeMap;

use uuid::Uuid;

/// A player and a question.
pub type Place = (Uuid, Uuid);

/// Everything sent for one place, in order.
#[derive(Debug, Default, Clone)]
struct Page {
    sent: Vec<String>,
    /// How many of `sent` are known to be stored: an acknowledgement covers all answers before it.
    acknowledged: usize,
}

/// All pages of a cycle.
#[derive(Debug, Default, Clone)]
pub struct Ledger {
    pages: BTreeMap<Place, Page>,
}

impl Ledger {
    /// Called before the message is sent.
    pub fn sent(&mut self, place: Place, answer: &str) {
        self.pages.entry(place).or_default().sent.push(answer.to_owned());
    }

    /// An acknowledgement, which covers every answer sent so far.
    pub fn acknowledged(&mut self, place: Place) {
        let page = self.pages.get_mut(&place).expect("only what was sent is acknowledged");
        page.acknowledged = page.sent.len();
    }

    /// Adds the pages of another player.
    pub fn merge(&mut self, other: Self) {
        self.pages.extend(other.pages);
    }

    /// This ledger with the answers sent until `later`, but only the acknowledgements until now: the expectation for a copy made in
    /// between.
    pub fn with_sent_until(mut self, later: &Self) -> Self {
        for (place, page) in &later.pages {
            self.pages.entry(*place).or_default().sent.clone_from(&page.sent);
        }
        self
    }

    /// Places with at least one acknowledgement.
    pub fn stored(&self) -> impl Iterator<Item = Place> {
        self.pages.iter().filter(|(_, page)| page.acknowledged > 0).map(|(place, _)| *place)
    }

    /// The answers of a player that were sent and whose outcome is unknown.
    pub fn unknown_of(&self, player: Uuid) -> Vec<(Uuid, String)> {
        let open = |page: &Page| page.acknowledged < page.sent.len();
        let last = |page: &Page| page.sent.last().cloned().unwrap_or_default();
        let mine = self.pages.iter().filter(|((owner, _), page)| *owner == player && open(page));
        mine.map(|((_, question), page)| (*question, last(page))).collect()
    }

    /// How many answers were acknowledged.
    pub fn acknowledgements(&self) -> usize {
        self.pages.values().map(|page| page.acknowledged).sum()
    }

    /// Compares the final answers with the ledger: each place occurs once, with the last acknowledged answer or a later one, and no
    /// answer that was never sent.
    pub fn check(&self, answers: impl Iterator<Item = (Place, String)>) {
        let mut seen = BTreeMap::new();
        for (place, answer) in answers {
            let page = self.pages.get(&place).expect("an answer that no player sent");
            let at = page.sent.iter().rposition(|sent| *sent == answer).expect("an answer that was never sent");
            assert!(at + 1 >= page.acknowledged, "an older answer came back: {} of {}", at + 1, page.acknowledged);
            assert!(seen.insert(place, answer).is_none(), "an answer counted twice");
        }
        for place in self.stored() {
            assert!(seen.contains_key(&place), "promise 1: an acknowledged answer is lost");
        }
    }
}

#[test]
#[should_panic(expected = "is lost")]
fn the_ledger_notices_a_lost_answer() {
    let (mut ledger, place) = (Ledger::default(), (Uuid::nil(), Uuid::nil()));
    ledger.sent(place, "a");
    ledger.acknowledged(place);
    ledger.check(std::iter::empty());
}

#[test]
#[should_panic(expected = "older answer")]
fn the_ledger_notices_an_older_answer() {
    let (mut ledger, place) = (Ledger::default(), (Uuid::nil(), Uuid::nil()));
    for answer in ["a", "b"] {
        ledger.sent(place, answer);
        ledger.acknowledged(place);
    }
    ledger.check([(place, "a".to_owned())].into_iter());
}
