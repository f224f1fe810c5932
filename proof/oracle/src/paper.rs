//! Players on paper: seats without a phone, the answers that the host enters for them, and what must follow.

use quizhall_protocol::from_host::EnterAnswer;
use quizhall_protocol::shapes::ReviewAnswer;
use quizhall_protocol::to_host::AnswersEntered;
use quizhall_protocol::{ServerMessage, ToHost};
use uuid::Uuid;

use crate::answers::Marking;
use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal, Mark, require};
use crate::game::{Game, Phase, Viewer};
use crate::messages::players_answered;

impl Game {
    /// `answers_entered` of one answer.
    fn answer_entered(&self, player: Uuid, question: Uuid) -> ServerMessage {
        let is_it = |answer: &ReviewAnswer| (answer.player_id, answer.question_id) == (player, question);
        answers_entered(self.review().into_iter().filter(is_it).collect())
    }

    /// The messages that the host receives on connecting: in the review these answers are among the others.
    pub(crate) fn sync_of_paper(&self, viewer: Viewer) -> Option<ServerMessage> {
        let is_sent = self.phase == Phase::Question && viewer == Viewer::Host;
        let is_on_paper = |player: Uuid| self.player(player).is_some_and(|player| player.on_paper);
        let mut answers = self.review();
        answers.retain(|answer| is_on_paper(answer.player_id) && !answer.answer.is_empty());
        (is_sent && !answers.is_empty()).then(|| answers_entered(answers))
    }

    /// Whether each of these answers counts as stated.
    pub(crate) fn have_entered(&self, entered: &[ReviewAnswer]) -> bool {
        let review = self.review();
        !entered.is_empty() && entered.iter().all(|answer| review.contains(answer))
    }

    pub(crate) fn check_paper(&self, fact: &Fact) -> Result<(), Illegal> {
        match fact {
            Fact::SeatAdded(player, name) => {
                require(self.phase != Phase::Ended, "the game has ended")?;
                let taken = self.players.iter().any(|other| other.name == *name);
                require(!self.was_ever_in(*player) && !taken, "the player or the name is there already")
            }
            Fact::Entered(player, question, text, _) => {
                require(matches!(self.phase, Phase::Question | Phase::Review), "not in this phase")?;
                let takes = self.released.contains(question) && !self.is_withdrawn(*question);
                let is_on_paper = self.player(*player).is_some_and(|player| player.on_paper);
                let is_new = self.answer(*player, *question).is_none_or(|answer| answer.text != *text);
                require(takes && is_on_paper && is_new, "no such question, a player with a phone, or the same answer")
            }
            _ => Ok(()),
        }
    }

    /// The answer replaces a marked one, whose marks can then no longer be undone.
    pub(crate) fn fold_paper(&mut self, fact: &Fact) {
        match fact {
            Fact::SeatAdded(player, name) => {
                self.join(*player, name);
                self.set(*player, |player| (player.connected, player.on_paper) = (false, true));
            }
            Fact::SeatTaken(player) => self.set(*player, |player| {
                player.on_paper = false;
                player.moves += 1;
            }),
            Fact::Entered(player, question, text, mark) => {
                self.answers.put(*player, *question, text, *mark);
                self.mark_by_key(*question);
                for marking in &mut self.markings {
                    if let Marking::Answers(touched) = marking {
                        touched.retain(|(touched, of, _)| (touched, of) != (player, question));
                    }
                }
                self.markings.retain(|marking| !matches!(marking, Marking::Answers(touched) if touched.is_empty()));
                if self.phase == Phase::Review {
                    self.mark_nearest();
                }
            }
            _ => {}
        }
    }

    /// The host gave a player without a phone a seat; the player's id is the server's to make.
    ///
    /// # Errors
    /// When the player or the name is in the game already.
    pub fn host_adds(&mut self, player: Uuid, name: &str) -> Result<Effects, Illegal> {
        self.apply(&Fact::SeatAdded(player, name.to_owned()))?;
        Ok(self.lobby_effects(player).and(To::Host, self.room_change(&[player])))
    }

    /// The host enters an answer; `mark` is how it must be marked.
    ///
    /// # Errors
    /// When the player is not on paper, or the question takes no answer.
    pub fn host_enters(&mut self, entered: &EnterAnswer, mark: Mark) -> Result<Effects, Illegal> {
        let EnterAnswer { player_id, question_id, answer } = entered;
        let (player, question) = (*player_id, *question_id);
        let before = self.answer(player, question).map(|before| before.text == *answer);
        let (nearest, undoable) = (self.nearest(), self.undoable());
        if before != Some(true) {
            self.apply(&Fact::Entered(player, question, answer.clone(), mark))?;
        }
        let shown = Effects::default().and(To::Host, self.answer_entered(player, question));
        let after = self.nearest();
        let changed = |(asked, now): (&Uuid, &Vec<Uuid>)| {
            let was = nearest.get(asked).map_or(&[][..], Vec::as_slice);
            let new = now.iter().filter(|player| !was.contains(player));
            let all: Vec<Uuid> = new.chain(was.iter().filter(|player| !now.contains(player))).copied().collect();
            (!all.is_empty()).then(|| self.marks(*asked, &all))
        };
        let marks: Vec<_> = after.iter().filter_map(changed).collect();
        let is_marked = !marks.is_empty() || undoable != self.undoable();
        let shown = shown.and_all(To::Host, marks).and_all(To::Host, is_marked.then(|| self.marking_update()));
        if self.phase != Phase::Question || before == Some(true) {
            return Ok(shown);
        }
        Ok(match before {
            None => {
                shown.and(To::Host, players_answered(question, vec![player])).and(To::Host, self.answer_count(question))
            }
            Some(_) => shown.and(To::HostPerhaps, self.answer_count(question)),
        })
    }
}

fn answers_entered(answers: Vec<ReviewAnswer>) -> ServerMessage {
    ServerMessage::Host(ToHost::AnswersEntered(AnswersEntered { answers }))
}
