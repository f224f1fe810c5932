//! Random games: a row of a bundle gets the verdict of the single command in the same state, and applying a bundle gives the state
//! of the events that it expands to, also after the erasure of a player.

use std::collections::BTreeSet;

use quizhall_rules::{
    Actor, AnswerText, Answers, Bundle, BundleRow, Change, Command, CommandId, Device, Erasure, Event, Join,
    MarkedText, Moment, Origin, PlayOptions, PlayerId, QuestionKind, Quiz, Refusal, Rows, SentRow, State, Taking,
    TeamCode, Teams, decide, erase,
};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::stage::{
    Game, accept, add_seat, command_id, join, mark_all, overrule, player, question, quiz, release, submit,
};
use crate::teams::{phone, suggest};

const GAMES: u64 = 400;
const STEPS: usize = 60;
const PLAYERS: u8 = 8;
/// The epoch of all sessions, single ones included.
const EPOCH: u64 = 3;
const TEXTS: [&str; 6] = ["right", "RIGHT!", "rihgt", "wrong", "one\ntwo", "Zürich"];

#[test]
fn a_bundle_is_its_answers() {
    let only = std::env::var("QUIZHALL_SEED").ok().map(|seed| seed.parse::<u64>().unwrap());
    let seeds = only.map_or(0..GAMES, |seed| seed..seed + 1);
    let mut found = BTreeSet::new();
    for seed in seeds {
        Table::new(seed).play(&mut found);
    }
    if only.is_none() {
        let refusals = [
            Refusal::Closed,
            Refusal::Superseded,
            Refusal::WrongPhase,
            Refusal::UnknownPlayer,
            Refusal::UnknownQuestion,
        ];
        let expected = refusals.map(|refusal| format!("{refusal:?}")).into_iter();
        let facts =
            ["stored", "done", "left out", "replaced", "closes soon", "timed", "time is over", "ruled", "erased"];
        let missing: Vec<_> = expected.chain(facts.map(str::to_owned)).filter(|fact| !found.contains(fact)).collect();
        assert!(missing.is_empty(), "never happened: {missing:?}");
    }
}

struct Table {
    seed: u64,
    random: StdRng,
    game: Game,
    /// Each bundle with the place of its first event in the log, and their number.
    bundles: Vec<(usize, usize, Bundle)>,
}

fn options(random: &mut StdRng) -> PlayOptions {
    let captain_only = random.random_bool(0.5);
    PlayOptions {
        close_when_answered: random.random_bool(0.5),
        teams: random.random_bool(0.3).then_some(Teams { devices: 3, captain_only }),
        ..PlayOptions::default()
    }
}

/// Two rounds of three questions, some of them with choices, some with time limits.
fn asked(random: &mut StdRng) -> Quiz {
    let mut quiz = quiz(2, 3);
    for round in &mut quiz.rounds {
        (round.speed_points, round.half_points) = (random.random_bool(0.5), random.random_bool(0.5));
        for asked in &mut round.questions {
            asked.time_limit = random.random_bool(0.5).then_some(30);
        }
        let several = &mut round.questions[1];
        several.kind = QuestionKind::MultiSelect;
        several.choices = ["one", "two", "three"].map(str::to_owned).to_vec();
        several.accepted = several.choices[..2].to_vec();
    }
    quiz
}

impl Table {
    fn new(seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let options = options(&mut random);
        let mut game = Game::with(asked(&mut random), options);
        let team = options.teams.map(|_| TeamCode::parse("AB24").unwrap());
        game.service(Command::Join(Join { team, ..join(1, "Larks") }.into()));
        for number in 2..=PLAYERS {
            game.joins(number, &format!("Player {number}"));
        }
        if team.is_some() {
            game.service(phone(1, "Cem"));
            game.service(phone(2, "Dov"));
        }
        game.host(Command::StartGame);
        Self { seed, random, game, bundles: Vec::new() }
    }

    fn play(mut self, found: &mut BTreeSet<String>) {
        for _ in 0..STEPS {
            self.game.now = Moment(self.game.now.0 + self.random.random_range(0..4_000));
            match self.random.random_range(0..10) {
                0..4 => self.step(),
                4..7 => self.take(found),
                _ => self.apply_any(),
            }
        }
        self.erase(found);
    }

    /// Erases a player from the log with the bundles, and from the one with the events that they stand for.
    fn erase(mut self, found: &mut BTreeSet<String>) {
        let (mut single, mut bundled) = (self.game.log.clone(), self.game.log.clone());
        for (first, count, bundle) in self.bundles.into_iter().rev() {
            bundled.splice(first..first + count, [Event::new(Change::Answers(bundle.into()), None)]);
        }
        let erasure = Erasure { player: player(self.random.random_range(1..=PLAYERS)), answers: true };
        let changed = erase(&mut bundled, erasure).unwrap();
        found.extend(changed.iter().any(|place| bundled[*place].change.weight() > 1).then(|| "erased".to_owned()));
        erase(&mut single, erasure).unwrap();
        same(&State::replay(&bundled).unwrap(), &State::replay(&single).unwrap(), self.seed);
        assert_eq!(erase(&mut bundled, erasure), Some(Vec::new()), "seed {}: once is enough", self.seed);
    }

