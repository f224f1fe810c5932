//! The stories as groups of rows.

use super::Group;
use crate::row::{Check, Row, Story};
use crate::stories;

/// Each group: its name, the module of its stories, its title, and what it is about.
macro_rules! groups {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $($module:ident)::+, $title:literal, $about:literal;)+) => {$(
        $(#[$doc])*
        pub const $constant: Group =
            Group { name: $name, title: $title, about: $about, rows: || rows($name, stories::$($module)::+::STORIES) };
    )+};
}

groups! {
    /// Whole games.
    EVENING = "evening", evening, "Stories: games",
        "Whole games. After each step every socket has received exactly what the interface says, in its order, and nothing else; boards, \
        reviews and results are computed by an oracle that shares no code with the server.";
    /// The lobby.
    LOBBY = "lobby", lobby, "Stories: the lobby",
        "Joining, leaving, returning, removal and deletion.";
    /// Sockets.
    SOCKETS = "sockets", sockets, "Stories: sockets",
        "One connection per participant, and the handshake's finer points.";
    /// Limits.
    LIMITS = "limits", limits, "Stories: limits and time-outs",
        "Floods are written at once and their close awaited. Time-outs are the server's own; `--longest-wait` bounds them.";
    /// The host API.
    HOST_API = "host_api", host_api, "Stories: the host API",
        "Quizzes, games, players and results.";
    /// Security.
    SECURITY = "security", security, "Stories: security",
        "What must not leak, mix or slip through. In every row of the suite, besides, a key that reaches a player before \
        `round_scores` fails the row.";
    /// The handshake with the extension.
    V1_HANDSHAKE = "v1_handshake", v1::handshake, "v1, stories: the handshake",
        "Asking for `quizhall.v1`. The dialect that was agreed holds for one socket, from its handshake to its close.";
    /// Whole games with the extension.
    V1_EVENING = "v1_evening", v1::evening, "v1, stories: games",
        "Whole games with different speakers. After each step every socket has received exactly what is due in its own dialect; an \
        extension message on a socket that did not ask fails the row.";
    /// Rounds, and the host's presence.
    V1_ROUNDS = "v1_rounds", v1::rounds, "v1, stories: rounds and the host",
        "`round_started` and `host_status`, to every socket that asked.";
    /// Standings that the host shows when it is time.
    V1_STANDINGS = "v1_standings", v1::standings, "v1, stories: the standings",
        "`release_own_scores` and `show_standings`. A player who speaks v1 is sent no board while they are held; a player who does not, \
        and the host, are sent what `release_scores` sends.";
    /// The next step of the game.
    V1_STEPS = "v1_steps", v1::steps, "v1, stories: the next step",
        "`step_update`, only to the host, and `next`: each step is taken once, however often and on however many devices it is pressed.";
    /// Pictures that are loaded before the release.
    V1_MEDIA = "v1_media", v1::media, "v1, stories: pictures and sounds",
        "`media_preload`, the copies that it names, and the key in `question_released`.";
    /// Timers.
    V1_TIMERS = "v1_timers", v1::timers, "v1, stories: timers",
        "`timer_update` and `question_closed`, only to sockets with the extension. A question takes no answers after its \
        `question_closed`: one from a socket that was sent it is closed with 4005, one from any other socket is dropped.";
    /// Extra time.
    V1_EXTRA_TIME = "v1_extra_time", v1::extra_time, "v1, stories: extra time",
        "`set_extra_time`. A question is closed for each player at that player's end, and for the host with the last of them. Only \
        the host is sent which players have extra time.";
    /// Jokers.
    V1_JOKERS = "v1_jokers", v1::jokers, "v1, stories: jokers",
        "`play_joker`, `joker_round` and `joker_update`. A joker doubles one round of a player, and is played before its first question \
        is released.";
    /// Sealed quizzes.
    V1_SEALED = "v1_sealed", v1::sealed, "v1, stories: sealed quizzes",
        "`seal_status`, and what is proved with it: `GET /api/v1/seals/{gameCode}`, `/api/v1/games/{id}/proof` and `/api/v1/seats/ref`.";
    /// Tie-breaks.
    V1_TIES = "v1_ties", v1::ties, "v1, stories: tie-breaks",
        "`tie_break`, `answer_tie_break`, `end_tie_break` and `tie_breaks`. A tie-break puts equal players in order and gives no points.";
    /// Seats that move.
    V1_SEATS = "v1_seats", v1::seats, "v1, stories: seats that move to another phone",
        "`POST /api/v1/seats` and the codes for it. The token of the phone before opens nothing from then on, and its socket is closed \
        with 4401.";
    /// Co-hosts.
    V1_CO_HOSTS = "v1_co_hosts", v1::co_hosts, "v1, stories: co-hosts",
        "`POST /api/v1/games/{id}/co-hosts`: a link with a role. A co-host is sent what the host is, and may send what the role may: \
        any other message closes with 4004.";
    /// Spectators.
    V1_SPECTATORS = "v1_spectators", v1::spectators, "v1, stories: spectators",
        "`POST /api/v1/spectators`, if the host lets spectators watch. A spectator has the role `screen`.";
    /// Teams.
    V1_TEAMS = "v1_teams", v1::teams, "v1, stories: several phones on one sheet",
        "`team` and `teamCode` of `POST /join`, `team_update`, `team_sheet` and `suggest_answer`. A team is one player to everyone else.";
    /// The room, and the players who have answered.
    V1_ROOM = "v1_room", v1::room, "v1, stories: the room",
        "`room_update`, `players_answered` and `answered_status`, `lock_game` and `remove_player`.";
    /// Marking.
    V1_MARKING = "v1_marking", v1::marking, "v1, stories: marking",
        "`mark_answers` and `undo_marking` beside `override_answer`. After each step the review that a new socket is sent, and the results \
        over HTTP, are compared with the oracle.";
    /// Appeals.
    V1_APPEALS = "v1_appeals", v1::appeals, "v1, stories: appeals",
        "`appeal`, `dismiss_appeal`, and `correct_marks` of players. The outcome of an appeal is sent only to its player and to the host.";
    /// Points by hand.
    V1_ADJUSTMENTS = "v1_adjustments", v1::adjustments, "v1, stories: points by hand",
        "`adjust_points` and `undo_adjustment`. A plain socket sees them in `roundTotal` and `score` only; the board always adds up.";
    /// Edited and withdrawn questions, and new names.
    V1_MENDING = "v1_mending", v1::mending, "v1, stories: edited and withdrawn questions, and new names",
        "`edit_question`, `withdraw_question` and `rename_player`. A plain socket is sent nothing of them; it sees the words, the points \
        and the name in the messages that follow anyway.";
    /// Games question by question.
    V1_PACE = "v1_pace", v1::pace, "v1, stories: question by question, and early closing",
        "`pace` and other options of a game, `PUT /api/v1/games/{id}/options`, `close_question` and `set_close_when_answered`. A plain \
        socket plays an ordinary game of rounds with one question.";
    /// Players on paper.
    V1_PAPER = "v1_paper", v1::paper, "v1, stories: players on paper",
        "`add_seat` and `enter_answer`. Such a player is one like the others in lists, reviews, boards and results; only the host is sent \
        that no phone is there.";
    /// The key of a game.
    V1_KEY = "v1_key", v1::key, "v1, stories: the key of a game",
        "`accept_answer` while questions are open and in review, and `open_desk` with `answers_update`.";
    /// Kinds of questions.
    V1_KINDS = "v1_kinds", v1::kinds, "v1, stories: kinds of questions",
        "Questions of which an answer can be partly right, or is neither right nor wrong, or right only beside the others; and `show_tally`. \
        A socket without v1 is sent each as a type that the interface has.";
    /// Streaks.
    V1_STREAKS = "v1_streaks", v1::streaks, "v1, stories: streaks",
        "Rounds in which right answers in a row earn more. The points are compared with the oracle in every message and over HTTP; a \
        socket without v1 is sent the points, and not the part for the streak.";
    /// Points for speed.
    V1_SPEED = "v1_speed", v1::speed, "v1, stories: points for speed",
        "Rounds in which right answers earn more, the sooner they are given. The time that the server states is held against the suite's own \
        clock, and the points against the oracle, in every message and over HTTP.";
    /// Pings.
    V1_PING = "v1_ping", v1::ping, "v1, stories: `ping`",
        "Answered by the socket itself, after everything that was queued on it before: so the `pong` of a first `ping` says that the \
        sync messages have come.";
    /// Between two rounds.
    V1_BETWEEN = "v1_between", v1::between, "v1, stories: between two rounds",
        "`reveal_answer`, `start_break` and `end_break`, and games in which phones wait for the screen. Nothing of it reaches a socket \
        without v1.";
}

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
