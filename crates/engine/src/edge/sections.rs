//! Sends the changes that events make to the sections to the sockets here that see them. Knows no feature: [`crate::sections`]
//! does.

use std::collections::BTreeSet;

use quizhall_rules::{Change, Device, Event, PlayerId};

use super::{Edge, EdgeEffect, sender_of};
use crate::ids::{ConnectionId, Participant, Time};
use crate::sections::{Fact, Known, Named, Pace, SECTIONS, Section, View, Viewers, is_host, shows};
use crate::wire::{Dialect, Frames};

/// The knowledge of a viewer here about a section that an event may change.
pub(super) struct Shown {
    section: &'static Section,
    viewer: Participant,
    known: Known,
}

impl Shown {
    pub fn is_clock(&self) -> bool {
        self.section.pace == Pace::Clock
    }
}

impl Edge {
    /// The knowledge of the sockets here that the event may change, before and after the messages of the phase. Has to be read
    /// before the event is in the replica.
    pub(super) fn known_before(&self, now: Time, change: &Change) -> (Vec<Shown>, Vec<Shown>) {
        let (mut opening, mut following) = (Vec::new(), Vec::new());
        let (shows, Some(state)) = (shows(change), self.state()) else { return (opening, following) };
        for section in shows.sections.iter().filter(|section| (section.exists)(state)) {
            for viewer in self.viewers(section.viewers, shows.players) {
                let view = View { state, viewer, players: shows.players, at: now.into() };
                let list = if section.opens { &mut opening } else { &mut following };
                let known = if (section.line_of)(change).is_some() { Known::default() } else { section.known(&view) };
                list.push(Shown { section, viewer, known });
            }
        }
        (opening, following)
    }

    /// Sends the changes of the event, now or when they are due. A sender who receives any of them needs no confirmation.
    pub(super) fn send_sections(&mut self, now: Time, event: &Event, shown: Vec<Shown>, effects: &mut Vec<EdgeEffect>) {
        let players = shows(&event.change).players;
        for Shown { section, viewer, known } in shown {
            let Some(state) = self.state() else { return };
            let facts = match (section.line_of)(&event.change) {
                Some(line) => line(&event.change, state).into_iter().collect(),
                None => section.changes(&known, &View { state, viewer, players, at: now.into() }),
            };
            if facts.is_empty() {
                continue;
            }
            if section.pace == Pace::Paced {
                self.pacing.rooms().for_each(|room| room.changed(players));
            } else {
                self.send_facts((section, viewer), facts, effects);
            }
            if section.pace == Pace::Clock {
                self.timers_sent(now);
            }
            let sender = self.sessions.of(sender_of(event));
            if let Some(sender) = sender.filter(|sender| self.receives(section.viewers, viewer, *sender)) {
                self.note_shown(sender, event.command_id);
            }
        }
    }

    /// States everything again that changes with time.
    pub(super) fn send_clocks(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        for section in SECTIONS.iter().filter(|section| section.pace == Pace::Clock) {
            for viewer in self.viewers(section.viewers, Named::All) {
                let Some(state) = self.state() else { return };
                let facts = section.changes(&Known::default(), &View::whole(state, viewer, now));
                self.send_facts((section, viewer), facts, effects);
            }
        }
    }

    fn send_facts(&self, (section, viewer): (&Section, Participant), facts: Vec<Fact>, effects: &mut Vec<EdgeEffect>) {
        let is_kept = |(device, _): &(Device, ConnectionId)| {
            self.state().is_some_and(|state| (section.is_kept_from)(state, Participant::host_over(*device)))
        };
        let kept: Vec<_> = self.sessions.hosts_v1().filter(is_kept).map(|(_, host)| host).collect();
        for (frame, kind) in section.frames(facts) {
            let send = |to| EdgeEffect::Send(to, frame.clone(), kind);
            match (section.viewers, viewer.player()) {
                (Viewers::All, _) if kept.is_empty() => {
                    effects.push(EdgeEffect::Broadcast(Frames::extension(frame), kind));
                }
                (Viewers::All, _) => {
                    let others =
                        self.sessions.iter().filter(|(to, session)| !kept.contains(to) && session.has_extension());
                    effects.extend(others.map(|(to, _)| send(to)));
                }
                (Viewers::Hosts, _) => effects.extend(self.sessions.hosts_v1().map(|(_, host)| send(host))),
                (Viewers::Devices, _) => effects.extend(self.host_devices().map(send)),
                (Viewers::Phone, _) => effects.extend(self.sessions.of(viewer).map(send)),
                (Viewers::Player, player) => {
                    effects.extend(player.into_iter().flat_map(|player| self.phones_v1(player)).map(send));
                }
            }
        }
    }

    /// The sockets of the host and of co-hosts of the role `host`.
    pub(super) fn host_devices(&self) -> impl Iterator<Item = ConnectionId> {
        let is_device = |device| self.state().is_some_and(|state| is_host(state, Participant::host_over(device)));
        self.sessions.hosts_v1().filter(move |(device, _)| is_device(*device)).map(|(_, host)| host)
    }

    /// The participants here for whom a section is rendered. One represents all who receive the same bytes.
    fn viewers(&self, of: Viewers, players: Named<'_>) -> Vec<Participant> {
        let has_phone = |player: &PlayerId| self.phones_v1(*player).next().is_some();
        let participant = |phone| self.sessions.get(phone).map(|session| session.participant);
        match (of, players) {
            (Viewers::All, _) => self.sessions.any_v1().then_some(Participant::Host).into_iter().collect(),
            (Viewers::Hosts, _) => self.sessions.hosts_v1().next().map(|_| Participant::Host).into_iter().collect(),
            (Viewers::Devices, _) => self.host_devices().next().map(|_| Participant::Host).into_iter().collect(),
            (Viewers::Player, Named::Only(players)) => {
                players.iter().filter(|player| has_phone(player)).map(|player| Participant::Player(*player)).collect()
            }
            (Viewers::Phone, Named::Only(players)) => {
                players.iter().flat_map(|player| self.phones_v1(*player)).filter_map(participant).collect()
            }
            (Viewers::Phone, Named::All) => {
                let sockets = self.player_sockets(|dialect| dialect == Dialect::QuizhallV1).into_iter();
                sockets.filter_map(|(phone, _)| participant(phone)).collect()
            }
            (Viewers::Player, Named::All) => {
                let mut seen = BTreeSet::new();
                let sockets = self.player_sockets(|dialect| dialect == Dialect::QuizhallV1).into_iter();
                let players = sockets.map(|(_, player)| player).filter(|player| seen.insert(*player));
                players.map(Participant::Player).collect()
            }
        }
    }

    /// Whether a socket receives what was rendered for this viewer.
    fn receives(&self, of: Viewers, viewer: Participant, connection: ConnectionId) -> bool {
        let session = self.sessions.get(connection).filter(|session| session.has_extension());
        session.is_some_and(|session| match of {
            Viewers::All => true,
            Viewers::Hosts => session.participant.as_host().is_some(),
            Viewers::Devices => self.state().is_some_and(|state| is_host(state, session.participant)),
            Viewers::Player => session.participant.player() == viewer.player(),
            Viewers::Phone => session.participant == viewer,
        })
    }
}
