//! Security regressions that are not a single step of a table.

use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use quizhall_oracle::Fact;
use quizhall_protocol::{CloseCode, Role};
use serde_json::json;
use uuid::Uuid;

use crate::row::{Story, Wanted, story};
use crate::seat::Event;
use crate::stage::Stage;
use crate::stage::command::Command;
use crate::stage::substate::SubState;
use crate::wire::{Knock, Opened, Request, Response, exchange};
use crate::world::World;

/// At once, and each for the same name.
const RIVALS: usize = 20;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "foreign_origin",
        "a lobby and proper tokens",
        "handshakes with `Origin` of another site, `null`, another port and a look-alike",
        "403 for each, no 101",
        Swift,
        foreign_origin
    ),
    story!(
        "foreign_page",
        "a lobby",
        "`POST /join` with `Origin` of another site, and with `Sec-Fetch-Site: cross-site`",
        "403 for each, and no one joins",
        Swift,
        foreign_page
    ),
    story!(
        "same_refusal",
        "a lobby",
        "no token, a word, an empty one, 4 KB, one never given out, one signed out",
        "401, the same bytes for all",
        Swift,
        same_refusal
    ),
    story!(
        "same_close_for_strangers",
        "an open question",
        "answer a question not released, one of another game, a random id",
        "4005, the same bytes for all",
        Swift,
        same_close_for_strangers
    ),
    story!(
        "same_acknowledgement",
        "an open question",
        "one player answers rightly, one wrongly",
        "`answer_accepted`, the same bytes for both",
        Swift,
        same_acknowledgement
    ),
    story!(
        "nothing_public",
        "a question answered and an override made",
        "read health, metrics, a join, refusals",
        "no key, no answer, no token, no name, no code in any of them",
        Swift,
        nothing_public
    ),
    story!(
        "one_name_one_player",
        "a lobby",
        "twenty joins at once with one name in different spellings",
        "one 201, nineteen 409, one player",
        Swift,
        one_name_one_player
    ),
    story!(
        "answers_are_the_senders",
        "an open question, two players",
        "the first answers and names the second as `playerId`",
        "the review shows the answer as the first player's",
        Swift,
        answers_are_the_senders
    ),
    story!(
        "not_stored",
        "a lobby",
        "join, sign in wrongly",
        "`Cache-Control: no-store` and `Referrer-Policy: no-referrer`",
        Swift,
        not_stored
    ),
    story!(
        "length_and_chunks",
        "a server",
        "a request with both Content-Length and Transfer-Encoding, another hidden behind it",
        "400, or one answer and the end of the connection",
        Swift,
        length_and_chunks
    ),
    story!(
        "header_injection",
        "a server",
        "a path with encoded line breaks",
        "400 or 404, and no such header in the answer",
        Swift,
        header_injection
    ),
];

async fn foreign_origin(world: Arc<World>) -> anyhow::Result<()> {
    let stage = Stage::reach(&world, SubState::Lobby, Role::Player).await?;
    let own = world.target.origin();
    let origins =
        ["https://evil.example".to_owned(), "null".to_owned(), format!("{own}1"), format!("{own}.evil.example")];
    for origin in origins {
        for token in [world.host.token(), &stage.tokens[0]] {
            let knock = Knock::bearer(&stage.code, token).header("Origin", &origin);
            let Opened::Refused(response) = world.pace.open(&knock, &world.target).await? else {
                bail!("{origin}: a socket opened")
            };
            ensure!(response.status == 403, "{origin}: HTTP {}", response.status);
        }
    }
    Ok(())
}

