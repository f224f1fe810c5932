//! The crate's state and the reference model side by side: one small language for both, and the comparison.

use quizhall_rules::{
    Actor, AddDevice, AppealStatus, Command, Device, DeviceId, DisplayName, Expiry, GameId, Join, Moment, NewSeat,
    PlayerId, QuestionResult, Setting, State, TeamCode, TieBreak, TieQuestion, TimeLeft,
};
use uuid::Uuid;

use crate::model::{self, Model, Tie};
use crate::stage::{
    self, accept, adjust, correct_marks, credit, edit, enter, halve, halved, join, mark_all, overrule, question,
    release, submit, token, undo_adjustment,
};
use crate::teams::{device, suggest};

/// The sender of a command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Who {
    Host,
    Player(u8),
    /// A phone of a team, by its place after the first.
    Phone(u8, u8),
    Service,
}

/// A command. Players and questions are small numbers; question `n` is worth `n * 100` points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    Join {
        id: u8,
        name: &'static str,
        token: u8,
        key: Option<u8>,
        limit: usize,
        team: Option<u8>,
    },
    AddPhone {
        team: u8,
        phone: u8,
        name: &'static str,
        key: Option<u8>,
    },
    /// A player, and which phone.
    Leave(u8, u8),
    Return(u8, u8),
    Start,
    Release(u8),
    EndRound,
    Override(u8, u8, bool),
    MarkAll(u8, &'static [&'static str], bool),
    Halve(u8, &'static [&'static str]),
    Accept(u8, &'static str, bool),
    Correct(u8, &'static [&'static str], (bool, bool)),
    Credit(u8, &'static [u8], (bool, bool)),
    /// A player, and the points.
    Adjust(u8, i32),
    /// The number of the points by hand in the game.
    UndoAdjust(u32),
    Appeal(u8),
    Dismiss(u8, u8),
    Undo,
    Edit(u8, &'static str),
    Withdraw(u8),
    Rename(u8, &'static str),
    /// The name, and the most players of the game.
    Seat(&'static str, usize),
    Enter(u8, u8, &'static str),
    HostHere(bool),
    Scores,
    OwnScores,
    Show,
    Next,
    End,
    Submit(u8, &'static str),
    Suggest(u8, &'static str),
    Remove(u8),
    Lock(bool),
    /// For a question, or for the round; milliseconds.
    SetTimer(Option<u8>, u64),
    AddTime(Option<u8>, u64),
    Hold(bool),
    ExtraTime(u8, u16),
    /// The service has found a timer over.
    TimeOver(Option<u8>),
    Close,
    Reveal(u8),
    /// Milliseconds.
    Break(u64),
    EndBreak,
    Joker,
    Tie(&'static [u8], i64),
    TieAnswer(i64),
    EndTie,
}

/// From this number on, ids are those of players on paper, by the number of the seat.
pub const ON_PAPER: u8 = 100;

fn player(id: u8) -> PlayerId {
    let game = GameId::from(Uuid::from_u128(1));
    id.checked_sub(ON_PAPER).map_or_else(|| stage::player(id), |seat| PlayerId::on_paper(game, seat.into()))
}

/// Session and number of a message.
pub type Mark = (u64, u64);

/// The sender of such a command; `id` if it is a player.
pub fn speaker(what: What, id: u8) -> Who {
    match what {
        What::Join { .. }
        | What::AddPhone { .. }
        | What::Leave(..)
        | What::Return(..)
        | What::HostHere(_)
        | What::TimeOver(_)
        | What::Close => Who::Service,
        What::Submit(..) | What::Suggest(..) | What::Joker | What::Appeal(_) | What::TieAnswer(_) => Who::Player(id),
        _ => Who::Host,
    }
}

pub fn actor(who: Who) -> Actor {
    match who {
        Who::Host => Actor::Host,
        Who::Player(number) => Actor::Player(player(number)),
        Who::Phone(number, place) => Actor::player_over(player(number), Device(place)),
        Who::Service => Actor::Service,
    }
}

/// `state` gives the statement under which a timer runs.
pub fn command_at(state: &State, what: What) -> Command {
    let What::TimeOver(number) = what else { return command(what) };
    let of = number.map(question);
    let running = state.expiries().map(|(_, expiry)| expiry).find(|expiry| expiry.question == of);
    Command::Expire(running.unwrap_or(Expiry { question: of, generation: 0, is_step: false }))
}

pub fn command(what: What) -> Command {
    match what {
        What::Join { id, name, token: own, key, limit, team } => {
            let (token, idempotency) = (token(own), key.map(token));
            let (player_limit, team) = (u32::try_from(limit).unwrap(), team.map(numbered));
            Command::Join(Join { token, idempotency, player_limit, team, ..join(id, name) }.into())
        }
        What::AddPhone { team, phone, name, key } => {
            let (token, idempotency) = (token(200 + phone), key.map(token));
            let (team, display_name) = (numbered(team), DisplayName::parse(name).unwrap());
            Command::AddDevice(AddDevice { team, device: device(phone), display_name, token, idempotency }.into())
        }
        What::Leave(id, place) => Command::Leave { player: player(id), device: Device(place) },
        What::Return(id, place) => Command::Return { player: player(id), device: Device(place) },
        What::Start => Command::StartGame,
        What::Release(number) => release(number),
        What::EndRound => Command::EndRound,
        What::Override(id, number, correct) => overrule(id, number, correct),
        What::MarkAll(number, texts, correct) => mark_all(number, texts, correct),
        What::Halve(number, texts) => halve(number, texts),
        What::Accept(number, text, correct) => accept(number, text, correct),
        What::Correct(number, texts, (correct, false)) => correct_marks(number, texts, correct),
        What::Correct(number, texts, (correct, true)) => halved(correct_marks(number, texts, correct)),
        What::Credit(number, players, (correct, false)) => credit(number, players, correct),
        What::Credit(number, players, (correct, true)) => halved(credit(number, players, correct)),
        What::Adjust(id, points) => adjust(player(id), points),
        What::UndoAdjust(number) => undo_adjustment(number),
        What::Appeal(number) => Command::Appeal { question: question(number), text: None },
        What::Dismiss(id, number) => Command::DismissAppeal { player: player(id), question: question(number) },
        What::Undo => Command::UndoMarking,
        What::Edit(number, text) => edit(number, text),
        What::Withdraw(number) => Command::WithdrawQuestion { question: question(number) },
        What::Seat(name, limit) => {
            let player_limit = u32::try_from(limit).unwrap();
            Command::AddSeat(NewSeat { name: name.to_owned(), player_limit }.into())
        }
        What::Enter(id, number, answer) => enter(player(id), number, answer),
        What::Rename(id, name) => Command::RenamePlayer { player: player(id), name: name.to_owned() },
        What::HostHere(true) => Command::HostReturn,
        What::HostHere(false) => Command::HostLeave,
        What::Scores => Command::ReleaseScores,
        What::OwnScores => Command::ReleaseOwnScores,
        What::Show => Command::ShowStandings,
        What::Next => Command::StartNextRound,
        What::End => Command::EndGame,
        What::Submit(number, answer) => submit(number, answer),
        What::Suggest(number, answer) => suggest(number, answer),
        What::Remove(id) => Command::Remove { player: player(id) },
        What::Lock(locked) => Command::Set(Setting::Locked(locked)),
        What::SetTimer(number, ms) => Command::SetTimer(TimeLeft { question: number.map(question), ms }),
        What::AddTime(number, ms) => Command::AddTime(TimeLeft { question: number.map(question), ms }),
        What::Hold(held) => Command::HoldTimers { held },
        What::ExtraTime(id, percent) => Command::SetExtraTime { player: player(id), percent },
        What::TimeOver(number) => {
            Command::Expire(Expiry { question: number.map(question), generation: 0, is_step: false })
        }
        What::Close => Command::Close,
        What::Reveal(number) => Command::RevealAnswer { question: question(number) },
        What::Break(ms) => Command::StartBreak { ms, text: None },
        What::EndBreak => Command::EndBreak,
        What::Joker => Command::PlayJoker,
        What::Tie(asked, answer) => {
            let players = asked.iter().map(|id| player(*id)).collect();
            Command::TieBreak(TieQuestion { players, text: "How many?".into(), answer }.into())
        }
        What::TieAnswer(answer) => Command::AnswerTieBreak { answer },
        What::EndTie => Command::EndTieBreak,
    }
}

/// The code of a team with a number.
fn numbered(team: u8) -> TeamCode {
    TeamCode::parse(&format!("TM{team:02}")).unwrap()
}

/// The first visible difference, over players `1..=players` and questions `1..=questions`.
pub fn difference(state: &State, model: &Model, players: u8, questions: u8) -> Option<&'static str> {
    let checks = [
        ("phase", state.phase().as_str() == model.phase),
        ("round", state.round() == usize::from(model.round)),
        ("locks", (state.is_locked(), state.is_closed()) == (model.locked, model.closed)),
        (
            "host command_id",
            state.last_host_command(Device::FIRST).map(|command_id| (command_id.session, command_id.number))
                == model.host_last,
        ),
        ("host", state.is_host_present() == model.host_here),
        ("joker round", state.joker_round() == model.joker_round().map(u32::from)),
        ("tie-breaks", same_ties(state, model)),
        ("standings held", state.are_standings_held() == model.standings_held),
        ("timers", same_timers(state, model)),
        ("break", state.break_left(Moment(model.now)).map(|(ms, _)| ms) == model.pause),
        ("revealed", state.revealed().map(|shown| shown.question.id).eq(model.revealed.iter().map(|n| question(*n)))),
        ("closed", (1..=questions).all(|number| state.is_open(question(number)) == model.takes_answers(number))),
        ("waits for", (1..=questions).all(|number| state.waits_for(question(number)) == model.waits_for(number))),
        ("open for", (1..=players).all(|number| same_open(state, model, number, questions))),
        ("mended", (1..=questions).all(|number| same_mended(state, model, number))),
        ("undoable", state.undoable(None) == model.undoable()),
        ("players", same_players(state, model)),
        ("teams", model.players().all(|entry| same_team(state, entry))),
        ("phones of answers", state.review().map(|entry| entry.answer.by.0).eq(model.signed())),
        ("review", same_review(state, model)),
        ("questions", (1..=questions).all(|number| same_question(state, model, number))),
        ("board", same_board(state, model)),
        ("results", (1..=players).all(|number| same_results(state, model, number))),
        ("appeals", (1..=players).all(|number| same_appeals(state, model, number))),
        ("open appeals", state.open_appeals().count() == model.open_appeals().count()),
        ("answered", (1..=players).all(|number| same_answered(state, model, number))),
    ];
    checks.into_iter().find(|(_, same)| !same).map(|(name, _)| name)
}

fn same_ties(state: &State, model: &Model) -> bool {
    let same = |(found, expected): (&TieBreak, &Tie)| {
        let given = expected.given.iter().map(|(id, number)| (player(*id), *number)).collect();
        let places = expected.places.as_ref().map(|all| all.iter().map(|(id, place)| (player(*id), *place)).collect());
        found.players.iter().copied().eq(expected.asked.iter().map(|id| player(*id)))
            && (&found.answers, &found.places, found.answer) == (&given, &places, expected.answer)
    };
    state.tie_breaks().len() == model.ties.len() && state.tie_breaks().iter().zip(&model.ties).all(same)
}

fn same_mended(state: &State, model: &Model, number: u8) -> bool {
    let id = question(number);
    let found = (state.is_corrected(id), state.is_withdrawn(id));
    let text = state.question(id).map(|asked| asked.text.clone());
    found == (model.corrected.contains(&number), model.withdrawn.contains(&number))
        && text.is_none_or(|text| text == model.text_of(number))
}

fn same_timers(state: &State, model: &Model) -> bool {
    let left = |of: Option<u8>, ms| TimeLeft { question: of.map(question), ms };
    let expected = model.timers.all.iter().map(|timer| left(timer.of, timer.stated()));
    let of_players = model.players().all(|entry| {
        let id = player(entry.id);
        let is_open = |left: &TimeLeft| left.question.is_some_and(|of| state.is_open_for(of, id));
        let expected = model.timers.all.iter().filter_map(|timer| {
            let open = timer.of.filter(|number| model.takes_answers_of(*number, entry.id))?;
            Some(left(Some(open), timer.left(entry.percent)))
        });
        state.time_left_of(id, Moment(model.now)).filter(is_open).eq(expected)
    });
    of_players && state.are_timers_held() == model.timers.held && state.timers(Moment(model.now)).eq(expected)
}

fn same_open(state: &State, model: &Model, number: u8, questions: u8) -> bool {
    let is_same = |asked| state.is_open_for(question(asked), player(number)) == model.takes_answers_of(asked, number);
    model.players().all(|entry| entry.id != number || (1..=questions).all(is_same))
}

fn same_players(state: &State, model: &Model) -> bool {
    let players = state.players().map(|found| {
        let command_id = state.last_command_of(found.id).map(|command_id| (command_id.session, command_id.number));
        let is_here = (found.present, found.connected, found.on_paper);
        (found.id, found.display_name.as_str(), is_here, found.joker, command_id)
    });
    let expected = model.players().map(|entry| {
        let joker = entry.joker.map(u32::from);
        (player(entry.id), entry.name, (entry.here, entry.connected, entry.on_paper), joker, entry.last)
    });
    let counts = (state.player_count(), state.present_count(), state.lobby().count());
    let connected = model.players().filter(|entry| entry.connected).count();
    let here = model.players().filter(|entry| entry.here).count();
    players.eq(expected) && state.connected_count() == connected && counts == (model.players().count(), here, here)
}

fn same_team(state: &State, entry: &model::Player) -> bool {
    let found = state.player(player(entry.id)).unwrap();
    let Some(team) = &entry.team else { return found.team_code().is_none() && found.phones().next().is_none() };
    let phones = found.phones().map(|phone| (phone.id, phone.display_name.as_str(), phone.connected));
    let ids = std::iter::once(DeviceId::from(player(entry.id).uuid()))
        .chain(team.phones().iter().map(|phone| device(phone.id)));
    let names = std::iter::once(entry.name).chain(team.phones().iter().map(|phone| phone.name));
    let expected = ids.zip(names).zip(team.presence()).map(|((id, name), here)| (id, name, here));
    let lasts = (1..).zip(team.phones()).all(|(place, phone)| {
        let last = state.last_command_over(found.id, Device(place));
        last.map(|command_id| (command_id.session, command_id.number)) == phone.last
    });
    let suggestions = found.suggestions().iter().map(|one| (one.question, one.by.0, one.text.to_string()));
    let suggested = team.suggestions.iter().map(|one| (question(one.0), one.1, one.2.clone()));
    found.team_code() == Some(numbered(team.code)) && phones.eq(expected) && lasts && suggestions.eq(suggested)
}

fn same_review(state: &State, model: &Model) -> bool {
    let entries = state.review();
    let found = entries.map(|entry| (entry.player.id, entry.question.id, &*entry.answer.text, entry.answer.correct()));
    let review = model.review();
    found.eq(review.iter().map(|entry| (player(entry.0), question(entry.1), entry.2, entry.3)))
}

fn same_question(state: &State, model: &Model, number: u8) -> bool {
    let count = model.review().iter().filter(|entry| entry.1 == number).count();
    let id = question(number);
    state.answer_count(id) == count && state.is_released(id) == model.is_open(number)
}

fn same_board(state: &State, model: &Model) -> bool {
    let lines = &state.board().standings;
    let found = lines.iter().map(|line| (line.player, line.score, line.round_score, (line.rank, line.place)));
    found.eq(model.board().into_iter().map(|line| (player(line.0), line.1, line.2, line.3)))
}

fn same_results(state: &State, model: &Model, number: u8) -> bool {
    let found = state.results_of(player(number));
    let expected = model.results(number);
    let total: i32 = expected.iter().map(|result| result.3).sum();
    let shown = |result: &QuestionResult<'_>| (result.correct, result.earned.points);
    let results = found.results.iter().map(|result| (result.question.id, result.answer, shown(result)));
    let same = results.eq(expected.iter().map(|result| (question(result.0), result.1, (result.2, result.3))));
    let by_hand = model.adjusted_in_round(number);
    same && found.adjustments.iter().map(|one| one.points).eq(by_hand.iter().copied())
        && found.round_total == i64::from(total) + by_hand.iter().map(|points| i64::from(*points)).sum::<i64>()
}

fn same_appeals(state: &State, model: &Model, number: u8) -> bool {
    let found = state.appeals_of(player(number)).map(|appeal| (appeal.question, appeal.status));
    found.eq(model.appeals_of(number).into_iter().map(|(asked, accepted, dismissed)| {
        let status = match (accepted, dismissed) {
            (true, _) => AppealStatus::Accepted,
            (false, true) => AppealStatus::Dismissed,
            (false, false) => AppealStatus::Open,
        };
        (question(asked), status)
    }))
}

fn same_answered(state: &State, model: &Model, number: u8) -> bool {
    let review = model.review();
    let expected = review.iter().filter(|entry| entry.0 == number).map(|entry| question(entry.1));
    state.answered_by(player(number)).into_iter().eq(expected)
}
