//! What each change of a log did, as a proof says it: read from the state before and after it, so that the file has the effect of an
//! undo or of a changed key and not its name alone.

use std::collections::BTreeMap;

use quizhall_protocol::http::proof::{Counts, ProofAnswer, ProofChange, ProofMark, TiePlace};
use quizhall_rules::{Answer, Change, Counting, Phase, Player, PlayerId, QuestionId, QuestionKind, State};

use super::proof::{Recorder, count};

/// What is needed of the state before a change.
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(super) struct Before {
    phase: Phase,
    /// Whether the player that the change names was there, was in the lobby, and had a joker.
    is_player: bool,
    is_present: bool,
    has_joker: bool,
    has_tie_break: bool,
    is_scored: bool,
    is_withdrawn: bool,
    /// The question whose marks may change, with its marks.
    marks: Option<(QuestionId, Marks)>,
}

/// The marks of a question by player.
type Marks = BTreeMap<PlayerId, Marked>;

#[derive(Clone, Copy, PartialEq)]
struct Marked {
    host: Option<Counting>,
    ruled: Option<Counting>,
}

impl Before {
    pub fn of(state: &State, change: &Change) -> Self {
        let player = named(change).and_then(|player| state.player(player));
        let withdrawn = match change {
            Change::QuestionWithdrawn { question } => state.is_withdrawn(*question),
            _ => false,
        };
        Self {
            phase: state.phase(),
            is_player: player.is_some(),
            is_present: player.is_some_and(|player| player.present),
            has_joker: match change {
                Change::OptionsSet(_) => state.players().any(|player| player.joker.is_some()),
                _ => player.is_some_and(|player| player.joker.is_some()),
            },
            has_tie_break: state.open_tie_break().is_some(),
            is_scored: state.is_scored(state.round()),
            is_withdrawn: withdrawn,
            marks: marked_by(state, change).map(|question| (question, marks_of(state, question))),
        }
    }
}

/// The player whose presence, place or joker a change may change.
fn named(change: &Change) -> Option<PlayerId> {
    match change {
        Change::Left { player, .. }
        | Change::Returned { player, .. }
        | Change::PlayerRemoved { player, .. }
        | Change::JokerPlayed { player, .. } => Some(*player),
        _ => None,
    }
}

/// The question whose marks a change may change.
fn marked_by(state: &State, change: &Change) -> Option<QuestionId> {
    match change {
        Change::AnswerOverridden { question, .. }
        | Change::AnswersMarked { question, .. }
        | Change::KeyChanged { question, .. }
        | Change::MarksCorrected { question, .. } => Some(*question),
        Change::MarkingUndone { of } => state.latest_marking(*of).map(|(question, _)| question),
        _ => None,
    }
}

fn marks_of(state: &State, question: QuestionId) -> Marks {
    let marked =
        |(player, answer): (PlayerId, &Answer)| (player, Marked { host: answer.by_host(), ruled: answer.by_ruling() });
    state.answers_ever(question).map(marked).collect()
}

