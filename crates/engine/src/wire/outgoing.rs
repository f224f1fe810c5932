//! State → frames, one function per message of the interface.
//!
//! The key of a question appears in only one place, after the scores were released: [`round_scores`]. Answers that the host
//! reveals earlier are in `rounds`.

use std::collections::BTreeSet;

use bytes::Bytes;
use quizhall_protocol::frame;
use quizhall_protocol::shapes::{Player, Question, QuestionResult, ReleasedMedia, ReviewAnswer};
use quizhall_protocol::to_all::{LobbyUpdate, MediaItem, MediaPreload, QuestionReleased};
use quizhall_protocol::to_host::{AnswerCount, OverrideApplied, RoundReview};
use quizhall_protocol::to_player::{AnswerAccepted, LobbyChanged, PointsByHand, RoundScores};
use quizhall_protocol::{Dialect, ToAll, ToHost, ToPlayer};
use quizhall_rules::{Adjustment, Phase, PlayerId, QuestionId, QuestionKind, ReviewEntry, State, choice};

use super::{Boards, Frames, Recipient, count};
use crate::media::{copies_ahead, copy_for};

/// Lobbies with more players than this are cut to the newest players.
pub(crate) const WHOLE_LOBBY: usize = 2_000;
/// The number of players of a big lobby that are sent.
const NEWEST: usize = 100;
/// Players who speak `quizhall.v1` receive all names of lobbies up to this size, and the newest few of larger ones.
const NAMED_LOBBY: usize = 100;
const NEWEST_FEW: usize = 20;
/// Answers per part of a big review.
const REVIEW_PART: usize = 1_000;

/// `lobby_update`: all players present, or the newest of a big lobby with the total.
pub fn lobby_update(state: &State) -> Frames {
    let list = lobby_list(state, Recipient::Plain);
    if is_lobby_named(state) {
        return Frames::shared(list);
    }
    Frames::for_players(lobby_list(state, Recipient::Player), list)
}

/// The same for one recipient.
pub(crate) fn lobby_list(state: &State, recipient: Recipient) -> Bytes {
    let present = state.present_count();
    let left_out = match recipient {
        Recipient::Player if !is_lobby_named(state) => present - NEWEST_FEW,
        _ if present > WHOLE_LOBBY => present - NEWEST,
        _ => 0,
    };
    let players = state.lobby().skip(left_out).map(lobby_player).collect();
    let total = (left_out > 0).then(|| count(present));
    frame::text(&ToAll::LobbyUpdate(LobbyUpdate { players, total }))
}

/// Whether players who speak `quizhall.v1` receive the name of each player present.
pub(crate) fn is_lobby_named(state: &State) -> bool {
    state.present_count() <= NAMED_LOBBY
}

/// `lobby_changed`: which of these players are present and which are not, in a lobby whose names are sent, and the number of players.
pub fn lobby_changed(state: &State, changed: &BTreeSet<PlayerId>) -> Bytes {
    let named = changed.iter().filter(|_| is_lobby_named(state));
    let is_present = |player: &PlayerId| state.player(*player).is_some_and(|player| player.present);
    let left = named.filter(|player| !is_present(player)).map(|player| player.uuid()).collect();
    let joined = state.lobby().filter(|player| is_lobby_named(state) && changed.contains(&player.id));
    frame::text(&ToPlayer::LobbyChanged(LobbyChanged {
        joined: joined.map(lobby_player).collect(),
        left,
        total: count(state.present_count()),
    }))
}

pub(super) fn lobby_player(player: &quizhall_rules::Player) -> Player {
    Player { id: player.id.uuid(), display_name: player.display_name.as_str().to_owned() }
}

/// `game_started`.
pub fn game_started() -> Frames {
    for_all(&ToAll::GameStarted)
}

