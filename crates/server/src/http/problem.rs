//! Errors over HTTP: `application/problem+json` (RFC 9457). All texts are ours; input of a client is never repeated.

use std::borrow::Cow;
use std::time::Duration;

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use quizhall_protocol::http::problem::Problem;
use quizhall_rules::{NameError, Refusal};

use crate::auth::{AccountError, Busy};
use crate::games::{CommandError, GameError};
use crate::limits::JoinQueueFull;
use crate::retention::RetentionError;
use crate::store::StoreError;
use crate::telemetry::{Limit, Recurring, metrics};
use crate::webhooks::{MOST_WEBHOOKS, WebhookError};

/// The media type of errors.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// How long a client that has written too much waits; after that it may write a sentence again.
const WRITTEN_TOO_MUCH: Duration = Duration::from_secs(2);

/// A kind of error: its stable name, title and status.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    slug: &'static str,
    title: &'static str,
    status: u16,
}

macro_rules! kinds {
    ($($name:ident = $status:literal, $slug:literal, $title:literal;)*) => {
        impl Kind { $(
            #[doc = concat!($title, " (", stringify!($status), ").")]
            pub const $name: &'static Self = &Self { slug: $slug, title: $title, status: $status };
        )* }

        impl Kind {
            /// Every kind, in order of its status.
            pub const ALL: &'static [&'static Self] = &[$(Self::$name),*];
        }
    };
}

impl Kind {
    /// Its stable name.
    pub fn slug(&self) -> &'static str {
        self.slug
    }

    /// The value of the member `type` in an error of this kind.
    pub fn uri(&self) -> String {
        format!("/problems/{}", self.slug)
    }

    /// Its title in words.
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// The HTTP status of its errors.
    pub fn status(&self) -> u16 {
        self.status
    }
}

kinds! {
    BAD_REQUEST = 400, "bad-request", "Bad request";
    NOT_JSON = 400, "not-json", "The body is not JSON";
    TWO_TOKENS = 400, "two-tokens", "Two different tokens";
    BAD_KEY = 400, "bad-idempotency-key", "The idempotency key cannot be used";
    UNAUTHORIZED = 401, "unauthorized", "Not signed in";
    WRONG_CREDENTIALS = 401, "wrong-credentials", "Name or password is wrong";
    SET_UP_REFUSED = 403, "set-up-refused", "The set-up link is not valid";
    SIGN_IN_EXPIRED = 403, "sign-in-expired", "The sign-in has expired or was used";
    SIGN_IN_REFUSED = 403, "sign-in-refused", "The identity provider's answer is not valid";
    ACCOUNT_NOT_ALLOWED = 403, "account-not-allowed", "The account may not sign in";
    WRONG_PASSWORD = 403, "wrong-password", "The old password is wrong";
    BANNED = 403, "banned", "The host has banned this phone";
    FORBIDDEN = 403, "forbidden", "Not allowed";
    NOT_FOUND = 404, "not-found", "Not found";
    NO_SUCH_GAME = 404, "no-such-game", "No such game";
    NO_SUCH_SEAT = 404, "no-such-seat", "No seat has this code";
    NO_SUCH_TEAM = 404, "no-such-team", "No team has this code";
    METHOD_NOT_ALLOWED = 405, "method-not-allowed", "Method not allowed";
    TIMEOUT = 408, "timeout", "The request took too long to arrive";
    CONFLICT = 409, "conflict", "Not possible now";
    NAME_TAKEN = 409, "name-taken", "The name is taken";
    GAME_FULL = 409, "game-full", "The game is full";
    HAS_PLAYERS = 409, "has-players", "Players have joined";
    NO_TEAMS = 409, "no-teams", "The game has no teams";
    TEAM_FULL = 409, "team-full", "The team is full";
    SEAT_REMOVED = 409, "seat-removed", "The host removed this seat";
    SEAT_MOVED = 409, "seat-moved", "The seat has moved to another phone";
    WRONG_PHASE = 409, "wrong-phase", "Not possible in this phase";
    TOO_MANY_GAMES = 409, "too-many-games", "Too many live games";
    TOO_MANY_CO_HOSTS = 409, "too-many-co-hosts", "Too many co-hosts";
    TOO_MANY_SCREENS = 409, "too-many-screens", "Too many screens";
    NO_SPECTATORS = 409, "no-spectators", "The host does not let spectators watch";
    OLDER_NODE = 409, "older-node", "A node of an earlier version is still in service";
    TOO_MANY_QUIZZES = 409, "too-many-quizzes", "Too many quizzes";
    MEDIA_IN_USE = 409, "media-in-use", "The file is used";
    NO_PASSWORD = 409, "no-password", "The account has no password";
    TOO_MANY_WEBHOOKS = 409, "too-many-webhooks", "Too many webhooks";
    WEBHOOK_DISABLED = 409, "webhook-disabled", "The webhook is disabled";
    TEST_WAITS = 409, "test-waits", "A test event is already waiting";
    ENDED = 410, "ended", "The game has ended";
    TOO_LARGE = 413, "too-large", "The body is too large";
    NOT_JSON_TYPE = 415, "unsupported-media-type", "The body must be application/json";
    UNKNOWN_MEDIA = 415, "unknown-media", "The type of the file is not accepted";
    INVALID = 422, "invalid", "A field is not acceptable";
    KEY_REUSED = 422, "idempotency-key-reused", "The idempotency key was used for another join";
    KEY_OF_OTHER_REQUEST =
        422, "idempotency-key-of-another-request", "The idempotency key was used for another request";
    LOCKED = 423, "locked", "The game is locked";
    UPGRADE_REQUIRED = 426, "upgrade-required", "A WebSocket is required";
    TOO_OFTEN = 429, "too-often", "Too many requests";
    HEADERS_TOO_LARGE = 431, "headers-too-large", "The headers are too large";
    INTERNAL = 500, "internal-error", "A mistake of the server";
    GAME_DAMAGED = 503, "game-damaged", "What is stored of the game is damaged";
    PROVIDER_UNAVAILABLE = 503, "identity-provider-unavailable", "The identity provider cannot be used";
    UNAVAILABLE = 503, "storage-unavailable", "The database is not available";
    BUSY = 503, "busy", "Too much to do";
    MEDIA_FULL = 507, "media-full", "No room for the file";
}

