//! Erasing a player from a log: the name and the answers are replaced so that the game still replays to the same marks and ranks.
//!
//! Called by the service for games that are over. Pure; it changes events in place and never their number or order.

use std::collections::HashSet;
use std::sync::Arc;

use quizhall_quiz::QuestionId;

use crate::base::{DisplayName, PlayerId, TokenHash};
use crate::event::{Bundle, Change, Event, MarkedText};
use crate::people::seats::SeatCode;
use crate::people::teams::AddedDevice;
use crate::state::State;

/// The player to erase, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// The player whose name is replaced. Players whom the host removed have a name too.
    pub player: PlayerId,
    /// Whether the texts of the answers are replaced too; their marks stay.
    pub answers: bool,
}

/// Replaces an erased hash.
pub(crate) const FORGOTTEN: TokenHash = TokenHash::NONE;

/// Erases a player. The player's name and the names of a team's phones are replaced by neutral ones ("Player 7", by order of
/// joining). Extra time, the reasons for points by hand and the hashes of tokens, codes and keys are removed. With [`Erasure::answers`], the text of each answer
/// is replaced and the text of each appeal is removed. Returns the indexes of the events that changed, in order; `None` when the
/// player never joined.
///
/// A second call changes nothing. The log must begin with the creation.
pub fn erase(events: &mut [Event], erasure: Erasure) -> Option<Vec<usize>> {
    let players = in_order_of_joining(events);
    let number = players.iter().position(|player| *player == erasure.player)? + 1;
    let name = neutral_name(events, erasure.player, number)?;
    let (mut changed, mut phones): (Vec<usize>, usize) = (Vec::new(), 1);
    for (place, event) in events.iter_mut().enumerate() {
        if let Change::Joined { player, display_name, token, idempotency, .. } = &mut event.change
            && *player == erasure.player
        {
            let neutral = (name.clone(), FORGOTTEN, None);
            if (&*display_name, &*token, &*idempotency) != (&neutral.0, &neutral.1, &neutral.2) {
                (*display_name, *token, *idempotency) = neutral;
                changed.push(place);
            }
        }
        if let Change::PlayerRenamed { player, display_name } | Change::SeatAdded { player, display_name } =
            &mut event.change
            && *player == erasure.player
            && std::mem::replace(display_name, name.clone()) != name
        {
            changed.push(place);
        }
        let of_seat = match &mut event.change {
            Change::SeatMoved { player, token, .. } => Some((*player, token)),
            Change::SeatCodeIssued(SeatCode { player, code, .. }) => Some((*player, code)),
            _ => None,
        };
        if let Some((player, hash)) = of_seat
            && player == erasure.player
            && std::mem::replace(hash, FORGOTTEN) != FORGOTTEN
        {
            changed.push(place);
        }
        if let Change::DeviceAdded(added) = &mut event.change
            && added.player == erasure.player
        {
            phones += 1;
            let name = DisplayName::parse(&format!("Phone {phones}")).unwrap_or_else(|_| name.clone());
            let neutral = AddedDevice { display_name: name, token: FORGOTTEN, idempotency: None, ..(**added).clone() };
            if std::mem::replace(&mut **added, neutral.clone()) != neutral {
                changed.push(place);
            }
        }
        if takes_details(&mut event.change, erasure.player) {
            changed.push(place);
        }
    }
    if erasure.answers {
        changed.extend(erase_answers(events, &players, number));
        changed.sort_unstable();
    }
    Some(changed)
}

/// Removes extra time, and the reasons for points by hand; whether there was anything.
fn takes_details(change: &mut Change, erased: PlayerId) -> bool {
    match change {
        Change::ExtraTimeSet { player, percent } if *player == erased => std::mem::replace(percent, 100) != 100,
        Change::PointsAdjusted { player, reason, .. } if *player == erased => reason.take().is_some(),
        _ => false,
    }
}