/// `question_released`, built field by field from data that players may know. A type that the interface lacks is sent to plain
/// sockets as the type that is answered in the same way. Sockets of the extension also receive the key of its picture or sound.
pub fn question_released(state: &State, question: &quizhall_rules::Question) -> Frames {
    let choices = (!question.choices.is_empty()).then(|| question.choices.clone());
    let of_kind = |kind| Question {
        choices: choices.clone(),
        ..Question::new(question.id.uuid(), kind, &question.text, question.points)
    };
    let frame = |released| frame::text(&ToAll::QuestionReleased(QuestionReleased { question: released }));
    let media = released_media(state, question);
    let speed_points = state.counts_speed(question.id);
    let plain = match question.kind {
        QuestionKind::Text | QuestionKind::MultipleChoice | QuestionKind::TrueFalse | QuestionKind::Numeric => {
            if media.is_none() && !speed_points {
                return Frames::shared(frame(of_kind(question.kind)));
            }
            of_kind(question.kind)
        }
        QuestionKind::MultiSelect | QuestionKind::Order => {
            Question { text: with_lettered_choices(question), choices: None, ..of_kind(QuestionKind::Text) }
        }
        QuestionKind::Poll => of_kind(QuestionKind::MultipleChoice),
        QuestionKind::WordCloud => of_kind(QuestionKind::Text),
        QuestionKind::Nearest => of_kind(QuestionKind::Numeric),
    };
    Frames::each(frame(plain), frame(Question { media, speed_points, ..of_kind(question.kind) }))
}

/// The text with its choices below, each after the letter by which an answer may name it.
fn with_lettered_choices(question: &quizhall_rules::Question) -> String {
    let letters = (0..).map_while(choice::letter);
    let lines = letters.zip(&question.choices).map(|(letter, choice)| format!("\n{letter}: {choice}"));
    format!("{}\n{}", question.text, lines.collect::<String>())
}

/// The picture or the sound of a question that is released; `None` when it has none.
pub(super) fn released_media(state: &State, question: &quizhall_rules::Question) -> Option<ReleasedMedia> {
    let copy = copy_for(state, question)?;
    Some(ReleasedMedia {
        name: hex::encode(copy.name),
        key: hex::encode(copy.key),
        kind: copy.media.kind,
        media_type: copy.media.media_type.clone().unwrap_or_default(),
        bytes: u32::try_from(copy.bytes).unwrap_or(u32::MAX),
        alt: copy.media.alt.clone(),
        game_id: Some(state.game().uuid()),
        width: copy.media.width,
        height: copy.media.height,
    })
}

/// The copies of pictures and sounds that come soon; `None` when there are none.
pub(crate) fn media_preload(state: &State) -> Option<MediaPreload> {
    let items: Vec<_> = copies_ahead(state)
        .iter()
        .map(|copy| MediaItem { name: hex::encode(copy.name), bytes: copy.sent_bytes() })
        .collect();
    let game_id = state.game().uuid();
    (!items.is_empty()).then_some(MediaPreload { game_id, items })
}

/// `round_ended`.
pub fn round_ended() -> Frames {
    for_all(&ToAll::RoundEnded)
}

/// The host's `scoreboard_update`.
pub fn answer_count(state: &State, question: QuestionId) -> Bytes {
    let answer_count = u32::try_from(state.answer_count(question)).unwrap_or(u32::MAX);
    frame::text(&ToHost::ScoreboardUpdate(AnswerCount { question_id: question.uuid(), answer_count }))
}

/// `round_review`, in parts when it is large.
pub fn round_review(state: &State, dialect: Dialect) -> Vec<Bytes> {
    let answers: Vec<ReviewAnswer> = state.review().map(|entry| review_answer(&entry, dialect)).collect();
    if answers.len() <= REVIEW_PART {
        return vec![frame::text(&ToHost::RoundReview(RoundReview { answers, part: None, parts: None }))];
    }
    let parts = u32::try_from(answers.len().div_ceil(REVIEW_PART)).unwrap_or(u32::MAX);
    (1..)
        .zip(answers.chunks(REVIEW_PART))
        .map(|(part, answers)| RoundReview { answers: answers.to_vec(), part: Some(part), parts: Some(parts) })
        .map(|review| frame::text(&ToHost::RoundReview(review)))
        .collect()
}

pub(crate) fn review_answer(entry: &ReviewEntry<'_>, dialect: Dialect) -> ReviewAnswer {
    let ReviewEntry { player, question, answer } = entry;
    let is_extension = dialect == Dialect::QuizhallV1;
    ReviewAnswer {
        player_id: player.id.uuid(),
        display_name: player.display_name.as_str().to_owned(),
        question_id: question.id.uuid(),
        answer: answer.text.as_ref().to_owned(),
        correct: answer.correct(),
        near_miss: answer.near_miss,
        partial_points: if is_extension { answer.partial_points() } else { 0 },
        elapsed_ms: answer.elapsed.filter(|_| is_extension),
        ruled: is_extension && answer.is_ruled(),
    }
}