    /// Something else than a bundle happens; it may be refused.
    fn step(&mut self) {
        let (who, asked) = (self.random.random_range(1..=PLAYERS), self.random.random_range(1..=6));
        let text = *TEXTS.choose(&mut self.random).unwrap();
        let (of_host, of_service) = (|command| (Actor::Host, command), |command| (Actor::Service, command));
        let (actor, command) = match self.random.random_range(0..80) {
            0..18 => of_host(release(asked)),
            18..30 => (Actor::Player(player(who)), submit(asked, text)),
            30..35 => of_host(accept(asked, text, self.random.random_bool(0.5))),
            35..40 => of_host(overrule(who, asked, true)),
            40..43 => of_host(mark_all(asked, &[text], true)),
            43..48 => of_service(Command::Leave { player: player(who), device: Device::FIRST }),
            48..53 => of_service(Command::Return { player: player(who), device: Device::FIRST }),
            53..56 => of_host(Command::Remove { player: player(who) }),
            56..61 => of_host(Command::SetExtraTime { player: player(who), percent: 150 }),
            61..68 => match self.game.state.expiries().min_by_key(|(at, _)| *at) {
                Some((at, expiry)) => {
                    self.game.now = self.game.now.max(at);
                    of_service(Command::Expire(expiry))
                }
                None => return,
            },
            68..71 => of_host(Command::CloseQuestion { question: question(asked) }),
            71..74 => (Actor::Device(player(1), Device(1)), suggest(asked, text)),
            74 => (Actor::Device(player(1), Device(2)), submit(asked, text)),
            75 => of_host(add_seat("Zoe")),
            76 => of_host(Command::EndRound),
            77 => of_host(Command::ReleaseScores),
            78 => of_host(Command::StartNextRound),
            _ if self.random.random_bool(0.1) => of_service(Command::Close),
            _ => of_host(Command::UndoMarking),
        };
        let id = actor.as_player().map(|_| self.id());
        let _ = self.game.decided_with_id(actor, id, &command);
    }

    fn id(&mut self) -> CommandId {
        let (session, number) = (self.random.random_range(1..4), self.random.random_range(1..20));
        command_id(CommandId::session_of(EPOCH, session), number)
    }

    fn texts(&mut self) -> Vec<&'static str> {
        let count = self.random.random_range(1..=TEXTS.len());
        TEXTS.sample(&mut self.random, count).copied().collect()
    }

    /// Slots beyond the last player, too.
    fn rows(&mut self, texts: usize) -> Vec<BundleRow> {
        let count = self.random.random_range(0..14);
        let row = |_| {
            let sent = SentRow {
                session: self.random.random_range(1..4),
                number: self.random.random_range(1..20),
                text: u32::try_from(self.random.random_range(0..texts)).unwrap(),
                elapsed: self.random.random_bool(0.5).then(|| self.random.random_range(0..40_000)),
            };
            BundleRow { slot: self.random.random_range(0..u32::from(PLAYERS) + 2), sent }
        };
        (0..count).map(row).collect()
    }

    /// Takes a bundle row by row, and decides the same commands one by one.
    fn take(&mut self, found: &mut BTreeSet<String>) {
        let (asked, texts) = (question(self.random.random_range(1..=6)), self.texts());
        let texts: Vec<AnswerText> = texts.iter().map(|text| AnswerText::parse(text).unwrap()).collect();
        let (rows, now, seed) = (self.rows(texts.len()), self.game.now, self.seed);
        let (before, mut single) = (self.game.state.clone(), self.game.state.clone());
        let mut events = Vec::new();
        let mut taking =
            Taking::of(&mut self.game.state, Answers { question: asked, epoch: EPOCH, texts: &texts }, now);
        for BundleRow { slot, sent } in rows {
            let command_id = Some(sent.command_id(EPOCH));
            let origin = Origin { actor: Actor::Player(id_of(&single, slot)), command_id, at: now };
            let answer = texts[sent.text as usize].clone();
            let command = Command::SubmitAnswer { question: asked, answer, elapsed: sent.elapsed };
            let (alone, of_row) = (decide(&single, origin, &command), taking.decide(slot, &sent));
            assert_eq!(alone.as_ref().map(Option::is_some), of_row.as_ref().map(Option::is_some), "seed {seed}");
            found.insert(match &of_row {
                Ok(Some(_)) => "stored".to_owned(),
                Ok(None) => "done".to_owned(),
                Err(refusal) => format!("{refusal:?}"),
            });
            let (Ok(Some(event)), Ok(Some(decided))) = (alone, of_row) else { continue };
            // The owner may have a reason of its own.
            if self.random.random_bool(0.1) {
                found.insert("left out".to_owned());
                continue;
            }
            note(&single, (slot, decided), &event, found);
            single.apply_at(&event, now);
            events.push(event);
            taking.store(slot, decided);
        }
        let Some(bundle) = taking.finish() else {
            assert!(events.is_empty(), "seed {seed}");
            return same(&self.game.state, &before, seed);
        };
        let is_closing = |state: &State| state.expiries().any(|(_, expiry)| expiry.question == Some(asked));
        found.extend((!is_closing(&before) && is_closing(&single)).then(|| "closes soon".to_owned()));
        found.extend(single.has_stages().then(|| "time is over".to_owned()));
        found.extend(before.all_answers().any(|past| past.answer.by_ruling().is_some()).then(|| "ruled".to_owned()));
        assert!(bundle.expand(&single).eq(events.iter().cloned()), "seed {seed}");
        same(&self.game.state, &single, seed);
        let read: Bundle = serde_json::from_str(&serde_json::to_string(&bundle).unwrap()).unwrap();
        assert!(read == bundle, "seed {seed}");
        let mut replica = before;
        replica.apply_at(&Event::new(Change::Answers(read.into()), None), now);
        same(&replica, &single, seed);
        self.bundles.push((self.game.log.len(), events.len(), bundle));
        self.game.log.extend(events);
    }

    /// Applies a bundle that no owner of this game would write, and the events that it expands to. The game goes on without it.
    fn apply_any(&mut self) {
        let (asked, texts, now) = (question(self.random.random_range(1..=7)), self.texts(), self.game.now);
        // Some rows name no text.
        let mut rows = self.rows(texts.len() + 1);
        rows.truncate(self.random.random_range(0..14));
        let of_text = |text: &&str| MarkedText {
            text: (*text).into(),
            correct: text.starts_with('r'),
            near_miss: text.starts_with('Z'),
            partial: u32::from(text.starts_with('o')),
        };
        let texts = texts.iter().map(of_text).collect();
        let bundle = Bundle { question: asked, epoch: EPOCH, texts, rows: Rows(rows) };
        let (mut at_once, mut one_by_one) = (self.game.state.clone(), self.game.state.clone());
        for event in bundle.expand(&self.game.state) {
            one_by_one.apply_at(&event, now);
        }
        at_once.apply_at(&Event::new(Change::Answers(bundle.into()), None), now);
        same(&at_once, &one_by_one, self.seed);
    }
}