async fn foreign_page(world: Arc<World>) -> anyhow::Result<()> {
    let stage = Stage::reach(&world, SubState::Lobby, Role::Player).await?;
    let body = format!(r#"{{"gameCode": "{}", "displayName": "{}"}}"#, stage.code, world.fresh_name());
    for (header, value) in [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")] {
        let join = Request::new("POST", "/join").header("Content-Type", "application/json").header(header, value);
        let response = join.body(body.clone()).send(&world.target).await?;
        ensure!(response.status == 403, "{header}: HTTP {}", response.status);
    }
    let join = Request::new("POST", "/join").header("Content-Type", "application/json").body(body);
    let response = join.send(&world.target).await?;
    ensure!(response.status == 201, "the name is free: HTTP {}", response.status);
    Ok(())
}

async fn same_refusal(world: Arc<World>) -> anyhow::Result<()> {
    let stage = Stage::reach(&world, SubState::Lobby, Role::Player).await?;
    let code = stage.code.clone();
    let plain = Knock { code: code.clone(), ..Knock::default() };
    let mut knocks = vec![
        plain.clone(),
        Knock::bearer(&code, "x"),
        Knock::bearer(&code, ""),
        Knock { query: Some(String::new()), ..plain.clone() },
        Knock { query: Some("x".to_owned()), ..plain },
        Knock::bearer(&code, &"t".repeat(4_000)),
        Knock::bearer(&code, &format!("qh_{}", "A".repeat(43))),
        Knock::bearer(&code, &format!("qp_{}", "A".repeat(64))),
    ];
    let revoked = world.second_host()?.revoked.as_ref();
    knocks.extend(revoked.map(|token| Knock::bearer(&code, token)));
    let mut first: Option<Response> = None;
    for (number, knock) in knocks.iter().enumerate() {
        let Opened::Refused(response) = world.pace.open(knock, &world.target).await? else {
            bail!("knock {number}: a socket")
        };
        ensure!(response.status == 401, "knock {number}: HTTP {}", response.status);
        let first = first.get_or_insert_with(|| response.clone());
        ensure!(first.body == response.body, "knock {number} is answered with other bytes than the first");
        let names = |response: &Response| response.headers.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        ensure!(names(first) == names(&response), "knock {number} is answered with other headers than the first");
    }
    Ok(())
}

async fn same_close_for_strangers(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    for question in [stage.oracle.question(1).id, world.foreign.question, Uuid::new_v4()] {
        let bytes = Command::answer(question, "b").bytes();
        let wanted = [Wanted::bare(CloseCode::UnknownQuestion)];
        stage.refused(crate::stage::command::Actor::Player(0), &bytes, &wanted).await?;
    }
    Ok(())
}

async fn same_acknowledgement(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    let question = stage.oracle.question(0);
    let texts = [Command::answer(question.id, &question.key()).text(), Command::answer(question.id, "no").text()];
    let mut seen = Vec::new();
    for (player, text) in stage.players.iter_mut().zip(&texts) {
        player.send(text).await?;
        match player.next().await? {
            Event::Message(message) => seen.push(message),
            other => bail!("expected an acknowledgement, got {other:?}"),
        }
    }
    ensure!(seen[0] == seen[1], "right and wrong are acknowledged differently");
    Ok(())
}

async fn nothing_public(world: Arc<World>) -> anyhow::Result<()> {
    let stage = Stage::reach(&world, SubState::Overridden, Role::Player).await?;
    let join = json!({ "gameCode": stage.code, "displayName": world.fresh_name() });
    let requests = [
        Request::new("GET", "/healthz"),
        Request::new("GET", "/readyz"),
        Request::new("GET", "/metrics"),
        Request::new("GET", "/api/v1/games").bearer(&stage.tokens[0]),
        Request::new("GET", &format!("/api/v1/games/{}", stage.id)),
        Request::new("POST", "/join").json(&join),
    ];
    for (number, request) in requests.iter().enumerate() {
        let response = request.send(&world.target).await?;
        let text = format!("{:?}{}", response.headers, response.text());
        world.observer.public(&format!("answer {number}"), &text)?;
        for token in [world.host.token(), &stage.tokens[0], &stage.tokens[1]] {
            ensure!(!text.contains(token), "answer {number} holds a token");
        }
    }
    let metrics = Request::new("GET", "/metrics").send(&world.target).await?.text();
    let id = stage.id.to_string();
    for hidden in [stage.code.as_str(), &id, &stage.oracle.players[0].id.to_string(), "Bela"] {
        ensure!(!metrics.contains(hidden), "the metrics hold a code, an id or a name");
    }
    Ok(())
}

async fn one_name_one_player(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open(&world, world.short, &[]).await?;
    let spellings = ["Oscar", "OSCAR", "  oscar ", "Ｏscar", "оscar"];
    let joins = (0..RIVALS).map(|number| {
        let body = json!({ "gameCode": stage.code, "displayName": spellings[number % spellings.len()] });
        let target = world.target.clone();
        tokio::spawn(async move { Request::new("POST", "/join").json(&body).send(&target).await })
    });
    let (mut joined, mut clashes) = (Vec::new(), 0);
    for join in joins.collect::<Vec<_>>() {
        let response = join.await??;
        match response.status {
            201 => joined.push(response.json()?),
            409 => clashes += 1,
            status => bail!("HTTP {status}"),
        }
    }
    ensure!(joined.len() == 1 && clashes == RIVALS - 1, "{} joined, {clashes} clashes", joined.len());
    let player = joined[0]["playerId"].as_str().and_then(|id| Uuid::try_parse(id).ok()).context("no player id")?;
    let name = joined[0]["displayName"].as_str().unwrap_or_default().to_owned();
    stage.happened(&Fact::Joined(player, name))?;
    stage.expect_lobby().await?;
    stage.settled().await.map(drop)
}

async fn answers_are_the_senders(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::OneOpen, Role::Player).await?;
    let (question, victim) = (stage.oracle.question(0).id, stage.oracle.players[1].id);
    let answer = Command::answer(question, "mine");
    let text = answer.text().replacen(
        r#""payload":{"#,
        &format!(r#""playerId":"{victim}","payload":{{"playerId":"{victim}","#),
        1,
    );
    ensure!(text.matches(&victim.to_string()).count() == 2, "the row's own text is wrong");
    let bytes = crate::wire::Build::text(&text).bytes();
    stage.play_bytes(crate::stage::command::Actor::Player(0), &answer, &bytes).await?;
    stage.end_round().await
}

async fn not_stored(world: Arc<World>) -> anyhow::Result<()> {
    let stage = Stage::open(&world, world.short, &[]).await?;
    let join = json!({ "gameCode": stage.code, "displayName": "Ada" });
    let wrong = json!({ "name": world.fresh_name(), "password": "not the word" });
    for (path, body, status) in [("/join", join, 201), ("/api/v1/sessions", wrong, 401)] {
        let response = Request::new("POST", path).json(&body).send(&world.target).await?;
        ensure!(response.status == status, "{path}: HTTP {}", response.status);
        let cache = response.header("cache-control").unwrap_or_default();
        ensure!(cache.contains("no-store"), "{path} may be stored");
        ensure!(response.header("referrer-policy") == Some("no-referrer"), "{path} lets the referrer go");
    }
    Ok(())
}

async fn length_and_chunks(world: Arc<World>) -> anyhow::Result<()> {
    let host = world.target.authority();
    let hidden = format!("GET /livez HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let head =
        format!("POST /join HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 5\r\n");
    let bytes = format!("{head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n{hidden}");
    let first = exchange(&world.target, bytes.as_bytes(), false).await?;
    if first.status == 400 && first.header("connection").is_none_or(|value| !value.eq_ignore_ascii_case("keep-alive")) {
        return Ok(());
    }
    // RFC 9112 §6.1: who accepts it must close the connection after answering.
    let mut stream = world.target.connect().await?;
    tokio::io::AsyncWriteExt::write_all(&mut stream, bytes.as_bytes()).await?;
    let mut all = Vec::new();
    let read = tokio::io::AsyncReadExt::read_to_end(&mut stream, &mut all);
    tokio::time::timeout(world.options.time_limit, read).await.context("the connection was left open")??;
    let answers = String::from_utf8_lossy(&all).matches("HTTP/1.1 ").count();
    ensure!(answers == 1, "{answers} answers: the hidden request was served");
    Ok(())
}

async fn header_injection(world: Arc<World>) -> anyhow::Result<()> {
    for path in ["/%0d%0aX-Injected:%201", "/ws/%0d%0aX-Injected:%201", "/api/v1/games/%0aX-Injected:%201"] {
        let response = Request::new("GET", path).bearer(world.host.token()).send(&world.target).await?;
        ensure!(matches!(response.status, 400 | 404 | 422 | 426), "{path}: HTTP {}", response.status);
        ensure!(response.header("x-injected").is_none(), "{path}: a header was injected");
    }
    Ok(())
}
