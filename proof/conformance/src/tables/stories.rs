//! The stories as groups of rows.

use super::Group;
use crate::row::{Check, Row, Story};
use crate::stories;

/// Whole games.
pub const EVENING: Group = Group {
    name: "evening",
    title: "Stories: games",
    about: "Whole games. After each step every socket has received exactly what the interface says, in its order, and nothing else; boards, \
            reviews and results are computed by an oracle that shares no code with the server.",
    rows: || rows("evening", stories::evening::STORIES),
};

/// The lobby.
pub const LOBBY: Group = Group {
    name: "lobby",
    title: "Stories: the lobby",
    about: "Joining, leaving, returning, removal and deletion.",
    rows: || rows("lobby", stories::lobby::STORIES),
};

/// Sockets.
pub const SOCKETS: Group = Group {
    name: "sockets",
    title: "Stories: sockets",
    about: "One connection per participant, and the handshake's finer points.",
    rows: || rows("sockets", stories::sockets::STORIES),
};

/// Limits.
pub const LIMITS: Group = Group {
    name: "limits",
    title: "Stories: limits and time-outs",
    about: "Floods are written at once and their close awaited. Time-outs are the server's own; `--longest-wait` bounds them.",
    rows: || rows("limits", stories::limits::STORIES),
};

/// The host API.
pub const HOST_API: Group = Group {
    name: "host_api",
    title: "Stories: the host API",
    about: "Quizzes, games, players and results.",
    rows: || rows("host_api", stories::host_api::STORIES),
};

/// Security.
pub const SECURITY: Group = Group {
    name: "security",
    title: "Stories: security",
    about: "What must not leak, mix or slip through. In every row of the suite, besides, a key that reaches a player before \
            `round_scores` fails the row.",
    rows: || rows("security", stories::security::STORIES),
};

/// The handshake with the extension.
pub const V1_HANDSHAKE: Group = Group {
    name: "v1_handshake",
    title: "v1, stories: the handshake",
    about: "Asking for `quizhall.v1`. The dialect that was agreed holds for one socket, from its handshake to its close.",
    rows: || rows("v1_handshake", stories::v1::handshake::STORIES),
};

/// Whole games with the extension.
pub const V1_EVENING: Group = Group {
    name: "v1_evening",
    title: "v1, stories: games",
    about: "Whole games with different speakers. After each step every socket has received exactly what is due in its own dialect; an \
            extension message on a socket that did not ask fails the row.",
    rows: || rows("v1_evening", stories::v1::evening::STORIES),
};

/// Rounds, and the host's presence.
pub const V1_ROUNDS: Group = Group {
    name: "v1_rounds",
    title: "v1, stories: rounds and the host",
    about: "`round_started` and `host_status`, to every socket that asked.",
    rows: || rows("v1_rounds", stories::v1::rounds::STORIES),
};

/// Standings that the host shows when it is time.
pub const V1_STANDINGS: Group = Group {
    name: "v1_standings",
    title: "v1, stories: the standings",
    about: "`release_own_scores` and `show_standings`. A player who speaks v1 is sent no board while they are held; a player who does not, \
            and the host, are sent what `release_scores` sends.",
    rows: || rows("v1_standings", stories::v1::standings::STORIES),
};

/// The next step of the game.
pub const V1_STEPS: Group = Group {
    name: "v1_steps",
    title: "v1, stories: the next step",
    about: "`step_update`, only to the host, and `next`: each step is taken once, however often and on however many devices it is pressed.",
    rows: || rows("v1_steps", stories::v1::steps::STORIES),
};

/// Pictures that are loaded before the release.
pub const V1_MEDIA: Group = Group {
    name: "v1_media",
    title: "v1, stories: pictures and sounds",
    about: "`media_preload`, the copies that it names, and the key in `question_released`.",
    rows: || rows("v1_media", stories::v1::media::STORIES),
};

/// Timers.
pub const V1_TIMERS: Group = Group {
    name: "v1_timers",
    title: "v1, stories: timers",
    about: "`timer_update` and `question_closed`, only to sockets with the extension. A question takes no answers after its \
            `question_closed`: one from a socket that was sent it is closed with 4005, one from any other socket is dropped.",
    rows: || rows("v1_timers", stories::v1::timers::STORIES),
};