/// An error to be sent.
#[derive(Debug)]
pub struct Refused {
    kind: &'static Kind,
    detail: Cow<'static, str>,
    field: Option<String>,
    retry_after: Option<Duration>,
    policy: Option<&'static str>,
}

impl Refused {
    /// An error of this kind; `detail` says what the client can do.
    pub fn new(kind: &'static Kind, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, detail: detail.into(), field: None, retry_after: None, policy: None }
    }

    /// 422 for a body with a field that cannot be accepted.
    pub fn invalid(field: impl Into<String>, detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::INVALID, detail).at(field)
    }

    /// A display name that is refused: the words of the rules, as a sentence.
    pub fn invalid_name(field: &str, mistake: NameError) -> Self {
        let words = mistake.to_string();
        let mut letters = words.chars();
        let first = letters.next().map(char::to_uppercase).into_iter().flatten();
        Self::invalid(field, first.chain(letters).chain(['.']).collect::<String>())
    }

    /// No token, or an invalid one: the bytes are the same whatever was wrong (promise 19).
    pub fn unauthorized() -> Self {
        Self::new(Kind::UNAUTHORIZED, "Send a valid token as Authorization: Bearer.")
    }

    /// Not there, or of another account: the bytes are the same in both cases (promise 18).
    pub fn not_found() -> Self {
        Self::new(Kind::NOT_FOUND, "There is nothing here, or it is not yours.")
    }

    /// No game has the code or the id.
    pub fn no_such_game() -> Self {
        Self::new(Kind::NO_SUCH_GAME, "No game has this code. Check it with the host.")
    }

    /// The log of a game cannot be read. Trying again soon does not help, so it has no `Retry-After`.
    pub fn game_damaged() -> Self {
        Self::new(Kind::GAME_DAMAGED, "This game cannot be opened any more. Its host can delete it.")
    }

    /// A node of an earlier version could not continue the game.
    pub fn older_node(unknown: &str) -> Self {
        let detail =
            format!("A node of an earlier version does not know {unknown}. Try again when all nodes run this version.");
        Self::new(Kind::OLDER_NODE, detail)
    }

    /// Whether it is [`Self::game_damaged`].
    pub fn is_game_damaged(&self) -> bool {
        self.kind == Kind::GAME_DAMAGED
    }

    /// Names the field at fault, as a path into the body.
    #[must_use]
    pub fn at(self, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// Sets how long to wait before trying again; whole seconds, at least 1.
    #[must_use]
    pub fn retry_after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
    }

    /// Names the policy that refused, for the header `RateLimit`. Errors of the interface's own endpoints have no
    /// policy: their bytes do not change.
    #[must_use]
    pub fn of_policy(self, policy: &'static str) -> Self {
        Self { policy: Some(policy), ..self }
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.kind.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The error for a status that a layer below set.
    pub(super) fn of_status(status: StatusCode) -> Self {
        let (kind, detail) = match status.as_u16() {
            401 => return Self::unauthorized(),
            403 => (Kind::FORBIDDEN, "This is not allowed."),
            404 => return Self::not_found(),
            405 => (Kind::METHOD_NOT_ALLOWED, "This path knows other methods; see the Allow header."),
            408 => (Kind::TIMEOUT, "The request was not finished in time."),
            413 => (Kind::TOO_LARGE, "The body is larger than this path takes."),
            415 => (Kind::NOT_JSON_TYPE, "Send the body as application/json."),
            426 => (Kind::UPGRADE_REQUIRED, "Open this path as a WebSocket, version 13."),
            431 => (Kind::HEADERS_TOO_LARGE, "The headers are larger than allowed."),
            503 => return Self::new(Kind::BUSY, "Try again in a moment.").retry_after(Duration::from_secs(1)),
            400..500 => (Kind::BAD_REQUEST, "The request cannot be understood."),
            _ => (Kind::INTERNAL, "Something went wrong here; it has been noted."),
        };
        Self::new(kind, detail)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = self.status();
        let problem = Problem {
            kind: self.kind.uri(),
            title: self.kind.title.to_owned(),
            status: self.kind.status,
            detail: self.detail.into_owned(),
            field: self.field,
        };
        let body = serde_json::to_vec(&problem).expect("strings and a number are always JSON");
        let mut response = (status, [(CONTENT_TYPE, PROBLEM_JSON)], body).into_response();
        let headers = response.headers_mut();
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(wait) = self.retry_after {
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds.max(1)));
            if let Some(policy) = self.policy {
                let limit = format!("\"{policy}\";r=0;t={}", seconds.max(1));
                headers.insert("ratelimit", HeaderValue::try_from(limit).expect("a name and numbers"));
            }
        }
        response
    }
}

