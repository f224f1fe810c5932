//! The limits that clients can reach, as kinds for counting.
//!
//! Used by every module with a limit. A kind names the limit, never the client: no address, game or account is a label.

macro_rules! limits {
    ($($name:ident = $text:literal, $doc:literal;)*) => {
        /// A limit that a client can reach.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Limit {
            $(#[doc = $doc] $name,)*
        }

        impl Limit {
            /// The word of each limit, as the label of the metric.
            pub(super) const NAMES: &'static [&'static str] = &[$($text),*];

            /// The word of this limit; shared limits are stored under it in the cache store.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

limits! {
    Connections = "connections", "Open TCP connections.";
    ConnectionsEvicted = "connections_evicted", "Idle connections closed because places ran short.";
    Sockets = "sockets", "Open sockets of the whole process.";
    Upgrades = "upgrades", "Sockets opened per second.";
    UpgradesPerAddress = "upgrades_per_address", "Refused tokens of one address per second.";
    UpgradesPerGame = "upgrades_per_game", "Sockets of one game opened per second.";
    UpgradesPerParticipant = "upgrades_per_seat", "Sockets opened again by one participant.";
    MessageRate = "message_rate", "Messages of one socket per second.";
    LogPerSeat = "log_per_seat", "Bytes that one participant adds to the log of a game per minute.";
    MessageSize = "message_size", "The length of one message.";
    OutboundQueue = "outbound_queue", "Bytes and messages that wait for one slow socket, or bytes for all.";
    JoinQueue = "join_queue", "Joins and codes that wait for their turn.";
    IdempotencyKeysPerHost = "idempotency_keys_per_host", "Idempotency keys of one host within 24 hours.";
    PlayersPerGame = "players_per_game", "Players of one game.";
    JoinsPerGame = "joins_per_game", "Joins into one game per second.";
    FailedJoins = "failed_joins", "Unknown codes from all addresses.";
    FailedJoinsPerAddress = "failed_joins_per_address", "Unknown codes from one address.";
    FailedJoinsPerLine = "failed_joins_per_line", "Unknown codes from one IPv6 /56.";
    FailedJoinsPerSite = "failed_joins_per_site", "Unknown codes from one IPv6 /48.";
    FailedCodesPerAddress = "failed_codes_per_address", "Unknown codes of teams, seats or screens from one address, for one game or account.";
    FailedCodesPerLine = "failed_codes_per_line", "The same from one IPv6 /56.";
    FailedCodesPerSite = "failed_codes_per_site", "The same from one IPv6 /48.";
    PairingsPerAddress = "pairings_per_address", "Codes that screens at one address request.";
    PairingsPerLine = "pairings_per_line", "Codes that screens in one IPv6 /56 request.";
    PairingsPerSite = "pairings_per_site", "Codes that screens in one IPv6 /48 request.";
    SeatCodesPerSeat = "seat_codes_per_seat", "Codes that are issued for one seat.";
    WhatIfsPerGame = "what_ifs_per_game", "Questions about corrections of one game per second.";
    AnswerPagesPerGame = "answer_pages_per_game", "Pages of answers of one game per second.";
    StraysPerGame = "strays_per_game", "Codes of other games tried with tokens of one game.";
    StraysPerHost = "strays_per_host", "Codes of other hosts' games tried by one host.";
    SignInsPerAddress = "sign_ins_per_address", "Sign-ins from one address.";
    SignInsPerLine = "sign_ins_per_line", "Sign-ins from one IPv6 /56.";
    SignInsPerSite = "sign_ins_per_site", "Sign-ins from one IPv6 /48.";
    ExternalSignInsPerAddress = "external_sign_ins_per_address", "Sign-ins with a provider that begin at one address.";
    ExternalSignInsPerLine = "external_sign_ins_per_line", "The same from one IPv6 /56.";
    ExternalSignInsPerSite = "external_sign_ins_per_site", "The same from one IPv6 /48.";
    SignInsPerAccountAndAddress = "sign_ins_per_account_and_address", "Sign-ins to one account from one address.";
    FailedSignInsPerAccount = "failed_sign_ins_per_account", "Wrong passwords of one account; strangers are delayed.";
    LiveGamesPerHost = "live_games_per_host", "Games of one host that have not ended.";
    QuizzesPerHost = "quizzes_per_host", "Quizzes of one host.";
    MediaPerHost = "media_per_host", "Bytes of one host's pictures and sounds.";
    UploadsPerHost = "uploads_per_host", "Pictures and sounds that one host sends.";
    Uploads = "uploads", "Pictures and sounds that are sent at once.";
    UploadsAtOncePerHost = "uploads_at_once_per_host", "Pictures and sounds that one host sends at once.";
    WebhookSendsPerHost = "webhook_sends_per_host", "Test events and deliveries that one host has sent again.";
    Downloads = "downloads", "Pictures and sounds that are fetched at once.";
    DownloadsEnded = "downloads_ended", "Pictures and sounds that were read too slowly while others waited.";
    SlowAnswers = "slow_answers", "Answers over HTTP that were read too slowly.";
    SlowBodies = "slow_bodies", "Bodies of requests that were sent too slowly.";
}