/// Extra time.
pub const V1_EXTRA_TIME: Group = Group {
    name: "v1_extra_time",
    title: "v1, stories: extra time",
    about: "`set_extra_time`. A question is closed for each player at that player's end, and for the host with the last of them. Only \
            the host is sent which players have extra time.",
    rows: || rows("v1_extra_time", stories::v1::extra_time::STORIES),
};

/// Jokers.
pub const V1_JOKERS: Group = Group {
    name: "v1_jokers",
    title: "v1, stories: jokers",
    about: "`play_joker`, `joker_round` and `joker_update`. A joker doubles one round of a player, and is played before its first question \
            is released.",
    rows: || rows("v1_jokers", stories::v1::jokers::STORIES),
};

/// Sealed quizzes.
pub const V1_SEALED: Group = Group {
    name: "v1_sealed",
    title: "v1, stories: sealed quizzes",
    about: "`seal_status`, and what is proved with it: `GET /api/v1/seals/{gameCode}`, `/api/v1/games/{id}/proof` and `/api/v1/seats/ref`.",
    rows: || rows("v1_sealed", stories::v1::sealed::STORIES),
};

/// Tie-breaks.
pub const V1_TIES: Group = Group {
    name: "v1_ties",
    title: "v1, stories: tie-breaks",
    about: "`tie_break`, `answer_tie_break`, `end_tie_break` and `tie_breaks`. A tie-break puts equal players in order and gives no points.",
    rows: || rows("v1_ties", stories::v1::ties::STORIES),
};

/// Seats that move.
pub const V1_SEATS: Group = Group {
    name: "v1_seats",
    title: "v1, stories: seats that move to another phone",
    about: "`POST /api/v1/seats` and the codes for it. The token of the phone before opens nothing from then on, and its socket is closed \
            with 4401.",
    rows: || rows("v1_seats", stories::v1::seats::STORIES),
};

/// Co-hosts.
pub const V1_CO_HOSTS: Group = Group {
    name: "v1_co_hosts",
    title: "v1, stories: co-hosts",
    about: "`POST /api/v1/games/{id}/co-hosts`: a link with a role. A co-host is sent what the host is, and may send what the role may: \
            any other message closes with 4004.",
    rows: || rows("v1_co_hosts", stories::v1::co_hosts::STORIES),
};

/// Spectators.
pub const V1_SPECTATORS: Group = Group {
    name: "v1_spectators",
    title: "v1, stories: spectators",
    about: "`POST /api/v1/spectators`, if the host lets spectators watch. A spectator has the role `screen`.",
    rows: || rows("v1_spectators", stories::v1::spectators::STORIES),
};

/// Teams.
pub const V1_TEAMS: Group = Group {
    name: "v1_teams",
    title: "v1, stories: several phones on one sheet",
    about: "`team` and `teamCode` of `POST /join`, `team_update`, `team_sheet` and `suggest_answer`. A team is one player to everyone else.",
    rows: || rows("v1_teams", stories::v1::teams::STORIES),
};

/// The room, and the players who have answered.
pub const V1_ROOM: Group = Group {
    name: "v1_room",
    title: "v1, stories: the room",
    about: "`room_update`, `players_answered` and `answered_status`, `lock_game` and `remove_player`.",
    rows: || rows("v1_room", stories::v1::room::STORIES),
};

/// Marking.
pub const V1_MARKING: Group = Group {
    name: "v1_marking",
    title: "v1, stories: marking",
    about: "`mark_answers` and `undo_marking` beside `override_answer`. After each step the review that a new socket is sent, and the results \
            over HTTP, are compared with the oracle.",
    rows: || rows("v1_marking", stories::v1::marking::STORIES),
};

/// Appeals.
pub const V1_APPEALS: Group = Group {
    name: "v1_appeals",
    title: "v1, stories: appeals",
    about: "`appeal`, `dismiss_appeal`, and `correct_marks` of players. The outcome of an appeal is sent only to its player and to the host.",
    rows: || rows("v1_appeals", stories::v1::appeals::STORIES),
};