/// Logs that a request failed at the database. While the database is down, every request fails.
pub(super) fn log_database(error: &StoreError) {
    static FAILED: Recurring = Recurring::new();
    if let Some(unsaid) = FAILED.due() {
        tracing::error!(%error, unsaid, "a request failed at the database");
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        log_database(&error);
        match error {
            StoreError::Corrupt(_) => Self::of_status(StatusCode::INTERNAL_SERVER_ERROR),
            _ => unavailable(),
        }
    }
}

impl From<GameError> for Refused {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Unavailable => unavailable(),
            GameError::Busy => busy("Too much is waiting for this game. Try again in a moment."),
            GameError::Damaged => Self::game_damaged(),
            GameError::Stopping => busy("The game is just moving. Try again in a moment."),
        }
    }
}

impl From<Busy> for Refused {
    fn from(_: Busy) -> Self {
        busy("Too many people are signing in. Try again in a moment.")
    }
}

impl From<CommandError> for Refused {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Game(error) => error.into(),
            CommandError::Refused(refusal) => refusal.into(),
            CommandError::OlderNode(feature) => Self::older_node(feature.name()),
        }
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NameTaken => {
                Self::new(Kind::NAME_TAKEN, "Somebody in this game has this name, or one that looks like it.")
                    .at("displayName")
            }
            Refusal::Locked => Self::new(Kind::LOCKED, "The host lets nobody else in."),
            Refusal::Ended => Self::new(Kind::ENDED, "This game is over."),
            Refusal::Full => Self::new(Kind::GAME_FULL, "Every seat of this game is taken."),
            Refusal::TooManyScreens => {
                Self::new(Kind::TOO_MANY_SCREENS, "The game has as many screens as allowed. Remove one first.")
            }
            Refusal::TooManyCoHosts => {
                Self::new(Kind::TOO_MANY_CO_HOSTS, "The game has as many co-hosts as allowed. Remove one first.")
            }
            Refusal::WrongRole => Self::new(Kind::FORBIDDEN, "Your role does not allow this."),
            Refusal::UnknownSeatCode => {
                Self::new(Kind::NO_SUCH_SEAT, "The code was used, or is older than five minutes. Ask for a new one.")
                    .at("seatCode")
            }
            Refusal::HasPlayers => {
                Self::new(Kind::HAS_PLAYERS, "Teams can be changed only before the first player has joined.")
                    .at("teams")
            }
            Refusal::NoTeams => Self::new(Kind::NO_TEAMS, "Every player of this game has one phone."),
            Refusal::UnknownTeam => {
                Self::new(Kind::NO_SUCH_TEAM, "No team of this game has this code. Check it on a phone of the team.")
                    .at("teamCode")
            }
            Refusal::TeamFull => Self::new(Kind::TEAM_FULL, "The team has as many phones as allowed."),
            Refusal::TeamCodeTaken => busy("No free code of a team was found. Try again."),
            Refusal::IdempotencyMismatch => Self::new(Kind::KEY_REUSED, "Use a new Idempotency-Key for another name."),
            Refusal::TooMuch => {
                metrics::limit_reached(Limit::LogPerSeat);
                Self::new(Kind::TOO_OFTEN, "Too much was written to this game within a minute. Wait a little.")
                    .retry_after(WRITTEN_TOO_MUCH)
            }
            Refusal::WrongPhase => Self::new(Kind::WRONG_PHASE, "The game is in another phase."),
            Refusal::Closed => Self::no_such_game(),
            Refusal::UnknownPlayer => Self::not_found(),
            Refusal::UnknownQuestion
            | Refusal::NoRoundLeft
            | Refusal::KeyFull
            | Refusal::TooManyAdjustments
            | Refusal::UnfitText
            | Refusal::UnfitChoices
            | Refusal::UnfitAccepted
            | Refusal::UnfitName
            | Refusal::Superseded => Self::new(Kind::CONFLICT, "The game does not allow this now."),
        }
    }
}