/// The players by their slots.
fn in_order_of_joining(events: &[Event]) -> Vec<PlayerId> {
    let (mut players, mut known) = (Vec::new(), HashSet::new());
    for event in events {
        if let Change::Joined { player, .. } | Change::SeatAdded { player, .. } = &event.change
            && known.insert(*player)
        {
            players.push(*player);
        }
    }
    players
}

/// A name that looks like no other player's.
fn neutral_name(events: &[Event], player: PlayerId, number: usize) -> Option<DisplayName> {
    let names = events.iter().filter_map(|event| match &event.change {
        Change::Joined { player: other, display_name, .. }
        | Change::SeatAdded { player: other, display_name }
        | Change::PlayerRenamed { player: other, display_name }
            if *other != player =>
        {
            Some(display_name)
        }
        _ => None,
    });
    let others: HashSet<_> = names.flat_map(DisplayName::looks).collect();
    let names =
        std::iter::once(format!("Player {number}")).chain((2..).map(|twin| format!("Player {number} ({twin})")));
    // At least one of these names is free, because there are more of them than other names.
    let mut names = names.take(others.len() + 1).filter_map(|name| DisplayName::parse(&name).ok());
    names.find(|name| name.looks().iter().all(|look| !others.contains(look)))
}

/// A group marking names texts. Where it named this player's text, it has to name the replacement, and the old text only if it
/// was another player's as well.
fn erase_answers(events: &mut [Event], players: &[PlayerId], number: usize) -> Vec<usize> {
    let (slot, given) = (number - 1, given(events, players));
    let player = players[slot];
    let eraser = Eraser { player, neutral: neutral_text(&given, player, number), given };
    let neutral = &eraser.neutral;
    let Some(Change::Created(created)) = events.first().map(|event| event.change.clone()) else { return Vec::new() };
    let mut state = State::created(&created);
    let mut changed = Vec::new();
    for (place, event) in events.iter_mut().enumerate() {
        let original = event.clone();
        let has_changed = match &mut event.change {
            Change::Answered { player: author, answer, .. } | Change::AnswerEntered { player: author, answer, .. }
                if *author == player && answer != neutral && !answer.is_empty() =>
            {
                *answer = Arc::clone(neutral);
                true
            }
            Change::Answers(bundle) => erase_rows(bundle, slot, neutral),
            Change::Suggested { player: author, answer, .. } if *author == player && answer != neutral => {
                *answer = Arc::clone(neutral);
                true
            }
            Change::Appealed { player: author, text, .. } if *author == player => text.take().is_some(),
            Change::TieBreakAnswered { player: author, answer, .. } if *author == player => std::mem::take(answer) != 0,
            Change::AnswersMarked { question, texts, .. } => eraser.rename(&state, *question, texts),
            Change::KeyChanged { question, texts, .. } => eraser.rename_in_key(&state, *question, texts),
            Change::TallyShown { question, hidden } => eraser.unname(&state, *question, hidden),
            _ => false,
        };
        if has_changed {
            changed.push(place);
        }
        state.apply(&original);
    }
    changed
}

/// The answers of all players to all questions, in order.
type Given = Vec<(PlayerId, QuestionId, Arc<str>)>;

fn given(events: &[Event], players: &[PlayerId]) -> Given {
    let mut given = Given::new();
    for event in events {
        match &event.change {
            Change::Answered { player, question, answer, .. }
            | Change::AnswerEntered { player, question, answer, .. } => {
                given.push((*player, *question, Arc::clone(answer)));
            }
            Change::Answers(bundle) => given.extend(bundle.rows.0.iter().filter_map(|row| {
                let player = players.get(row.slot as usize)?;
                Some((*player, bundle.question, Arc::clone(&bundle.text_of(row)?.text)))
            })),
            _ => {}
        }
    }
    given
}

