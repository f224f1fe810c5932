//! Everything over HTTP but joining: health, metrics, methods, sizes, access to the host API, and bytes that are not HTTP.

use serde_json::json;

use super::Group;
use super::http::{Answer, Ask, HttpCase, Who, row};
use crate::row::Row;

/// The group.
pub const GROUP: Group = Group {
    name: "http",
    title: "HTTP",
    about: "Errors are `application/problem+json` with `type`, `title`, `status`, `detail` and at most `field`. No answer may be sniffed as \
            another type, none shares itself with foreign pages, none is a 5xx.",
    rows,
};

fn rows() -> Vec<Row> {
    let mut rows = health();
    rows.extend(api_access());
    rows.extend(quiz_bodies());
    rows.extend(other_bodies());
    rows.extend(api_reads());
    rows.extend(raw_heads());
    rows.extend(raw_hosts());
    rows.extend(raw_handshakes());
    rows
}

fn http(name: &str, ask: Ask, statuses: &[u16], answer: Answer) -> Row {
    row(format!("http/{name}"), HttpCase { ask, statuses: statuses.to_vec(), answer })
}

fn problem() -> Answer {
    Answer::Problem(None)
}

fn health() -> Vec<Row> {
    let ok = || Answer::Exactly(json!({ "status": "ok" }));
    vec![
        http("healthz", Ask::bare("GET", "/healthz"), &[200], ok()),
        http("readyz", Ask::bare("GET", "/readyz"), &[200], ok()),
        http("healthz_head", Ask::bare("HEAD", "/healthz"), &[200], Answer::Nothing),
        http("healthz_post", Ask::bare("POST", "/healthz"), &[405], problem()),
        http("healthz_with_a_query", Ask::bare("GET", "/healthz?token=abc"), &[200], ok()),
        http("readyz_delete", Ask::bare("DELETE", "/readyz"), &[405], problem()),
        http("livez", Ask::bare("GET", "/livez"), &[200], Answer::NoSharing),
        http("metrics", Ask::bare("GET", "/metrics"), &[200], Answer::Metrics),
        http("metrics_head", Ask::bare("HEAD", "/metrics"), &[200], Answer::Nothing),
        http("metrics_post", Ask::bare("POST", "/metrics"), &[405], problem()),
        http("unknown_path", Ask::bare("GET", "/no/such/page"), &[404], problem()),
        http("unknown_api_path", Ask::bare("GET", "/api/v1/nothing").by(Who::Host), &[404], problem()),
        http("dot_dot_encoded", Ask::bare("GET", "/ws/%2e%2e/metrics"), &[400, 404], problem()),
        http("ws_without_upgrade", Ask::bare("GET", "/ws/$CODE").by(Who::Host), &[400, 426], problem()),
        http("ws_post", Ask::bare("POST", "/ws/$CODE").by(Who::Host), &[405], problem()),
        http("ws_nothing", Ask::bare("GET", "/ws/").by(Who::Host), &[404], problem()),
        http("media_of_no_type", Ask::post("/api/v1/media", "neither seen nor heard").by(Who::Host), &[415], problem()),
        http("options_foreign", Ask::bare("OPTIONS", "/api/v1/games"), &[200, 204, 401, 405], Answer::NoSharing),
    ]
}

