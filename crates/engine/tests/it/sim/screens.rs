//! The screens of a world: sockets with tokens that the host issues and revokes, each on any node.
//!
//! They are no participants, and the owner does not know them. Each picture is compared with the oracle: it is true of the game
//! at a moment of the step that sent it, and has no key that the room does not know; one socket is sent at most four a second. A
//! new socket is shown no older moment than any client was (invariant 4). At the end each screen has the last picture of the log,
//! and a removed one has no socket (invariant 16).

use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::time::Duration;

use bytes::Bytes;
use quizhall_engine::wire::screen_update;
use quizhall_engine::{ConnectionId, EdgeEffect, EdgeId, EdgeInput, Time, Viewer};
use quizhall_oracle::Phase;
use quizhall_protocol::frame;
use quizhall_rules::{Change, Command, Moment, Screen, ScreenId, State, TokenHash};
use serde_json::{Value, json};

use super::World;
use super::agenda::{HttpCommand, What};
use super::coverage::Kind;
use super::judge::{Cause, Step};
use super::mutation::Mutation;
use super::node::EdgeSlot;
use super::quiz::{CANARY, HOST_CANARY};
use super::reference::Reference;

/// The most pictures that one socket is sent in a second, besides the one on connecting.
const MOST: usize = 4;
/// The most questions in a picture: the newest ones.
const QUESTIONS: usize = 11;

#[derive(Debug)]
pub struct ScreenClient {
    id: ScreenId,
    /// When the host last asked for its token, or for its removal.
    asked_at: Option<Time>,
    line: Option<Line>,
}

/// An open socket of a screen.
#[derive(Debug)]
struct Line {
    node: usize,
    edge: EdgeId,
    connection: ConnectionId,
    opened_at: Time,
    /// How many events clients had been shown when it connected.
    known: u64,
    last: Option<Bytes>,
    /// When it was sent the newest pictures.
    sent: VecDeque<Time>,
}

/// The state of a screen's token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    None,
    Good,
    Removed,
}

impl World {
    /// The version before this one has no screens.
    pub fn bring_screens(&mut self) {
        let wanted = self.mutation.is_some_and(Mutation::is_of_screens);
        if self.setting.mixed || !(wanted || self.dice.chance(300)) {
            return;
        }
        for _ in 0..2 {
            let id = ScreenId::from(self.dice.uuid());
            self.screens.push(ScreenClient { id, asked_at: None, line: None });
            let start_at = self.dice.millis(5, 3_000);
            self.agenda.at(start_at, What::Screen(self.screens.len() - 1));
        }
    }

    pub fn screen_command(&self, screen: usize, added: bool) -> Command {
        let id = self.screens[screen].id;
        let mut secret = [0; 32];
        secret[..16].copy_from_slice(id.uuid().as_bytes());
        if added {
            Command::AddScreen(Screen { id, token: TokenHash(secret), at_ms: 0 }.into())
        } else {
            Command::RemoveScreen { screen: id }
        }
    }

    pub fn screen_acts(&mut self, screen: usize) {
        let next = if self.healed { self.dice.millis(20, 250) } else { self.dice.millis(50, 900) };
        self.agenda.after(next, What::Screen(screen));
        self.drop_dead_line(screen);
        match (self.token_of(screen), &self.screens[screen].line) {
            (Token::None, _) => self.ask_for_screen(screen, true),
            (Token::Good, None) => self.connect_screen(screen),
            (Token::Good, Some(_)) if !self.healed && self.dice.chance(60) => self.hang_up_screen(screen),
            (Token::Good, Some(_)) if !self.healed && self.dice.chance(30) => self.ask_for_screen(screen, false),
            _ => {}
        }
    }

    fn token_of(&self, screen: usize) -> Token {
        let id = self.screens[screen].id;
        let of_it = self.store.events.iter().rev().find_map(|event| match &event.change {
            Change::ScreenRemoved { screen } if *screen == id => Some(Token::Removed),
            Change::ScreenAdded(screen) if screen.id == id => Some(Token::Good),
            _ => None,
        });
        of_it.unwrap_or(Token::None)
    }

    fn ask_for_screen(&mut self, screen: usize, added: bool) {
        let now = self.agenda.now;
        if self.screens[screen].asked_at.is_none_or(|asked| now >= asked + Duration::from_secs(7)) {
            self.screens[screen].asked_at = Some(now);
            self.ask(0, HttpCommand::Screen(screen, added));
        }
    }

    fn connect_screen(&mut self, screen: usize) {
        let ready = (0..self.nodes.len()).filter(|node| self.nodes[*node].is_ready() && !self.nodes[*node].paused);
        let ready: Vec<usize> = ready.collect();
        let Some(node) = ready.get(self.dice.index(ready.len().max(1))).copied() else { return };
        let Some(edge) = self.nodes[node].id else { return };
        self.open_edge(node);
        self.nodes[node].connections += 1;
        let connection = ConnectionId(self.nodes[node].connections);
        let known = self.set_owner_here(node);
        let (opened_at, last, sent) = (self.agenda.now, None, VecDeque::new());
        self.screens[screen].line = Some(Line { node, edge, connection, opened_at, known, last, sent });
        self.trace.note(self.agenda.now, "attach screen", &[screen as u64, node as u64, connection.0]);
        let viewer = Viewer::Screen(self.screens[screen].id);
        self.edge_step(node, EdgeInput::AttachViewer(connection, viewer, Ipv4Addr::LOCALHOST.into()), Cause::Attach);
    }