/// The player of a slot; one that no game has for a slot without a player.
fn id_of(state: &State, slot: u32) -> PlayerId {
    state.all_players().nth(slot as usize).map_or(player(99), |known| known.id)
}

fn note(state: &State, (slot, decided): (u32, SentRow), event: &Event, found: &mut BTreeSet<String>) {
    let Change::Answered { question, .. } = event.change else { panic!("not an answer") };
    let has_answer = state.answer_of(id_of(state, slot), question).is_some();
    found.extend(has_answer.then(|| "replaced".to_owned()));
    found.extend(decided.elapsed.map(|_| "timed".to_owned()));
}

/// Also what states do not compare: moments of this process, and what a snapshot holds.
fn same(one: &State, other: &State, seed: u64) {
    assert!(one == other, "seed {seed}: the states differ");
    assert!(one.expiries().eq(other.expiries()), "seed {seed}: questions close at other moments");
    assert_eq!(serde_json::to_string(one).unwrap(), serde_json::to_string(other).unwrap(), "seed {seed}");
    let waits = |state: &State| (1..=6).map(|number| state.waits_for(question(number))).collect::<Vec<_>>();
    assert_eq!(waits(one), waits(other), "seed {seed}");
}

#[test]
fn a_row_that_names_no_text_is_refused() {
    let mut game = Game::of_two();
    game.host(Command::StartGame);
    game.host(release(1));
    let texts = [AnswerText::parse("right").unwrap()];
    let mut taking =
        Taking::of(&mut game.state, Answers { question: question(1), epoch: EPOCH, texts: &texts }, game.now);
    let row = SentRow { session: 1, number: 1, text: 1, elapsed: None };
    assert_eq!(taking.decide(0, &row), Err(Refusal::UnknownQuestion));
    taking.store(0, row);
    assert!(taking.finish().is_none() && game.state.answer_count(question(1)) == 0);
}

#[test]
fn rows_are_written_as_numbers() {
    let sent = SentRow { session: 1, number: 127, text: 128, elapsed: None };
    let largest = SentRow { session: u32::MAX, number: u32::MAX, text: u32::MAX, elapsed: Some(u32::MAX) };
    let rows = Rows(vec![BundleRow { slot: 300, sent }, BundleRow { slot: 0, sent: largest }]);
    let text = serde_json::to_string(&rows).unwrap();
    assert_eq!(text, r#""rAIBf4ABAAD/////D/////8P/////w+AgICAEA""#);
    let read = |text: &str| serde_json::from_str::<Rows<BundleRow>>(text);
    assert_eq!(read(&text).unwrap(), rows);
    assert_eq!(read(r#""""#).unwrap(), Rows(Vec::new()));
    // Half of a row, a number of six bytes, one above the largest, no base64, no text.
    for wrong in [r#""rAIBf4AB""#, r#""gICAgIABAQEBAQ""#, r#""/////x8BAQEB""#, r#""=""#, "7"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