impl Recorder {
    /// What a change did; `None` when it changed nothing that a proof is about. The match is in full: a new change is in the proof,
    /// or has no effect on marks, points and places.
    #[expect(clippy::match_same_arms, reason = "grouped by why they have no effect")]
    pub(super) fn did(&mut self, change: &Change, before: Before) -> Option<ProofChange> {
        use {Change as C, ProofChange as P};
        let round = count(self.state.round() + 1);
        match change {
            C::Joined { player, .. } => Some(P::Joined { player: self.player(*player)? }),
            C::SeatAdded { player, .. } => Some(P::SeatAdded { player: self.player(*player)? }),
            C::Left { player, .. } | C::Returned { player, .. } => self.present(*player, &before),
            C::PlayerRemoved { player, .. } if before.is_player => {
                Some(P::PlayerRemoved { player: self.player(*player)? })
            }
            C::PlayerRenamed { player, .. } => Some(P::PlayerRenamed { player: self.player(*player)? }),
            C::Started | C::NextRoundStarted => Some(P::RoundStarted { round }),
            C::QuestionReleased { question } => Some(P::QuestionReleased { question: self.question(*question)? }),
            C::RoundEnded => Some(P::RoundEnded { round }),
            C::AnswerRevealed { .. } => {
                let has_ended = before.phase == Phase::Question && self.state.phase() == Phase::RoundReview;
                has_ended.then_some(P::RoundEnded { round })
            }
            C::Answered { player, question, .. } => self.answer(*player, *question).map(P::Answered),
            C::AnswerEntered { player, question, .. } => self.answer(*player, *question).map(P::AnswerEntered),
            C::AnswerOverridden { .. }
            | C::AnswersMarked { .. }
            | C::MarksCorrected { .. }
            | C::MarkingUndone { .. }
            | C::KeyChanged { .. } => self.marked(change, before),
            C::Appealed { player, question, text, .. } => Some(P::Appealed {
                player: self.player(*player)?,
                question: self.question(*question)?,
                text: text.clone(),
            }),
            C::AppealDismissed { player, question } => {
                Some(P::AppealDismissed { player: self.player(*player)?, question: self.question(*question)? })
            }
            C::QuestionEdited(edit) => self.edited(edit.question),
            C::QuestionWithdrawn { question } if !before.is_withdrawn => {
                Some(P::QuestionWithdrawn { question: self.question(*question)? })
            }
            C::JokerPlayed { player, round, .. } if before.is_player && !before.has_joker => {
                Some(P::JokerPlayed { player: self.player(*player)?, round: round + 1 })
            }
            C::PointsAdjusted { player, round, points, reason } => Some(P::PointsAdjusted {
                player: self.player(*player)?,
                round: round + 1,
                number: self.state.player(*player)?.adjustments().last()?.number,
                points: *points,
                reason: reason.as_deref().map(str::to_owned),
            }),
            C::AdjustmentUndone { player, number, .. } => {
                Some(P::AdjustmentUndone { player: self.player(*player)?, number: *number })
            }
            C::OptionsSet(_) => {
                let is_returned = before.has_joker && self.state.players().all(|player| player.joker.is_none());
                is_returned.then_some(P::JokersReturned)
            }
            C::TieBreakStarted { .. } => self.tied(change),
            C::TieBreakAnswered { .. } | C::TieBreakEnded { .. } if before.has_tie_break => self.tied(change),
            C::ScoresReleased { .. } if !before.is_scored => Some(P::ScoresReleased { round }),
            C::Ended => Some(P::Ended),
            // They had no effect, because it was there already.
            C::PlayerRemoved { .. }
            | C::QuestionWithdrawn { .. }
            | C::JokerPlayed { .. }
            | C::TieBreakAnswered { .. }
            | C::TieBreakEnded { .. }
            | C::ScoresReleased { .. } => None,
            // The existence of the game, sockets, phones, screens and co-hosts.
            C::Created(_)
            | C::Claimed { .. }
            | C::Closed
            | C::Disconnected { .. }
            | C::Connected { .. }
            | C::HostLeft
            | C::HostReturned
            | C::ScreenAdded(_)
            | C::ScreenRemoved { .. }
            | C::CoHostAdded(_)
            | C::CoHostRemoved { .. }
            | C::SeatCodeIssued(_)
            | C::SeatMoved { .. }
            | C::DeviceAdded(_)
            | C::Set(_) => None,
            // Taken as its answers.
            C::Answers(_) => None,
            // Time decides which answers are taken; what an answer took is in the answer.
            C::QuestionClosing { .. }
            | C::QuestionClosed { .. }
            | C::TimerSet(_)
            | C::TimerHeld { .. }
            | C::TimerMark { .. }
            | C::TimeOver { .. }
            | C::ExtraTimeSet { .. }
            | C::AutopilotSet { .. }
            | C::BreakStarted { .. }
            | C::BreakMark { .. }
            | C::BreakEnded => None,
            // What is only shown, and what a captain does not take over.
            C::TallyShown { .. } | C::Suggested { .. } => None,
        }
    }

