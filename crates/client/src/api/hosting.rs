//! The host API: accounts, sessions, quizzes, games, results. Everything except set-up and sign-in needs a token.

use quizhall_protocol::http::answers::{AnswersAsked, AnswersPage};
use quizhall_protocol::http::games::{Game, GameChange, GameList, NewGame, PlayerList};
use quizhall_protocol::http::hosts::{Host, NewHost, Session, SignIn};
use quizhall_protocol::http::quizzes::{Quiz, QuizBody, QuizList};
use quizhall_protocol::http::results::Results;
use quizhall_protocol::http::screens::NewScreen;
use quizhall_protocol::http::seats::NewSeatCode;
use uuid::Uuid;

use super::{Api, ApiError};
use crate::token::Token;
use crate::transport::Request;

impl Api {
    /// `POST /api/v1/hosts`: creates an account, the first one with the token of the set-up link.
    pub async fn create_host(&self, host: &NewHost) -> Result<Host, ApiError> {
        self.call(Request::new("POST", "/api/v1/hosts").json(host)).await
    }

    /// `POST /api/v1/sessions`: signs in. The token in the answer is for [`Api::with_token`].
    pub async fn sign_in(&self, credentials: &SignIn) -> Result<(Token, Session), ApiError> {
        let session: Session = self.call(Request::new("POST", "/api/v1/sessions").json(credentials)).await?;
        Ok((Token::new(session.token.clone()), session))
    }

    /// `DELETE /api/v1/sessions/current`: signs out; the host's sockets of this session close within a second.
    pub async fn sign_out(&self) -> Result<(), ApiError> {
        self.accepted(Request::new("DELETE", "/api/v1/sessions/current")).await.map(drop)
    }

    /// `GET /api/v1/quizzes`: the host's quizzes.
    pub async fn quizzes(&self) -> Result<QuizList, ApiError> {
        self.call(Request::new("GET", "/api/v1/quizzes")).await
    }

    /// `POST /api/v1/quizzes`: stores a quiz; the answer has the ids of its questions.
    pub async fn create_quiz(&self, quiz: &QuizBody) -> Result<Quiz, ApiError> {
        self.call(Request::new("POST", "/api/v1/quizzes").json(quiz)).await
    }

    /// `GET /api/v1/quizzes/{id}`: a whole quiz with its keys.
    pub async fn quiz(&self, id: Uuid) -> Result<Quiz, ApiError> {
        self.call(Request::new("GET", &format!("/api/v1/quizzes/{id}"))).await
    }

    /// `PUT /api/v1/quizzes/{id}`: replaces a quiz; running games keep their copy.
    pub async fn replace_quiz(&self, id: Uuid, quiz: &QuizBody) -> Result<Quiz, ApiError> {
        self.call(Request::new("PUT", &format!("/api/v1/quizzes/{id}")).json(quiz)).await
    }

    /// `DELETE /api/v1/quizzes/{id}`.
    pub async fn delete_quiz(&self, id: Uuid) -> Result<(), ApiError> {
        self.accepted(Request::new("DELETE", &format!("/api/v1/quizzes/{id}"))).await.map(drop)
    }

    /// `POST /api/v1/games`: opens a game of a quiz, in its lobby.
    pub async fn create_game(&self, quiz: Uuid) -> Result<Game, ApiError> {
        self.create_game_with(&NewGame::new(quiz)).await
    }

    /// The same with options.
    pub async fn create_game_with(&self, game: &NewGame) -> Result<Game, ApiError> {
        self.call(Request::new("POST", "/api/v1/games").json(game)).await
    }

    /// `GET /api/v1/games`: the host's games, newest first.
    pub async fn games(&self) -> Result<GameList, ApiError> {
        self.call(Request::new("GET", "/api/v1/games")).await
    }

    /// `GET /api/v1/games/{id}`: phase, round, released questions, and the frozen quiz with its keys.
    pub async fn game(&self, id: Uuid) -> Result<Game, ApiError> {
        self.call(Request::new("GET", &format!("/api/v1/games/{id}"))).await
    }

    /// `PATCH /api/v1/games/{id}`: locks or unlocks the lobby. The body of the answer is ignored.
    pub async fn lock_game(&self, id: Uuid, locked: bool) -> Result<(), ApiError> {
        let change = GameChange { locked };
        self.accepted(Request::new("PATCH", &format!("/api/v1/games/{id}")).json(&change)).await.map(drop)
    }

    /// `DELETE /api/v1/games/{id}`: closes the game for good.
    pub async fn delete_game(&self, id: Uuid) -> Result<(), ApiError> {
        self.accepted(Request::new("DELETE", &format!("/api/v1/games/{id}"))).await.map(drop)
    }

    /// `GET /api/v1/games/{id}/players`: every seat.
    pub async fn players(&self, game: Uuid) -> Result<PlayerList, ApiError> {
        self.call(Request::new("GET", &format!("/api/v1/games/{game}/players"))).await
    }

    /// `DELETE /api/v1/games/{id}/players/{playerId}`: removes a player from the game.
    pub async fn remove_player(&self, game: Uuid, player: Uuid) -> Result<(), ApiError> {
        self.accepted(Request::new("DELETE", &format!("/api/v1/games/{game}/players/{player}"))).await.map(drop)
    }

    /// `POST /api/v1/games/{id}/players/{playerId}/seat-code`: a code with which another phone takes the seat.
    pub async fn issue_seat_code(&self, game: Uuid, player: Uuid) -> Result<NewSeatCode, ApiError> {
        self.call(Request::new("POST", &format!("/api/v1/games/{game}/players/{player}/seat-code"))).await
    }

    /// The same for one phone of a team.
    pub async fn issue_phone_code(&self, game: Uuid, team: Uuid, device: Uuid) -> Result<NewSeatCode, ApiError> {
        let path = format!("/api/v1/games/{game}/players/{team}/seat-code?deviceId={device}");
        self.call(Request::new("POST", &path)).await
    }

    /// `POST /api/v1/games/{id}/screens`: adds a screen; the answer has its link, once.
    pub async fn add_screen(&self, game: Uuid) -> Result<NewScreen, ApiError> {
        self.call(Request::new("POST", &format!("/api/v1/games/{game}/screens"))).await
    }

    /// `DELETE /api/v1/games/{id}/screens/{screenId}`: revokes a screen's token.
    pub async fn remove_screen(&self, game: Uuid, screen: Uuid) -> Result<(), ApiError> {
        self.accepted(Request::new("DELETE", &format!("/api/v1/games/{game}/screens/{screen}"))).await.map(drop)
    }

    /// `POST /api/v1/games/{id}/answers`: a page of the answers to a question of the closed round.
    pub async fn answers(&self, game: Uuid, asked: &AnswersAsked) -> Result<AnswersPage, ApiError> {
        self.call(Request::new("POST", &format!("/api/v1/games/{game}/answers")).json(asked)).await
    }

    /// `GET /api/v1/games/{id}/results`: the whole board and every answer of the rounds played.
    pub async fn results(&self, game: Uuid) -> Result<Results, ApiError> {
        self.call(Request::new("GET", &format!("/api/v1/games/{game}/results"))).await
    }

    /// The same as CSV (RFC 4180).
    pub async fn results_csv(&self, game: Uuid) -> Result<String, ApiError> {
        let request = Request::new("GET", &format!("/api/v1/games/{game}/results")).header("accept", "text/csv");
        Ok(self.accepted(request).await?.text())
    }
}