/// `override_applied`.
pub fn override_applied(player: PlayerId, question: QuestionId, correct: bool) -> Bytes {
    let applied = OverrideApplied { player_id: player.uuid(), question_id: question.uuid(), correct };
    frame::text(&ToHost::OverrideApplied(applied))
}

/// `answer_accepted`: the same bytes whether the answer is right or wrong.
pub fn answer_accepted(question: QuestionId) -> Bytes {
    frame::text(&ToPlayer::AnswerAccepted(AnswerAccepted { question_id: question.uuid() }))
}

/// The part of the scores that a player receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scores {
    /// `round_scores` and `scoreboard_update`.
    Whole,
    /// `round_scores`, because the standings are held.
    Own,
    /// `scoreboard_update`, because the standings were held and are shown now.
    Standings,
}

impl Scores {
    /// What players receive from whom the standings were kept, once they are shown.
    pub fn after_hold(state: &State) -> Self {
        if state.are_phones_after_screen() { Self::Whole } else { Self::Standings }
    }

    /// The part that players receive when marks were corrected, if any: as much as they have been shown of the scores.
    pub fn corrected(state: &State) -> Option<Self> {
        let is_shown = state.phase() == Phase::Leaderboard;
        match (state.are_standings_held(), state.are_phones_after_screen()) {
            (false, _) => is_shown.then_some(Self::Whole),
            (true, phones_wait) => (is_shown && !phones_wait).then_some(Self::Own),
        }
    }

    /// The part of it that a player of the extension may receive now. Scores are rendered when they are sent, and the same frame
    /// may have brought those of a later round, whose standings are held.
    pub fn within_hold(self, state: &State) -> Option<Self> {
        match (state.are_standings_held(), self) {
            (false, part) => Some(part),
            (true, Self::Standings) => None,
            (true, Self::Whole | Self::Own) => (!state.are_phones_after_screen()).then_some(Self::Own),
        }
    }

    /// The part that players receive when a tie-break has ordered equal players, if any.
    pub fn reordered(state: &State) -> Option<Self> {
        (!state.are_standings_held()).then_some(Self::Standings)
    }
}

/// The messages that one player receives with released scores, as one run of frames.
pub fn scores_of(state: &State, boards: &Boards, (player, dialect): (PlayerId, Dialect), part: Scores) -> Bytes {
    match part {
        Scores::Own => round_scores(state, player, dialect),
        Scores::Standings => boards.frame_for(state, player, dialect),
        Scores::Whole => {
            let (scores, board) = (round_scores(state, player, dialect), boards.frame_for(state, player, dialect));
            let mut run = Vec::with_capacity(scores.len() + board.len());
            run.extend_from_slice(&scores);
            run.extend_from_slice(&board);
            Bytes::from(run)
        }
    }
}

/// `round_scores`.
pub fn round_scores(state: &State, player: PlayerId, dialect: Dialect) -> Bytes {
    let is_extension = dialect == Dialect::QuizhallV1;
    let round = state.results_of(player);
    let results = round
        .results
        .iter()
        .map(|result| QuestionResult {
            question_id: result.question.id.uuid(),
            question: result.question.text.clone(),
            your_answer: result.answer.to_owned(),
            correct_answer: result.question.shown_key(),
            correct: result.correct,
            points: result.earned.points,
            streak_points: if is_extension { result.earned.for_streak } else { 0 },
            speed_points: if is_extension { result.earned.for_speed } else { 0 },
            joker_points: if is_extension { result.earned.for_joker } else { 0 },
        })
        .collect();
    let by_hand = round.adjustments.iter().filter(|_| is_extension).map(|adjustment| PointsByHand {
        points: adjustment.points,
        reason: adjustment.reason.as_deref().map(str::to_owned),
    });
    let (adjustments, round_total) = (by_hand.collect(), round.round_total);
    frame::text(&ToPlayer::RoundScores(RoundScores { results, adjustments, round_total }))
}

/// The co-host who gave points by hand; none when the host did.
pub fn given_by(state: &State, adjustment: &Adjustment) -> Option<String> {
    state.co_hosts().label(adjustment.by).map(|label| label.as_str().to_owned())
}

/// A message that is the same in both dialects.
fn for_all(message: &ToAll) -> Frames {
    Frames::shared(frame::text(message))
}
