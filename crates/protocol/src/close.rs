//! The one table of WebSocket close codes: number, reason, when, and what the client should do.
//!
//! Every close the server chooses is a row of [`CloseCode::ALL`]; no other file writes a numeric code.
//! The ranges of the numbers are the contract: 40xx refused, 41xx trouble, 42xx reconnect at once, 44xx do not
//! reconnect.

use std::fmt;

/// What a client should do after a close (messages.md#close-codes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// Reconnect with backoff; do not send the refused message again.
    Reconnect,
    /// Reconnect with backoff; send again what was not acknowledged.
    ReconnectAndResend,
    /// Reconnect at once and resend what was not acknowledged.
    ReconnectNow,
    /// Do not reconnect: the answer would be the same.
    Stop,
}

impl Advice {
    /// The advice for any number: from its row if the table has one, otherwise from its range (a newer server may have
    /// more codes).
    pub fn for_number(number: u16) -> Self {
        match (CloseCode::from_number(number), number) {
            (Some(code), _) => code.advice(),
            (None, 4000..=4099) => Self::Reconnect,
            (None, 4200..=4299) => Self::ReconnectNow,
            (None, 4400..=4499) => Self::Stop,
            (None, _) => Self::ReconnectAndResend,
        }
    }
}

macro_rules! close_codes {
    ($($name:ident = $number:literal, $reason:literal, $advice:ident, $when:literal;)*) => {
        /// A reason the server closes a socket for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum CloseCode {
            $(#[doc = $when] $name,)*
        }

        impl CloseCode {
            /// Every code, in numeric order.
            pub const ALL: &'static [CloseCode] = &[$(CloseCode::$name,)*];

            /// The number on the wire.
            pub const fn number(self) -> u16 {
                match self { $(CloseCode::$name => $number,)* }
            }

            /// The token the reason begins with.
            pub const fn reason(self) -> &'static str {
                match self { $(CloseCode::$name => $reason,)* }
            }

            /// What the client should do next.
            pub const fn advice(self) -> Advice {
                match self { $(CloseCode::$name => Advice::$advice,)* }
            }

            /// When the server uses the code, as a sentence for the reference.
            pub const fn when(self) -> &'static str {
                match self { $(CloseCode::$name => $when,)* }
            }
        }
    };
}

close_codes! {
    GameOver = 1000, "game_over", Stop, "After `game_ended` and a pause of 60 s.";
    ProtocolError = 1002, "protocol_error", Reconnect, "The bytes are not WebSocket frames as RFC 6455 has them.";
    TextOnly = 1003, "text_only", Reconnect, "A binary message: all messages are JSON text.";
    InvalidUtf8 = 1007, "invalid_utf8", Reconnect, "A text message is not UTF-8.";
    MessageTooBig = 1009, "message_too_big", Reconnect, "A message is larger than allowed, or in too many fragments.";
    InternalError = 1011, "internal_error", ReconnectAndResend, "A bug, contained to this game.";
    ServiceRestart = 1012, "service_restart", ReconnectAndResend, "The server is draining; the reason has a `retry` window in seconds.";
    TryAgainLater = 1013, "try_again_later", ReconnectAndResend, "Overload.";
    InvalidJson = 4000, "invalid_json", Reconnect, "The message is not a JSON envelope with a `type`.";
    UnknownType = 4001, "unknown_type", Reconnect, "The `type` is unknown, or only the server sends it.";
    InvalidPayload = 4002, "invalid_payload", Reconnect, "A field is missing, of the wrong type or out of range; the detail names it.";
    WrongPhase = 4003, "wrong_phase", Reconnect, "A valid message in a phase that does not allow it.";
    WrongRole = 4004, "wrong_role", Reconnect, "A player sent a host's message, or the reverse.";
    UnknownQuestion = 4005, "unknown_question", Reconnect, "The question is not in this game, or not open.";
    UnknownPlayer = 4006, "unknown_player", Reconnect, "The player is not in this game.";
    RateLimited = 4008, "rate_limited", Reconnect, "Too many messages or control frames; or, then with a `retry` window in seconds, too many sockets of one participant (`reconnects`) or too many bytes of one for the log (`log`).";
    ReadTimeout = 4100, "read_timeout", ReconnectAndResend, "A message was begun and not finished in time.";
    SlowConsumer = 4101, "slow_consumer", ReconnectAndResend, "The outbound queue or the write deadline was exceeded.";
    StorageUnavailable = 4102, "storage_unavailable", ReconnectAndResend, "The command could not be stored within 5 s.";
    PingTimeout = 4103, "ping_timeout", ReconnectAndResend, "No sign of life after a ping.";
    ResyncRequired = 4200, "resync_required", ReconnectNow, "The game moved to another node, or a gap was found.";
    Unauthorized = 4401, "unauthorized", Stop, "The token is missing, wrong, expired or revoked.";
    Forbidden = 4403, "forbidden", Stop, "The token belongs to another game.";
    GameNotFound = 4404, "game_not_found", Stop, "No game has this code.";
    Replaced = 4409, "replaced", Stop, "The same participant connected again.";
    GameClosed = 4410, "game_closed", Stop, "The game was deleted or archived.";
    Removed = 4411, "removed", Stop, "The host removed the player.";
}

impl CloseCode {
    /// The code with this number, if the server uses it.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.number() == number)
    }

    /// Whether it answers an illegal message. Too many legal messages do not count.
    pub fn refuses_a_message(self) -> bool {
        self.advice() == Advice::Reconnect && self != Self::RateLimited
    }
}

/// A close as it goes out: a code, and the reason `token[: detail][; retry=a-b]`, ASCII, at most 123 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Close {
    /// The row of the table.
    pub code: CloseCode,
    /// What exactly was wrong, in the server's own words; never the client's input.
    pub detail: Option<&'static str>,
    /// The window, in seconds (from, to), in which the client should come back.
    pub retry: Option<(u16, u16)>,
}

impl Close {
    /// The participant has added as much to the log of the game as a minute allows. Unless that is set lower, the
    /// longest answer is allowed again after two seconds.
    pub const TOO_MUCH: Self = Self { code: CloseCode::RateLimited, detail: Some("log"), retry: Some((2, 4)) };

    /// A close with a detail.
    pub const fn with_detail(code: CloseCode, detail: &'static str) -> Self {
        Self { code, detail: Some(detail), retry: None }
    }

    /// A close with a window for coming back, in seconds.
    pub const fn with_retry(code: CloseCode, from: u16, to: u16) -> Self {
        Self { code, detail: None, retry: Some((from, to)) }
    }

    /// The reason string of the close frame.
    pub fn reason(&self) -> String {
        self.to_string()
    }
}

impl From<CloseCode> for Close {
    fn from(code: CloseCode) -> Self {
        Self { code, detail: None, retry: None }
    }
}

impl fmt::Display for Close {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code.reason())?;
        if let Some(detail) = self.detail {
            write!(formatter, ": {detail}")?;
        }
        if let Some((from, to)) = self.retry {
            write!(formatter, "; retry={from}-{to}")?;
        }
        Ok(())
    }
}
