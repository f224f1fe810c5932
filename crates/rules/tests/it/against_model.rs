//! Plays random games with the crate and with the reference model, and compares both after every step.
//!
//! A failure prints its seed; `QUIZHALL_SEED=<seed>` plays that one game again, `QUIZHALL_GAMES=<count>` plays more.

mod choosing;
mod seen;

use quizhall_rules::{Change, Command, Event, State, Teams};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::model::{Model, Rules};
use crate::side_by_side::{Mark, What, Who, actor, command_at, difference};
use crate::stage::{Game, command_id, question, quiz};
use seen::Seen;

const GAMES: u64 = 10_000;
const PLAYERS: u8 = 5;
/// How many commands are still tried after the end of a game.
const AFTERMATH: usize = 15;
const LONGEST_GAME: usize = 200;

#[test]
fn random_games_agree_with_the_model() {
    let number = |name: &str| std::env::var(name).ok().map(|value| value.parse::<u64>().expect(name));
    let only = number("QUIZHALL_SEED");
    let games = number("QUIZHALL_GAMES").unwrap_or(if only.is_some() { 1 } else { GAMES });
    let first = only.unwrap_or(0);
    let mut found = Seen::default();
    for seed in first..first + games {
        Table::new(seed).play(&mut found);
    }
    if games >= GAMES {
        found.check();
    }
}

fn option(rules: Rules) -> Teams {
    Teams { devices: u8::try_from(rules.phones).unwrap(), captain_only: rules.captain_only }
}

struct Table {
    seed: u64,
    random: StdRng,
    questions: u8,
    game: Game,
    model: Model,
    /// The commands so far, for the report of a failure.
    said: Vec<(Who, Option<Mark>, What)>,
}

impl Table {
    fn new(seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let (rounds, per_round) = (random.random_range(1..=3), random.random_range(1..=3));
        let streaks = random.random_bool(0.5);
        let mut quiz = quiz(rounds, per_round);
        let counts_speed = random.random_bool(0.4);
        for round in &mut quiz.rounds {
            (round.streaks, round.speed_points) = (streaks, counts_speed);
            round.questions.iter_mut().for_each(|asked| asked.time_limit = counts_speed.then_some(30));
        }
        let jokers = random.random_bool(0.5);
        let wrong = if random.random_bool(0.5) { 0 } else { -50 };
        quiz.rounds.iter_mut().for_each(|round| (round.joker, round.wrong_points) = (jokers, wrong));
        let halves = random.random_bool(0.5);
        quiz.rounds.iter_mut().for_each(|round| round.half_points = halves);
        let teams = random
            .random_bool(0.4)
            .then(|| Rules { phones: random.random_range(2..=4), captain_only: random.random_bool(0.4) });
        let mut model = Model::new(rounds, per_round, streaks);
        model.teams = teams;
        (model.speed.counts, model.jokers, model.wrong, model.halves) = (counts_speed, jokers, wrong.into(), halves);
        Self {
            seed,
            questions: rounds * per_round,
            random,
            game: Game::with_teams(quiz, teams.map(option)),
            model,
            said: Vec::new(),
        }
    }

    fn play(&mut self, seen: &mut Seen) {
        let steps = self.random.random_range(1..=LONGEST_GAME);
        let mut aftermath = AFTERMATH;
        while self.said.len() < steps && aftermath > 0 {
            aftermath -= usize::from(self.model.closed || self.model.phase == "ended");
            let (who, what) = self.pick();
            let mark = self.mark();
            self.said.push((who, mark, what));
            let undoable = self.model.undoable();
            let had_break = self.model.pause.is_some();
            let verdict = self.step(who, mark, what);
            if what == What::Undo && verdict == Ok(true) {
                seen.undone[0] += 1;
                seen.undone[1] += usize::from(undoable > 1);
            }
            if verdict == Ok(true) {
                let kind = self.game.log.last().map_or("", |event| event.change.kind());
                let accepts = matches!(what, What::Accept(..));
                seen.keys[0] += usize::from(accepts);
                seen.keys[1] += usize::from(accepts && self.model.phase == "question");
                let corrects = matches!(what, What::Correct(..));
                seen.corrected[0] += usize::from(corrects);
                seen.corrected[1] += usize::from(corrects && self.model.phase != "leaderboard");
                seen.adjusted[0] += usize::from(matches!(what, What::Adjust(..)));
                seen.adjusted[1] += usize::from(matches!(what, What::UndoAdjust(_)));
                seen.mended[0] += usize::from(matches!(what, What::Edit(..)));
                seen.mended[1] += usize::from(matches!(what, What::Withdraw(_)));
                seen.mended[2] += usize::from(matches!(what, What::Rename(..)));
                seen.paper[0] += usize::from(matches!(what, What::Seat(..)));
                seen.paper[1] += usize::from(matches!(what, What::Enter(..)) && self.model.phase == "question");
                seen.paper[2] += usize::from(matches!(what, What::Enter(..)) && self.model.phase != "question");
                seen.appeals[0] += usize::from(matches!(what, What::Credit(..)));
                seen.appeals[1] += usize::from(matches!(what, What::Appeal(_)));
                seen.appeals[2] += usize::from(matches!(what, What::Dismiss(..)));
                seen.jokers[usize::from(self.model.phase != "lobby")] += usize::from(what == What::Joker);
                seen.between[0] += usize::from(matches!(what, What::Reveal(_)));
                seen.between[1] += usize::from(matches!(what, What::Break(_)));
                seen.between[2] += usize::from(had_break && what == What::TimeOver(None));
                seen.timed[0] += usize::from(matches!(what, What::TimeOver(Some(_))) && kind != "time_over");
                seen.timed[1] += usize::from(what == What::TimeOver(None) && kind != "time_over");
                seen.stages += usize::from(kind == "time_over");
                seen.timed[3] += usize::from(matches!(what, What::ExtraTime(..)));
                seen.timed[2] += usize::from(matches!(what, What::SetTimer(..) | What::AddTime(..) | What::Hold(_)));
            }
            seen.shown += usize::from(what == What::Show && verdict == Ok(true));
            if verdict == Ok(true) {
                seen.note_of_team(who, what);
            }
            *seen.verdicts.entry(format!("{verdict:?}")).or_default() += 1;
        }
        seen.steps += self.said.len();
        seen.ended += usize::from(self.model.phase == "ended");
        seen.late_rounds += usize::from(self.model.round > 0);
        let replayed = State::replay(&self.game.log).unwrap();
        assert!(replayed == self.game.state, "replay differs: {}", self.story());
        if self.seed.is_multiple_of(8) {
            self.compare_snapshots();
        }
    }