    fn hang_up_screen(&mut self, screen: usize) {
        let is_awake = |line: &mut Line| !self.nodes[line.node].paused;
        if let Some(Line { node, connection, .. }) = self.screens[screen].line.take_if(is_awake) {
            self.edge_step(node, EdgeInput::Detached(connection, true), Cause::Other);
        }
    }

    /// Drops the socket if its node crashed, or continues under another id.
    fn drop_dead_line(&mut self, screen: usize) {
        let nodes = &self.nodes;
        self.screens[screen].line.take_if(|line| nodes[line.node].id != Some(line.edge));
    }

    /// The number of open sockets of screens at a node.
    pub fn screens_at(&self, node: usize) -> usize {
        let lines = self.screens.iter().filter_map(|screen| screen.line.as_ref());
        lines.filter(|line| line.node == node && self.nodes[node].id == Some(line.edge)).count()
    }

    /// Carries out an effect on the socket of a screen; returns any other effect.
    pub fn unless_of_screen(&mut self, slot: &EdgeSlot, step: &Step, effect: EdgeEffect) -> Option<EdgeEffect> {
        let (EdgeEffect::Send(connection, ..) | EdgeEffect::Close(connection, _)) = &effect else {
            return Some(effect);
        };
        let is_it = |line: &Line| line.edge == slot.id && line.connection == *connection;
        let Some(screen) = self.screens.iter().position(|screen| screen.line.as_ref().is_some_and(is_it)) else {
            return Some(effect);
        };
        if let EdgeEffect::Send(_, picture, _) = &effect {
            self.picture(slot, step, screen, picture);
        } else {
            if self.token_of(screen) == Token::Removed {
                self.coverage.note(Kind::ScreenRemoved);
            }
            self.screens[screen].line = None;
        }
        None
    }

    /// A screen is sent a picture.
    fn picture(&mut self, slot: &EdgeSlot, step: &Step, screen: usize, bytes: &Bytes) {
        if self.is_mutant(Mutation::PicturesLost) && self.dice.chance(500) {
            return;
        }
        self.trace.bytes(bytes);
        self.coverage.note(Kind::ScreenShown);
        let text = String::from_utf8_lossy(&frame::payload(bytes)).into_owned();
        let picture: Value = serde_json::from_str(&text).expect("a picture is JSON");
        let mut place = slot.reference.clone();
        while !is_true(&picture["payload"], &text, &place) {
            if place.events == step.after {
                return self.fail(format!("3: a picture is not true at event {}: {text}", place.events));
            }
            place.apply(&self.store.events[place.events]).expect("the store has checked it");
        }
        let now = self.agenda.now;
        let Some(line) = self.screens[screen].line.as_mut() else { return };
        let (is_first, known, opened_at) = (line.last.is_none(), line.known, line.opened_at);
        line.last = Some(bytes.clone());
        line.sent.push_back(now);
        line.sent.retain(|sent| *sent + Duration::from_secs(1) > now);
        let count = line.sent.len();
        if count > MOST + 1 {
            return self.fail(format!("16: {count} pictures in a second"));
        }
        if is_first && !step.unread {
            self.check_known((slot.edge.seq(), step.node), known, opened_at);
        }
    }

    /// What must hold for screens at the end.
    pub fn check_screens(&mut self, state: &State) {
        let newest = screen_update(state, Moment::from(self.agenda.now));
        for screen in 0..self.screens.len() {
            self.drop_dead_line(screen);
            let Some(line) = &self.screens[screen].line else { continue };
            if self.token_of(screen) != Token::Good {
                return self.fail("16: a removed screen has a socket".to_owned());
            }
            // A screen that has just connected may still be reading.
            let is_settled = self.agenda.now > line.opened_at + Duration::from_secs(3);
            if is_settled && line.last.as_ref() != Some(&newest) {
                return self.fail(format!("16: a screen on node {} shows {:?}", line.node, line.last));
            }
        }
    }
}

/// Whether a picture is true at this place of the log.
fn is_true(picture: &Value, text: &str, place: &Reference) -> bool {
    if place.events == 0 {
        return false;
    }
    let questions = picture["questions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let open = if place.phase == Phase::Question { place.released.as_slice() } else { &[] };
    let asked = questions.iter().rev().zip(open.iter().rev()).all(|(shown, question)| {
        shown["id"] == json!(question) && shown["answered"] == json!(place.answers_to(*question).len())
    });
    let is_out = place.round > 0 || matches!(place.phase, Phase::Leaderboard | Phase::Ended);
    let has_keys = is_out || !place.revealed.is_empty();
    picture["phase"] == json!(place.phase.as_str())
        && picture["playerTotal"] == json!(place.players.len())
        && questions.len() == open.len().min(QUESTIONS)
        && asked
        && (has_keys || !text.contains(CANARY))
        && !text.contains(HOST_CANARY)
}
