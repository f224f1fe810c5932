//! The HTTP side (the interface's endpoints and the host API under `/api/v1`): routes, bodies, errors.
//!
//! Called by `serve`, which adds sockets and pages. A handler reads the request, calls the rooms below, and writes the
//! answer. It computes nothing of a game, a quiz or results: `games`, `library` and `results` do.
//!
//! The handlers are in one folder per area. The files beside this one serve all of them: extractors, bodies, errors.

mod accounts;
mod address;
pub mod body;
mod docs;
mod field_shapes;
mod game_access;
mod games;
mod idempotency;
mod in_charge;
mod layers;
mod media;
mod operations;
mod origin;
mod paging;
mod path;
mod players;
mod problem;
mod quizzes;
mod refusals;
mod results;
mod routes;
mod session;
mod token_search;
mod unknown_address;

use std::sync::Arc;

use axum::Router;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use self::accounts::{host_accounts, hosts, me, oidc, tokens, webhook_deliveries, webhooks};
use self::address::Charged;
use self::games::{answers, co_hosts, screen_pairings, screens, spectators, what_if};
use self::media::game_media;
use self::operations::{nodes, problem_types};
use self::players::{join, next_game, phones, seats};
use self::quizzes::{question_history, questions};
use self::results::{league, link, moments, proof, seal};
use self::routes::routes;
use crate::app::App;

pub use address::{client_address, client_of};
pub use layers::around;
pub use origin::{Origin, is_foreign, judge};
pub use problem::{Kind, PROBLEM_JSON, Refused, two_tokens};

/// Every route except the sockets and the pages, with its layers. The client's address is taken from
/// `ConnectInfo<SocketAddr>` in the request's extensions.
pub fn router(app: &Arc<App>) -> Router {
    let (routes, openapi) = described().split_for_parts();
    let (charged, openapi_of_charged) = charged().split_for_parts();
    let openapi = docs::completed(openapi, openapi_of_charged);
    let routes = routes.merge(docs::routes(&openapi)).fallback(unknown_address::answer);
    around(routes.with_state(Arc::clone(app)).merge(charged.with_state(Charged(Arc::clone(app)))), app)
}

/// Only health and metrics.
pub fn health_router(app: &Arc<App>) -> Router {
    let (routes, _) = operation().split_for_parts();
    around(routes.fallback(|| async { Refused::not_found() }).with_state(Arc::clone(app)), app)
}

/// The description of this interface (OpenAPI 3.1), for the generator of the reference.
pub fn openapi() -> OpenApi {
    docs::completed(described().into_openapi(), charged().into_openapi())
}

/// Every answer of this interface as route, method and status, for the metrics.
pub fn documented_answers() -> Vec<(String, &'static str, u16)> {
    docs::answers(&openapi())
}

fn described() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(docs::base())
        .routes(routes!(host_accounts::list_hosts, hosts::create_host))
        .routes(routes!(host_accounts::change_host, host_accounts::remove_host))
        .routes(routes!(oidc::sign_in_methods))
        .routes(routes!(oidc::finish))
        .routes(routes!(hosts::current_session, hosts::sign_out))
        .routes(routes!(me::own_account))
        .routes(routes!(me::change_password))
        .routes(routes!(me::list_sessions, me::sign_out_everywhere))
        .routes(routes!(tokens::list_tokens, tokens::create_token))
        .routes(routes!(tokens::revoke_token))
        .routes(routes!(webhooks::list_webhooks, webhooks::create_webhook))
        .routes(routes!(webhooks::enable_webhook, webhooks::delete_webhook))
        .routes(routes!(webhook_deliveries::list_deliveries))
        .routes(routes!(webhook_deliveries::test_webhook))
        .routes(routes!(webhook_deliveries::redeliver))
        .routes(routes!(webhook_deliveries::rotate_secret))
        .routes(routes!(quizzes::list_quizzes, quizzes::create_quiz))
        .routes(routes!(quizzes::read_quiz, quizzes::replace_quiz, quizzes::delete_quiz))
        .routes(routes!(question_history::read_quiz_history))
        .routes(routes!(questions::search_questions))
        .routes(routes!(media::list_media, media::upload_media))
        .routes(routes!(media::read_media, media::delete_media))
        .routes(routes!(games::list_games, games::create_game))
        .routes(routes!(games::read_game, games::change_game, games::delete_game))
        .routes(routes!(games::options::set_game_options))
        .routes(routes!(game_media::load_game_media))
        .routes(routes!(players::list_players))
        .routes(routes!(players::remove_player))
        .routes(routes!(players::erase_player))
        .routes(routes!(phones::remove_phone))
        .routes(routes!(seats::issue_seat_code))
        .routes(routes!(screens::list_screens, screens::add_screen))
        .routes(routes!(screens::remove_screen))
        .routes(routes!(screens::show_on_screens))
        .routes(routes!(co_hosts::list_co_hosts, co_hosts::invite_co_host))
        .routes(routes!(co_hosts::remove_co_host))
        .routes(routes!(co_hosts::read_current_co_host))
        .routes(routes!(spectators::allow_spectators))
        .routes(routes!(screen_pairings::pair_screen))
        .routes(routes!(answers::read_answers))
        .routes(routes!(what_if::ask_what_if))
        .routes(routes!(results::read_results))
        .routes(routes!(results::read_results_csv))
        .routes(routes!(proof::read_proof))
        .routes(routes!(league::read_league))
        .routes(routes!(moments::list_moments))
        .routes(routes!(moments::read_moment))
        .routes(routes!(link::share_results, link::revoke_results_link))
        .routes(routes!(problem_types::list_problem_types))
        .routes(routes!(problem_types::read_problem_type))
        .merge(operation())
        .routes(routes!(nodes::list_nodes))
}

/// The routes that need no account and are charged to the client's address. A page of another site may not use them in
/// the name of its visitor.
fn charged() -> OpenApiRouter<Charged> {
    OpenApiRouter::new()
        .routes(routes!(join::join))
        .routes(routes!(join::join_options))
        .routes(routes!(hosts::sign_in))
        .routes(routes!(oidc::begin))
        .routes(routes!(phones::remove_team_phone))
        .routes(routes!(seats::issue_own_seat_code))
        .routes(routes!(seats::take_seat))
        .routes(routes!(next_game::next_seat))
        .routes(routes!(next_game::next_screen))
        .routes(routes!(spectators::watch))
        .routes(routes!(screen_pairings::open_pairing))
        .routes(routes!(screen_pairings::ask_pairing))
        .routes(routes!(link::read_shared_results))
        .routes(routes!(seal::read_seal))
        .routes(routes!(seal::read_own_ref))
        .routes(routes!(moments::list_shared_moments))
        .routes(routes!(moments::read_shared_moment))
}

fn operation() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(operations::healthz))
        .routes(routes!(operations::readyz))
        .routes(routes!(operations::livez))
        .routes(routes!(operations::metrics))
}