    /// A state that was written and read in the middle of the game, followed by the rest of the log, equals the replay of the whole
    /// log.
    fn compare_snapshots(&self) {
        let log = &self.game.log;
        for cut in [1, log.len() / 3, log.len() * 2 / 3, log.len()].map(|cut| cut.max(1)) {
            let state = State::replay(&log[..cut]).unwrap();
            let text = serde_json::to_string(&state).unwrap();
            let mut read: State = serde_json::from_str(&text).unwrap();
            assert!(read == state, "a state read back differs after {cut} events: {}", self.story());
            for event in &log[cut..] {
                read.apply(event);
            }
            assert!(read == self.game.state, "it continues differently after {cut} events: {}", self.story());
        }
    }

    fn step(&mut self, who: Who, mark: Option<Mark>, what: What) -> Result<bool, &'static str> {
        let passed = self.random.random_range(0..4_000);
        self.game.now.0 += passed;
        self.model.pass(passed);
        let (actor, mut command) = (actor(who), command_at(&self.game.state, what));
        self.prepare_for_speed(what, &mut command);
        let command_id = mark.map(|(session, number)| command_id(session, number));
        let before: Vec<usize> = self.counts();
        let phase = self.game.state.phase();
        let verdict = self.game.decided_with_id(actor, command_id, &command);
        let expected = self.model.ask(who, mark, what);
        let found = verdict.as_ref().map(Option::is_some).map_err(|refusal| format!("{refusal:?}"));
        assert!(found == expected.map_err(String::from), "found {found:?}, expected {expected:?}: {}", self.story());
        let difference = difference(&self.game.state, &self.model, PLAYERS, self.questions);
        assert!(difference.is_none(), "different: {difference:?}: {}", self.story());
        if let Ok(Some(event)) = verdict {
            if who != Who::Service && command_id.is_some() {
                let again = self.game.decided_with_id(actor, command_id, &command);
                assert!(again == Ok(None), "a resend gave {again:?}: {}", self.story());
            }
            let new_round = event.change == Change::NextRoundStarted;
            let fewer =
                matches!(event.change, Change::PlayerRemoved { .. } | Change::MarkingUndone { of: None }) || new_round;
            let monotone = before.iter().zip(self.counts()).all(|(before, now)| *before <= now);
            assert!(fewer || monotone, "a count went down: {}", self.story());
            let order = phase as u8 + u8::from(phase != self.game.state.phase());
            assert!(new_round || self.game.state.phase() as u8 == order, "a phase was skipped: {}", self.story());
        }
        expected
    }

    /// As the owner does: an answer has the time that its edge measured, and the time left is stored before it is changed.
    fn prepare_for_speed(&mut self, what: What, command: &mut Command) {
        if let Command::SubmitAnswer { elapsed, .. } = command {
            *elapsed = self.random.random_bool(0.7).then(|| self.random.random_range(0..20_000));
            self.model.speed.measured = *elapsed;
        }
        let (What::SetTimer(number, _) | What::AddTime(number, _)) = what else { return };
        if let Some(left) = self.game.state.unstated(number.map(question), self.game.now) {
            let event = Event::new(Change::TimerMark { left: vec![left], step: None }, None);
            self.game.state.apply_at(&event, self.game.now);
            self.game.log.push(event);
            self.model.state_time(number);
        }
    }

    fn counts(&self) -> Vec<usize> {
        (1..=self.questions).map(|number| self.game.state.answer_count(question(number))).collect()
    }

    fn story(&self) -> String {
        format!("QUIZHALL_SEED={} after {:?}", self.seed, self.said)
    }
}