/// Replaces the texts of one player's answers in a bundle; whether there was any. A text that others gave too stays theirs.
fn erase_rows(bundle: &mut Bundle, slot: usize, neutral: &Arc<str>) -> bool {
    let Bundle { texts, rows, .. } = bundle;
    let mut has_changed = false;
    for place in 0..rows.0.len() {
        let (erased, text) = (rows.0[place].slot, rows.0[place].sent.text);
        let old = texts.get(text as usize).filter(|old| old.text != *neutral && !old.text.is_empty());
        let Some(old) = old.filter(|_| erased as usize == slot) else { continue };
        let replaced = MarkedText { text: Arc::clone(neutral), ..old.clone() };
        if rows.0.iter().any(|other| other.slot != erased && other.sent.text == text) {
            rows.0[place].sent.text = u32::try_from(texts.len()).unwrap_or(u32::MAX);
            texts.push(replaced);
        } else {
            texts[text as usize] = replaced;
        }
        has_changed = true;
    }
    has_changed
}

/// Replaces the texts of one player where events name answers by their texts.
struct Eraser {
    player: PlayerId,
    /// The replacement of each answer.
    neutral: Arc<str>,
    /// The answers of all players.
    given: Given,
}

impl Eraser {
    fn rename(&self, state: &State, question: QuestionId, texts: &mut Vec<String>) -> bool {
        let Some(answer) = state.answer_of(self.player, question) else { return false };
        let (text, neutral) = (&*answer.text, &*self.neutral);
        let Some(place) = texts.iter().position(|named| named == text).filter(|_| text != neutral && !text.is_empty())
        else {
            return false;
        };
        if self.have_others(state, question, |other| other == text) {
            texts.push(neutral.to_owned());
        } else {
            neutral.clone_into(&mut texts[place]);
        }
        true
    }

    /// A change of the key names texts that came before it or come after it, in the form in which the key compares them. The
    /// player's last answer keeps its mark by what replaces it; of the earlier ones nothing is left to mark.
    fn rename_in_key(&self, state: &State, question: QuestionId, texts: &mut Vec<String>) -> bool {
        let compared = |text: &str| state.compared(question, text).unwrap_or_default();
        let neutral = compared(&self.neutral);
        let given = self.given.iter().filter(|(_, asked, _)| *asked == question);
        let (own, others): (Vec<_>, Vec<_>) = given.partition(|(author, ..)| *author == self.player);
        let own: Vec<String> = own.iter().map(|(_, _, text)| compared(text)).collect();
        let is_of_others = |named: &String| others.iter().any(|(_, _, text)| compared(text) == *named);
        let named_last = own.last().is_some_and(|last| *last != neutral && texts.contains(last));
        let before = texts.clone();
        texts.retain(|named| *named == neutral || !own.contains(named) || is_of_others(named));
        if named_last && !texts.contains(&neutral) {
            texts.push(neutral);
        }
        *texts != before
    }

    /// A hidden entry of a tally names the folded text of an answer. It is removed unless another player gave the same answer.
    fn unname(&self, state: &State, question: QuestionId, hidden: &mut Vec<String>) -> bool {
        let Some(answer) = state.answer_of(self.player, question) else { return false };
        let entry = state.rule().fold(&answer.text);
        if self.have_others(state, question, |other| state.rule().fold(other) == entry) {
            return false;
        }
        let before = hidden.len();
        hidden.retain(|text| *text != entry);
        hidden.len() != before
    }

    /// Whether another player has such an answer.
    fn have_others(&self, state: &State, question: QuestionId, is_such: impl Fn(&str) -> bool) -> bool {
        let others = state.players().filter(|other| other.id != self.player);
        let mut answers = others.filter_map(|other| state.answer_of(other.id, question));
        answers.any(|answer| is_such(&answer.text))
    }
}

/// A text that is no answer of another player.
fn neutral_text(given: &Given, player: PlayerId, number: usize) -> Arc<str> {
    let of_others = given.iter().filter(|(author, ..)| *author != player);
    let others: HashSet<&str> = of_others.map(|(_, _, text)| &**text).collect();
    let first = format!("(erased {number})");
    let mut texts = std::iter::once(first.clone()).chain((2..).map(|twin| format!("(erased {number}.{twin})")));
    texts.find(|text| !others.contains(text.as_str())).unwrap_or(first).into()
}