impl From<AccountError> for Refused {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Name(mistake) => Self::invalid("name", format!("The name {mistake}.")),
            AccountError::Password(mistake) => Self::invalid("password", format!("The password {mistake}.")),
            AccountError::NameTaken => Self::new(Kind::NAME_TAKEN, "Another account has this name.").at("name"),
            AccountError::SetUpRefused => Self::new(
                Kind::SET_UP_REFUSED,
                "The link works once, until the first account exists or the server restarts.",
            ),
            AccountError::NotFound => Self::not_found(),
            error @ (AccountError::Disabled
            | AccountError::OfTheService
            | AccountError::LastAccount
            | AccountError::LastOwner
            | AccountError::OwnsData { .. }
            | AccountError::LiveGames(_)
            | AccountError::TooManyTokens
            | AccountError::OwnHeir) => Self::new(Kind::CONFLICT, format!("Nothing was changed: {error}.")),
            AccountError::WrongCredentials => Self::new(Kind::WRONG_CREDENTIALS, "Check both and try again."),
            AccountError::NoPassword => {
                Self::new(Kind::NO_PASSWORD, "It is signed in to with an identity provider or a token of the settings.")
            }
            AccountError::WrongPassword => Self::new(Kind::WRONG_PASSWORD, "Check it and try again.").at("oldPassword"),
            AccountError::TooOften(wait) => Self::new(Kind::TOO_OFTEN, "Too many attempts to sign in. Wait a little.")
                .retry_after(wait)
                .of_policy("sign-in"),
            AccountError::Busy(error) => error.into(),
            AccountError::Store(error) => error.into(),
        }
    }
}

impl From<WebhookError> for Refused {
    fn from(error: WebhookError) -> Self {
        match error {
            WebhookError::Address(mistake) => Self::invalid("url", format!("The address {mistake}.")),
            WebhookError::TooMany => {
                Self::new(Kind::TOO_MANY_WEBHOOKS, format!("An account has at most {MOST_WEBHOOKS}. Delete one first."))
            }
            WebhookError::Store(error) => error.into(),
        }
    }
}

impl From<RetentionError> for Refused {
    fn from(error: RetentionError) -> Self {
        match error {
            RetentionError::NoGame | RetentionError::NoPlayer => Self::not_found(),
            RetentionError::NotOver => Self::new(Kind::WRONG_PHASE, "The game has not ended. End it first."),
            RetentionError::Held => {
                Self::new(Kind::CONFLICT, "The game's data are just being changed. Try again in a few minutes.")
            }
            RetentionError::Unreadable => Self::of_status(StatusCode::INTERNAL_SERVER_ERROR),
            RetentionError::Store(error) => error.into(),
        }
    }
}

impl From<JoinQueueFull> for Refused {
    fn from(_: JoinQueueFull) -> Self {
        busy("Too many people are joining at once. Try again in a moment.")
    }
}

/// Two carriers with different tokens.
pub fn two_tokens() -> Refused {
    Refused::new(Kind::TWO_TOKENS, "Send one token, in one place.")
}

fn unavailable() -> Refused {
    Refused::new(Kind::UNAVAILABLE, "Nothing can be stored right now. Try again in a moment.")
        .retry_after(Duration::from_secs(2))
}

fn busy(detail: &'static str) -> Refused {
    Refused::new(Kind::BUSY, detail).retry_after(Duration::from_secs(1))
}