    /// The change of a tie-break.
    fn tied(&self, change: &Change) -> Option<ProofChange> {
        use {Change as C, ProofChange as P};
        match change {
            C::TieBreakStarted { players, text, answer } => {
                let players = players.iter().filter_map(|player| self.player(*player)).collect();
                Some(P::TieBreakStarted { players, text: text.clone(), answer: *answer })
            }
            C::TieBreakAnswered { player, answer, .. } => {
                let is_erased = self.state.all_players().any(|one| one.id == *player && one.is_erased());
                Some(P::TieBreakAnswered { player: self.player(*player)?, number: (!is_erased).then_some(*answer) })
            }
            C::TieBreakEnded { places } => {
                let place =
                    |(player, place): &(PlayerId, u32)| Some(TiePlace { player: self.player(*player)?, place: *place });
                Some(P::TieBreakEnded { places: places.iter().filter_map(place).collect() })
            }
            _ => None,
        }
    }

    /// The change of marks.
    fn marked(&self, change: &Change, before: Before) -> Option<ProofChange> {
        use {Change as C, ProofChange as P};
        let (question, marks) = self.marks(before)?;
        match change {
            C::AnswerOverridden { .. } => Some(P::AnswerOverridden { question, marks }),
            C::AnswersMarked { .. } => Some(P::AnswersMarked { question, marks }),
            C::MarksCorrected { .. } => Some(P::MarksCorrected { question, marks }),
            C::MarkingUndone { .. } => Some(P::MarkingUndone { question, marks }),
            C::KeyChanged { texts, correct, partial, .. } => {
                Some(P::KeyChanged { question, texts: texts.clone(), correct: *correct, points: *partial, marks })
            }
            _ => None,
        }
    }

    fn present(&self, player: PlayerId, before: &Before) -> Option<ProofChange> {
        let is_present = self.state.player(player)?.present;
        let player = self.player(player)?;
        match (before.is_present, is_present) {
            (true, false) => Some(ProofChange::Left { player }),
            (false, true) => Some(ProofChange::Returned { player }),
            _ => None,
        }
    }

    /// The answer of a player as it is after it was given.
    fn answer(&self, player: PlayerId, question: QuestionId) -> Option<ProofAnswer> {
        let answer = self.state.answer_of(player, question)?;
        let is_nearest = self.state.question(question).is_some_and(|asked| asked.kind == QuestionKind::Nearest);
        // Anyone may type what stands for an erased answer.
        let was_erased = self.state.player(player).is_some_and(Player::is_erased);
        let (player, question) = (self.player(player)?, self.question(question)?);
        Some(ProofAnswer {
            player,
            question,
            text: Some(answer.text.as_ref().to_owned()).filter(|text| !(was_erased && Self::is_erased(player, text))),
            correct: answer.marked_correct && !is_nearest,
            points: if answer.marked_correct { 0 } else { answer.partial },
            ruled: answer.by_ruling().map(counts),
            elapsed_ms: answer.elapsed,
            time_percent: Some(answer.time_percent()).filter(|percent| *percent != 100),
        })
    }

    /// The marks that changed.
    fn marks(&self, before: Before) -> Option<(u32, Vec<ProofMark>)> {
        let (question, before) = before.marks?;
        let after = marks_of(&self.state, question);
        let gone = before.iter().filter(|(player, _)| !after.contains_key(player)).filter_map(|(player, _)| {
            let unlisted = self.state.player(*player).is_some_and(|player| !player.has_answered());
            Some(ProofMark { gone: true, unlisted, ..mark(self.player(*player)?, None, None) })
        });
        let changed = after.iter().filter(|(player, marked)| before.get(player) != Some(marked));
        let changed =
            changed.filter_map(|(player, marked)| Some(mark(self.player(*player)?, marked.host, marked.ruled)));
        let mut marks: Vec<ProofMark> = gone.chain(changed).collect();
        marks.sort_unstable_by_key(|mark| mark.player);
        Some((self.question(question)?, marks))
    }
}

fn mark(player: u32, host: Option<Counting>, ruled: Option<Counting>) -> ProofMark {
    ProofMark { player, host: host.map(counts), ruled: ruled.map(counts), gone: false, unlisted: false }
}

fn counts(Counting { correct, points }: Counting) -> Counts {
    Counts { correct, points }
}
