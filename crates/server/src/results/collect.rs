//! The results of a game, from its state: the standings, and the answers of every round played.
//!
//! Called by the handlers of results and by the export of a host. Pure: reads a state.

use quizhall_engine::wire::{appeals, given_by, options, tie_break_status};
use quizhall_protocol::http::results::{
    AdjustmentResult, AnswerResult, AppealResult, QuestionResults, Results, RoundResults,
};
use quizhall_protocol::shapes::LeaderboardEntry;
use quizhall_protocol::to_all::TieBreakStatus;
use quizhall_rules::{
    Adjustment, Appeal, MarkedBy, PastAnswer, Phase, Player, Question, QuestionId, Standing, State as GameState,
};

/// The results of a game.
pub struct Collected {
    /// The results.
    pub results: Results,
    /// Which of their rounds are scored.
    pub scored: Vec<bool>,
}

/// Collects the results of a game in this state.
pub fn collect(state: &GameState) -> Collected {
    let begun = if state.phase() == Phase::Lobby { 0 } else { state.round() + 1 };
    let mut rounds: Vec<RoundResults> = (0..begun)
        .map(|round| RoundResults {
            title: state.quiz().rounds.get(round).map(|round| round.title.clone()).unwrap_or_default(),
            section: state.section(round).as_ref().map(options::section),
            questions: state.asked_in(round).map(|asked| question(state, asked)).collect(),
            jokers: state.players().filter(|player| player.doubles(round)).map(|player| player.id.uuid()).collect(),
            adjustments: Vec::new(),
            tie_breaks: tie_breaks_of(state, round),
        })
        .collect();
    for past in state.all_answers() {
        if let Some(question) = rounds.get_mut(past.round).and_then(|round| find(round, past.question.id)) {
            question.answers.push(answer(state, &past));
        }
    }
    for appeal in state.players().flat_map(|player| state.appeals_of(player.id)) {
        if let Some(question) = rounds.iter_mut().find_map(|round| find(round, appeal.question)) {
            question.appeals.push(appealed(&appeal));
        }
    }
    for (player, adjustment) in state.adjustments() {
        if let Some(round) = rounds.get_mut(adjustment.round as usize) {
            round.adjustments.push(adjusted(state, player, adjustment));
        }
    }
    let results = Results {
        game_id: state.game().uuid(),
        game_code: state.code().to_owned(),
        title: state.quiz().title.clone(),
        phase: state.phase().as_str().to_owned(),
        leaderboard: state.board().standings.iter().map(entry).collect(),
        rounds,
        shared: None,
    };
    Collected { results, scored: (0..begun).map(|round| state.is_scored(round)).collect() }
}

fn tie_breaks_of(state: &GameState, round: usize) -> Vec<TieBreakStatus> {
    let of_round = state.tie_breaks().iter().filter(|tie_break| tie_break.round == round);
    of_round.map(|tie_break| tie_break_status(state, tie_break)).collect()
}

fn find(round: &mut RoundResults, id: QuestionId) -> Option<&mut QuestionResults> {
    round.questions.iter_mut().find(|question| question.question_id == id.uuid())
}

fn question(state: &GameState, (question, players): (&Question, usize)) -> QuestionResults {
    QuestionResults {
        question_id: question.id.uuid(),
        text: question.text.clone(),
        kind: question.kind.into(),
        correct_answer: question.shown_key(),
        points: question.points,
        players: u32::try_from(players).ok(),
        answers: Vec::new(),
        explanation: question.explanation.clone(),
        corrected: state.is_corrected(question.id),
        withdrawn: state.is_withdrawn(question.id),
        appeals: Vec::new(),
    }
}

fn adjusted(state: &GameState, player: &Player, adjustment: &Adjustment) -> AdjustmentResult {
    AdjustmentResult {
        adjustment_id: state.id_of(adjustment).uuid(),
        player_id: player.id.uuid(),
        display_name: player.display_name.as_str().to_owned(),
        points: adjustment.points,
        reason: adjustment.reason.as_deref().map(str::to_owned),
        given_by: given_by(state, adjustment),
    }
}

fn appealed(appeal: &Appeal<'_>) -> AppealResult {
    AppealResult {
        player_id: appeal.player.id.uuid(),
        display_name: appeal.player.display_name.as_str().to_owned(),
        text: appeal.text.map(str::to_owned),
        outcome: appeals::outcome(appeal.status),
    }
}

fn answer(state: &GameState, past: &PastAnswer<'_>) -> AnswerResult {
    let marker = Some(past.answer.marker).filter(|_| past.answer.is_overruled());
    AnswerResult {
        player_id: past.player.id.uuid(),
        display_name: past.player.display_name.as_str().to_owned(),
        answer: past.answer.text.as_ref().to_owned(),
        correct: past.answer.correct(),
        overridden: past.answer.is_overruled(),
        marker: marker.and_then(|device| state.co_hosts().label(device)).map(|label| label.as_str().to_owned()),
        by_changed_key: past.answer.marked_by() == MarkedBy::ChangedKey,
        points: past.earned.points,
        streak_points: past.earned.for_streak,
        speed_points: past.earned.for_speed,
        joker_points: past.earned.for_joker,
        elapsed_ms: past.answer.elapsed,
    }
}

pub(super) fn entry(standing: &Standing) -> LeaderboardEntry {
    LeaderboardEntry {
        player_id: standing.player.uuid(),
        display_name: standing.display_name.to_string(),
        score: standing.score,
        rank: standing.rank,
        round_score: Some(standing.round_score),
    }
}