fn api_access() -> Vec<Row> {
    const PATHS: [(&str, &str, &str); 9] = [
        ("quizzes", "GET", "/api/v1/quizzes"),
        ("quiz", "GET", "/api/v1/quizzes/$QUIZ"),
        ("delete_quiz", "DELETE", "/api/v1/quizzes/$QUIZ"),
        ("games", "GET", "/api/v1/games"),
        ("game", "GET", "/api/v1/games/$GAME"),
        ("delete_game", "DELETE", "/api/v1/games/$GAME"),
        ("players", "GET", "/api/v1/games/$GAME/players"),
        ("results", "GET", "/api/v1/games/$GAME/results"),
        ("media", "GET", "/api/v1/media"),
    ];
    let mut rows = Vec::new();
    for (name, method, path) in PATHS {
        for (who, token) in [(Who::NoOne, "no_token"), (Who::Player, "player"), (Who::Junk, "junk")] {
            rows.push(http(&format!("door/{name}/{token}"), Ask::bare(method, path).by(who), &[401], problem()));
        }
        if path.contains('$') {
            // A stranger's id answers like a random one.
            rows.push(http(
                &format!("door/{name}/other_host"),
                Ask::bare(method, path).by(Who::Other),
                &[404],
                problem(),
            ));
            let random = path.replace("$QUIZ", "$RANDOM").replace("$GAME", "$RANDOM");
            rows.push(http(
                &format!("door/{name}/random_id"),
                Ask::bare(method, &random).by(Who::Host),
                &[404],
                problem(),
            ));
            let no_id = path.replace("$QUIZ", "seven").replace("$GAME", "seven");
            rows.push(http(
                &format!("door/{name}/no_id"),
                Ask::bare(method, &no_id).by(Who::Host),
                &[400, 404, 422],
                problem(),
            ));
        }
    }
    rows
}

/// A file that no account has.
const NO_FILE: &str = r#""id":"01995c2e-0a10-7000-8000-000000000a11""#;