/// Points by hand.
pub const V1_ADJUSTMENTS: Group = Group {
    name: "v1_adjustments",
    title: "v1, stories: points by hand",
    about: "`adjust_points` and `undo_adjustment`. A plain socket sees them in `roundTotal` and `score` only; the board always adds up.",
    rows: || rows("v1_adjustments", stories::v1::adjustments::STORIES),
};

/// Edited and withdrawn questions, and new names.
pub const V1_MENDING: Group = Group {
    name: "v1_mending",
    title: "v1, stories: edited and withdrawn questions, and new names",
    about: "`edit_question`, `withdraw_question` and `rename_player`. A plain socket is sent nothing of them; it sees the words, the points \
            and the name in the messages that follow anyway.",
    rows: || rows("v1_mending", stories::v1::mending::STORIES),
};

/// Games question by question.
pub const V1_PACE: Group = Group {
    name: "v1_pace",
    title: "v1, stories: question by question, and early closing",
    about: "`pace` and other options of a game, `PUT /api/v1/games/{id}/options`, `close_question` and `set_close_when_answered`. A plain \
            socket plays an ordinary game of rounds with one question.",
    rows: || rows("v1_pace", stories::v1::pace::STORIES),
};

/// Players on paper.
pub const V1_PAPER: Group = Group {
    name: "v1_paper",
    title: "v1, stories: players on paper",
    about: "`add_seat` and `enter_answer`. Such a player is one like the others in lists, reviews, boards and results; only the host is sent \
            that no phone is there.",
    rows: || rows("v1_paper", stories::v1::paper::STORIES),
};

/// The key of a game.
pub const V1_KEY: Group = Group {
    name: "v1_key",
    title: "v1, stories: the key of a game",
    about: "`accept_answer` while questions are open and in review, and `open_desk` with `answers_update`.",
    rows: || rows("v1_key", stories::v1::key::STORIES),
};

/// Kinds of questions.
pub const V1_KINDS: Group = Group {
    name: "v1_kinds",
    title: "v1, stories: kinds of questions",
    about: "Questions of which an answer can be partly right, or is neither right nor wrong, or right only beside the others; and `show_tally`. \
            A socket without v1 is sent each as a type that the interface has.",
    rows: || rows("v1_kinds", stories::v1::kinds::STORIES),
};

/// Streaks.
pub const V1_STREAKS: Group = Group {
    name: "v1_streaks",
    title: "v1, stories: streaks",
    about: "Rounds in which right answers in a row earn more. The points are compared with the oracle in every message and over HTTP; a \
            socket without v1 is sent the points, and not the part for the streak.",
    rows: || rows("v1_streaks", stories::v1::streaks::STORIES),
};

/// Points for speed.
pub const V1_SPEED: Group = Group {
    name: "v1_speed",
    title: "v1, stories: points for speed",
    about: "Rounds in which right answers earn more, the sooner they are given. The time that the server states is held against the suite's own \
            clock, and the points against the oracle, in every message and over HTTP.",
    rows: || rows("v1_speed", stories::v1::speed::STORIES),
};

/// Pings.
pub const V1_PING: Group = Group {
    name: "v1_ping",
    title: "v1, stories: `ping`",
    about: "Answered by the socket itself, after everything that was queued on it before: so the `pong` of a first `ping` says that the \
            sync messages have come.",
    rows: || rows("v1_ping", stories::v1::ping::STORIES),
};

/// Between two rounds.
pub const V1_BETWEEN: Group = Group {
    name: "v1_between",
    title: "v1, stories: between two rounds",
    about: "`reveal_answer`, `start_break` and `end_break`, and games in which phones wait for the screen. Nothing of it reaches a socket \
            without v1.",
    rows: || rows("v1_between", stories::v1::between::STORIES),
};

fn rows(group: &str, stories: &'static [Story]) -> Vec<Row> {
    let row = |story: &Story| Row {
        id: format!("{group}/{}", story.name),
        given: story.given.to_owned(),
        send: story.act.to_owned(),
        expect: story.expect.to_owned(),
        check: Check::Story(*story),
    };
    stories.iter().map(row).collect()
}
