//! Every section that a change may change is listed for it: all sections of random games, before and after each event, for every
//! viewer. A section that is not listed is not sent, and no other test has to notice.

use std::collections::BTreeSet;
use std::time::Duration;

use quizhall_engine::Participant;
use quizhall_engine::sections::{Pace, SECTIONS, Section, View, Viewers, shows};
use quizhall_rules::{Device, Event, Moment, State};

use crate::sim;

/// Games that are replayed. They have to change every section.
const GAMES: u64 = 60;
/// Between two events; longer than a client's clock may be wrong.
const STEP: Duration = Duration::from_millis(600);

/// The host over two devices, and every player over two.
fn viewers(state: &State) -> impl Iterator<Item = Participant> {
    let devices = [Device::FIRST, Device(1)];
    let players = state.all_players().map(|player| player.id).collect::<Vec<_>>();
    let players = players.into_iter().flat_map(move |player| devices.map(|of| Participant::player_over(player, of)));
    devices.map(Participant::host_over).into_iter().chain(players)
}

/// What is wrong with the list of this event's change.
fn mistake(section: &Section, event: &Event, [before, after]: [&View<'_>; 2]) -> Option<&'static str> {
    let all = section.changes(&section.known(before), after);
    if all.is_empty() {
        return None;
    }
    let shows = shows(&event.change);
    if !shows.sections.iter().any(|listed| listed.message == section.message && listed.viewers == section.viewers) {
        return Some("the change does not list it");
    }
    let is_own = matches!(section.viewers, Viewers::Player | Viewers::Phone);
    if is_own && after.viewer.player().is_some_and(|player| !shows.players.includes(player)) {
        return Some("the change does not name the player");
    }
    let [before, after] = [before, after].map(|view| View { players: shows.players, ..*view });
    let named = section.changes(&section.known(&before), &after);
    // The edge keeps for itself which rows of the room it sends.
    let is_all = if section.pace == Pace::Paced { !named.is_empty() } else { named == all };
    (!is_all).then_some("it is about players whom the change does not name")
}

#[test]
fn every_section_that_a_change_changes_is_listed_for_it() {
    let (mut wrong, mut changed) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..GAMES {
        let events = sim::play(seed, None, false).singles;
        let mut state = State::replay(&events[..1]).unwrap();
        for (number, event) in (1..).zip(&events[1..]) {
            let at = Moment::from(STEP * number);
            let before = state.clone();
            state.apply_at(event, at);
            for (section, viewer) in SECTIONS.iter().flat_map(|section| viewers(&state).map(move |of| (section, of))) {
                if !section.is_for(&state, viewer) {
                    continue;
                }
                let views = [&View::whole(&before, viewer, at), &View::whole(&state, viewer, at)];
                if !section.changes(&section.known(views[0]), views[1]).is_empty() {
                    changed.insert(section.message);
                }
                let mistake = mistake(section, event, views);
                wrong.extend(mistake.map(|what| format!("{} of {}: {what}", section.message, event.change.kind())));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let unchanged: Vec<_> = SECTIONS.iter().map(|of| of.message).filter(|name| !changed.contains(name)).collect();
    // The first two are stated only on connecting, and no question of these games has a picture.
    assert_eq!(unchanged, ["game_info", "seal_status", "media_preload"], "no game has changed these");
}
