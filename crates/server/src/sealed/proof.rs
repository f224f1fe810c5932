//! A log → the proof of its game: the questions as they were sealed, what each event did, and the boards.

use std::collections::HashMap;

use quizhall_engine::wire::seal::{leaf, player_ref, salt_of, sealed_question};
use quizhall_protocol::http::proof::{
    PROOF_FORMAT, PlayedQuestion, PlayedRound, Proof, ProofBoard, ProofChange, ProofEntry, ProofEvent, ProofPlayer,
    SealedQuestion,
};
use quizhall_protocol::http::quizzes::QuestionBody;
use quizhall_rules::{Change, Event, Pace, Phase, Player, PlayerId, QuestionId, Quiz, State};

use super::did::Before;
use crate::clock;

/// What the file says beside the log.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// When the game ended; milliseconds since 1970.
    pub ended_at_ms: i64,
    /// Whether the names of the players are in it.
    pub names: bool,
}

/// The proof of the game with this log; `None` when its quiz was not sealed, or the game has not ended.
pub fn proof(events: &[Event], asked: Asked) -> Option<Proof> {
    let Change::Created(created) = &events.first()?.change else { return None };
    created.sealed.as_ref()?;
    let mut recorder = Recorder::new(State::created(created), &created.quiz);
    for event in &events[1..] {
        recorder.take(event);
    }
    recorder.finish(asked)
}

/// The state after the events so far, and what they did.
pub(super) struct Recorder {
    pub state: State,
    /// The numbers of the players, from 1.
    players: HashMap<PlayerId, u32>,
    /// The numbers of the questions, from 1.
    questions: HashMap<QuestionId, u32>,
    sealed: Vec<SealedQuestion>,
    /// The questions as they are now.
    current: Vec<QuestionBody>,
    events: Vec<ProofEvent>,
    boards: Vec<ProofBoard>,
}

impl Recorder {
    /// `quiz` is the one that was sealed.
    fn new(state: State, quiz: &Quiz) -> Self {
        let questions: Vec<_> = quiz.rounds.iter().flat_map(|round| &round.questions).collect();
        let sealed = questions.iter().map(|question| SealedQuestion {
            salt: hex::encode(salt_of(state.join_secret(), question.id)),
            question: sealed_question(question),
        });
        let sealed: Vec<SealedQuestion> = sealed.collect();
        Self {
            players: HashMap::new(),
            questions: (1..).zip(&questions).map(|(number, question)| (question.id, number)).collect(),
            current: sealed.iter().map(|sealed| sealed.question.clone()).collect(),
            sealed,
            events: Vec::new(),
            boards: Vec::new(),
            state,
        }
    }

    fn take(&mut self, event: &Event) {
        let Change::Answers(bundle) = &event.change else { return self.take_single(event) };
        for single in bundle.expand(&self.state).collect::<Vec<_>>() {
            self.take_single(&single);
        }
    }

    fn take_single(&mut self, event: &Event) {
        let before = Before::of(&self.state, &event.change);
        self.state.apply(event);
        for player in self.state.all_players().skip(self.players.len()) {
            let number = count(self.players.len() + 1);
            self.players.insert(player.id, number);
        }
        let Some(what) = self.did(&event.change, before) else { return };
        let (n, has_board) = (count(self.events.len() + 1), has_board(&what));
        self.events.push(ProofEvent { n, what });
        if has_board {
            let entries = self.board();
            self.boards.push(ProofBoard { event: n, entries });
        }
    }

    /// The number of a player who has joined.
    pub fn player(&self, player: PlayerId) -> Option<u32> {
        self.players.get(&player).copied()
    }

    pub fn question(&self, question: QuestionId) -> Option<u32> {
        self.questions.get(&question).copied()
    }

    /// Whether the text replaces an erased answer of this player.
    pub fn is_erased(number: u32, text: &str) -> bool {
        let of_player = text.strip_prefix("(erased ").and_then(|rest| rest.strip_suffix(')'));
        let (own, twin) = of_player.map_or(("", "0"), |rest| rest.split_once('.').unwrap_or((rest, "0")));
        own == number.to_string() && twin.bytes().all(|digit| digit.is_ascii_digit())
    }

    /// An edit of a question. Time limits cannot be edited.
    pub fn edited(&mut self, question: QuestionId) -> Option<ProofChange> {
        let number = self.question(question)?;
        let now = sealed_question(self.state.question(question)?);
        let current = self.current.get_mut(number as usize - 1)?;
        *current = QuestionBody { time_limit: current.time_limit, ..now };
        let leaf = leaf(&salt_of(self.state.join_secret(), question), current).to_string();
        Some(ProofChange::QuestionEdited { question: number, edited: current.clone().into(), leaf })
    }

    fn board(&self) -> Vec<ProofEntry> {
        let entries = self.state.board().standings.iter().filter_map(|standing| {
            let player = self.player(standing.player)?;
            let (score, round_score) = (standing.score, standing.round_score);
            Some(ProofEntry { player, score, round_score, rank: standing.rank, place: standing.place })
        });
        let mut entries: Vec<ProofEntry> = entries.collect();
        entries.sort_unstable_by_key(|entry| (entry.place, entry.player));
        entries
    }

    fn finish(self, Asked { ended_at_ms, names }: Asked) -> Option<Proof> {
        let state = &self.state;
        let seal = state.sealed().filter(|_| state.phase() == Phase::Ended)?.seal.to_string();
        let player = |player: &Player| ProofPlayer {
            of_player: player_ref(state.join_secret(), player.id).to_string(),
            display_name: Some(player.display_name.as_str().to_owned()).filter(|_| names && !player.is_erased()),
            erased: player.is_erased(),
        };
        Some(Proof {
            format: PROOF_FORMAT.to_owned(),
            game_code: state.code().to_owned(),
            created_at: clock::rfc3339(state.created_at_ms()),
            ended_at: clock::rfc3339(ended_at_ms),
            seal,
            rounds: self.rounds(),
            players: state.all_players().map(player).collect(),
            questions: self.sealed,
            events: self.events,
            boards: self.boards,
            digest: String::new(),
        })
    }

    fn rounds(&self) -> Vec<PlayedRound> {
        let of_round = |(at, round): (usize, &quizhall_rules::Round)| PlayedRound {
            section: count(match self.state.pace() {
                Pace::Round => at + 1,
                Pace::Question => self.state.section(at).map_or(0, |section| section.index + 1),
            }),
            questions: round.questions.iter().filter_map(|asked| self.played(asked)).collect(),
            streaks: round.streaks,
            speed_points: round.speed_points,
            joker: round.joker,
            wrong_points: round.wrong_points,
            half_points: round.half_points,
        };
        self.state.quiz().rounds.iter().enumerate().map(of_round).collect()
    }

    fn played(&self, asked: &quizhall_rules::Question) -> Option<PlayedQuestion> {
        Some(PlayedQuestion { question: self.question(asked.id)?, time_limit: asked.time_limit })
    }
}

/// Whether a board comes with this.
pub(super) fn has_board(what: &ProofChange) -> bool {
    matches!(what, ProofChange::ScoresReleased { .. } | ProofChange::Ended)
}

pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