fn quiz_bodies() -> Vec<Row> {
    let quiz = |name: &str, body: &str, statuses: &[u16], field| {
        http(
            &format!("quiz/{name}"),
            Ask::post("/api/v1/quizzes", body).by(Who::Host),
            statuses,
            Answer::Problem(field),
        )
    };
    let question = |rest: &str| format!(r#"{{"title":"T","rounds":[{{"questions":[{{"text":"Q?",{rest}}}]}}]}}"#);
    let first = |field: &'static str| Some(field);
    vec![
        quiz("not_json", "title", &[400], None),
        quiz("no_rounds", r#"{"title":"T"}"#, &[400, 422], None),
        quiz("empty_rounds", r#"{"title":"T","rounds":[]}"#, &[422], first("rounds")),
        quiz("no_title", r#"{"title":"","rounds":[{"questions":[]}]}"#, &[422], None),
        quiz(
            "round_without_questions",
            r#"{"title":"T","rounds":[{"questions":[]}]}"#,
            &[422],
            first("rounds[0].questions"),
        ),
        quiz("no_answers", &question(r#""type":"text","correctAnswers":[]"#), &[422], {
            first("rounds[0].questions[0].correctAnswers")
        }),
        quiz("unknown_type", &question(r#""type":"riddle","correctAnswers":["a"]"#), &[422], {
            first("rounds[0].questions[0].type")
        }),
        quiz(
            "key_not_a_choice",
            &question(r#""type":"multiple_choice","choices":["a","b"],"correctAnswers":["c"]"#),
            &[422],
            None,
        ),
        quiz("one_choice", &question(r#""type":"multiple_choice","choices":["a"],"correctAnswers":["a"]"#), &[422], {
            first("rounds[0].questions[0].choices")
        }),
        quiz("number_that_is_none", &question(r#""type":"numeric","correctAnswers":["seven"]"#), &[422], None),
        quiz("points_negative", &question(r#""type":"text","correctAnswers":["a"],"points":-1"#), &[422], None),
        quiz("points_too_many", &question(r#""type":"text","correctAnswers":["a"],"points":1000001"#), &[422], {
            first("rounds[0].questions[0].points")
        }),
        quiz(
            "picture_not_described",
            &question(&format!(r#""type":"text","correctAnswers":["a"],"media":{{{NO_FILE},"kind":"picture"}}"#)),
            &[422],
            first("rounds[0].questions[0].media.alt"),
        ),
        quiz(
            "picture_that_is_none",
            &question(&format!(
                r#""type":"text","correctAnswers":["a"],"media":{{{NO_FILE},"kind":"picture","alt":"A tube"}}"#
            )),
            &[422],
            first("rounds[0].questions[0].media.id"),
        ),
        quiz(
            "text_too_long",
            &question(r#""type":"text","correctAnswers":["a"]"#).replace("Q?", &"Q".repeat(2_001)),
            &[422],
            first("rounds[0].questions[0].text"),
        ),
        quiz(
            "nul_in_text",
            &question(r#""type":"text","correctAnswers":["a"]"#).replace("Q?", r"Q\u0000"),
            &[400, 422],
            None,
        ),
    ]
}

fn other_bodies() -> Vec<Row> {
    let game = |name: &str, body: &str, statuses: &[u16]| {
        http(&format!("game/{name}"), Ask::post("/api/v1/games", body).by(Who::Host), statuses, problem())
    };
    vec![
        game("not_json", "{", &[400]),
        game("no_quiz", "{}", &[400, 422]),
        game("quiz_is_no_id", r#"{"quizId":"seven"}"#, &[400, 422]),
        game("unknown_quiz", r#"{"quizId":"$RANDOM"}"#, &[404, 422]),
        http(
            "game/text_plain",
            Ask::typed("POST", "/api/v1/games", Some("text/plain"), r#"{"quizId":"$QUIZ"}"#).by(Who::Host),
            &[415],
            problem(),
        ),
        http(
            "game/foreign_quiz",
            Ask::post("/api/v1/games", r#"{"quizId":"$QUIZ"}"#).by(Who::Other),
            &[404, 422],
            problem(),
        ),
        http(
            "session/wrong_password",
            Ask::post("/api/v1/sessions", r#"{"name":"$NAME","password":"not the word"}"#),
            &[401],
            problem(),
        ),
        http("session/not_json", Ask::post("/api/v1/sessions", "name"), &[400], problem()),
        http(
            "host/without_a_token",
            Ask::post("/api/v1/hosts", r#"{"name":"$NAME","password":"long enough"}"#),
            &[401, 403],
            problem(),
        ),
        http(
            "host/short_password",
            Ask::post("/api/v1/hosts", r#"{"name":"$NAME","password":"short"}"#).by(Who::Host),
            &[422],
            Answer::Problem(Some("password")),
        ),
    ]
}

fn api_reads() -> Vec<Row> {
    const GAME: &[&str] = &[
        "id",
        "quizId",
        "gameCode",
        "joinUrl",
        "title",
        "phase",
        "currentRound",
        "locked",
        "playerCount",
        "rounds",
        "released",
        "createdAt",
    ];
    const RESULTS: &[&str] = &["gameId", "gameCode", "title", "phase", "leaderboard", "rounds"];
    const QUIZ: &[&str] = &["id", "title", "rounds", "createdAt", "updatedAt"];
    let read = |path: &str| Ask::bare("GET", path).by(Who::Host);
    vec![
        http("read/quizzes", read("/api/v1/quizzes"), &[200], Answer::Fields(&["quizzes"])),
        http("read/quiz", read("/api/v1/quizzes/$QUIZ"), &[200], Answer::Fields(QUIZ)),
        http("read/games", read("/api/v1/games"), &[200], Answer::Fields(&["games"])),
        http("read/game", read("/api/v1/games/$GAME"), &[200], Answer::Fields(GAME)),
        http("read/players", read("/api/v1/games/$GAME/players"), &[200], Answer::Fields(&["players"])),
        http("read/results", read("/api/v1/games/$GAME/results"), &[200], Answer::Fields(RESULTS)),
        http("read/results_csv_by_name", read("/api/v1/games/$GAME/results.csv"), &[200], Answer::Csv),
        http(
            "read/results_csv_by_accept",
            read("/api/v1/games/$GAME/results").accepting("text/csv"),
            &[200],
            Answer::Csv,
        ),
        http(
            "read/patch_nothing",
            Ask::typed("PATCH", "/api/v1/games/$GAME", Some("application/json"), "{}").by(Who::Host),
            &[400, 422],
            problem(),
        ),
        http("read/put_game", Ask::bare("PUT", "/api/v1/games/$GAME").by(Who::Host), &[405], problem()),
        http(
            "read/new_game",
            Ask::post("/api/v1/games", r#"{"quizId":"$QUIZ"}"#).by(Who::Host),
            &[201],
            Answer::Fields(GAME),
        ),
    ]
}

fn raw(name: &str, what: &'static str, bytes: fn(&str) -> String, statuses: &[u16]) -> Row {
    http(&format!("raw/{name}"), Ask::Raw(what, bytes), statuses, Answer::NoSharing)
}

fn raw_heads() -> Vec<Row> {
    vec![
        raw("no_http", "a line that is not HTTP", |_| "HELLO WORLD\r\n\r\n".to_owned(), &[400]),
        raw(
            "space_in_path",
            "a path with a space",
            |host| format!("GET /heal thz HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            &[400],
        ),
        raw(
            "header_of_9_kib",
            "a header of 9 KiB",
            |host| format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nX-Long: {}\r\n\r\n", "x".repeat(9 << 10)),
            &[431],
        ),
        raw(
            "70_headers",
            "seventy headers",
            |host| {
                let headers = "X-Odd: 1\r\n".repeat(70);
                format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n")
            },
            &[431],
        ),
        raw(
            "space_before_colon",
            "a space before a header's colon",
            |host| format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nX-Odd : 1\r\n\r\n"),
            &[400],
        ),
        raw(
            "two_lengths",
            "two different Content-Lengths",
            |host| {
                let head = format!("POST /join HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n");
                format!("{head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}\n")
            },
            &[400],
        ),
        raw(
            "length_is_no_number",
            "a Content-Length that is no number",
            |host| format!("POST /join HTTP/1.1\r\nHost: {host}\r\nContent-Length: two\r\n\r\n{{}}"),
            &[400],
        ),
        raw(
            "length_negative",
            "a negative Content-Length",
            |host| format!("POST /join HTTP/1.1\r\nHost: {host}\r\nContent-Length: -2\r\n\r\n{{}}"),
            &[400],
        ),
        raw(
            "nul_in_header",
            "a NUL in a header",
            |host| format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nX-Odd: a\0b\r\n\r\n"),
            &[400],
        ),
    ]
}

fn raw_hosts() -> Vec<Row> {
    vec![
        raw("no_host", "a request without a Host", |_| "GET /healthz HTTP/1.1\r\n\r\n".to_owned(), &[400]),
        raw(
            "two_hosts",
            "a request with two Hosts",
            |host| format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n\r\n"),
            &[400],
        ),
        http("ws_head", Ask::bare("HEAD", "/ws/ZZ22ZZ"), &[405], Answer::Nothing),
    ]
}

fn raw_handshakes() -> Vec<Row> {
    vec![
        raw(
            "version_2_in_words",
            "HTTP/3.0 in the request line",
            |host| format!("GET /healthz HTTP/3.0\r\nHost: {host}\r\n\r\n"),
            &[400, 505],
        ),
        raw(
            "ws_version_8",
            "a handshake of version 8",
            |host| {
                let upgrade =
                    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
                format!("GET /ws/ZZ22ZZ HTTP/1.1\r\nHost: {host}\r\n{upgrade}Sec-WebSocket-Version: 8\r\n\r\n")
            },
            &[400, 426],
        ),
        raw(
            "ws_without_key",
            "a handshake without a key",
            |host| {
                let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
                format!("GET /ws/ZZ22ZZ HTTP/1.1\r\nHost: {host}\r\n{upgrade}\r\n")
            },
            &[400],
        ),
        raw(
            "two_tokens",
            "two Authorization headers",
            |host| {
                let tokens = "Authorization: Bearer one\r\nAuthorization: Bearer two\r\nConnection: close\r\n";
                format!("GET /api/v1/games HTTP/1.1\r\nHost: {host}\r\n{tokens}\r\n")
            },
            &[400, 401],
        ),
    ]
}
