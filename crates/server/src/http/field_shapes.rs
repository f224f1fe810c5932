//! What fields may hold, for the description of the interface: lengths, patterns, ranges and formats, from the
//! constants with which the service itself checks them.
//!
//! Called by `docs`. Building the description panics when a row names no field or a field of another type, so every
//! test fails then.

use quizhall_protocol::from_host::AdjustPoints;
use quizhall_protocol::http::answers::AnswersPage;
use quizhall_protocol::http::games::Teams;
use quizhall_protocol::http::quizzes::QuizUpload;
use quizhall_protocol::http::what_if::{Correction, WhatIf};
use quizhall_rules::{AnswerText, DisplayName, Phase, Question, Quiz, TeamCode};
use utoipa::Number;
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::schema::{Array, ArrayItems, KnownFormat, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{Object, OpenApi, RefOr, Schema};

use super::accounts::oidc;
use super::games::screens;
use super::quizzes::search;
use super::{docs, idempotency, paging};
use crate::auth::{
    CODE_LENGTH, LONGEST_PASSWORD, LONGEST_TYPED_CODE, MAX_NAME, SHORTEST_PASSWORD, TokenForm, code_pattern,
    typed_pattern,
};
use crate::webhooks::{LONGEST_URL, secret_pattern};

/// What a field may hold.
enum Shape {
    /// Text, with the least and the most code points.
    Text(usize, usize),
    /// Text that matches this regular expression.
    Pattern(String),
    /// A typed code, with its number of symbols.
    Typed(usize),
    /// Text in a format of JSON Schema.
    Format(SchemaFormat),
    /// One of these words.
    Words(Vec<&'static str>),
    /// A number in this range.
    Range(isize, isize),
    /// A number that is not below 0.
    NotNegative,
    /// A list, with the least and the most entries, and the shape of each.
    List(usize, usize, Option<Box<Shape>>),
}
use Shape::{Format, List, NotNegative, Pattern, Range, Text, Typed, Words};

/// Endings of the names of members that hold a moment, in every body.
const MOMENTS: [&str; 3] = ["At", "Since", "Until"];

/// Adds to the description what fields, path and query parameters may hold.
///
/// # Panics
/// When a row fits no field or parameter.
pub(super) fn describe(openapi: &mut OpenApi) {
    let components = openapi.components.get_or_insert_default();
    for (field, shape) in bodies() {
        let (body, member) = field.split_once('.').expect("a body and its member");
        let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(body) else { panic!("no body {body}") };
        let Some(RefOr::T(schema)) = object.properties.get_mut(member) else { panic!("no member {field}") };
        shape.write(schema, field);
    }
    let objects = components.schemas.values_mut().filter_map(|schema| match schema {
        RefOr::T(Schema::Object(object)) => Some(object),
        _ => None,
    });
    for (member, schema) in objects.flat_map(|object| &mut object.properties) {
        if let RefOr::T(schema @ Schema::Object(_)) = schema {
            describe_everywhere(member, schema);
        }
    }
    describe_parameters(openapi);
}

/// What a member of this name holds in every body without a row of its own.
fn describe_everywhere(member: &str, schema: &mut Schema) {
    let Schema::Object(object) = schema else { return };
    if !is_text(object) || object.pattern.is_some() || object.max_length.is_some() {
        return;
    }
    if member == "at" || MOMENTS.iter().any(|end| member.ends_with(end)) {
        object.format = Some(SchemaFormat::KnownFormat(KnownFormat::DateTime));
    }
    if member == "url" || member.ends_with("Url") {
        object.format = Some(uri());
    }
    if member == "gameCode" {
        object.pattern = Some(code_pattern(CODE_LENGTH));
    }
    if member == "phase" {
        Words(Phase::ALL.map(Phase::as_str).into()).write(schema, member);
    }
}

fn bodies() -> Vec<(&'static str, Shape)> {
    [accounts(), people(), screens_and_tokens(), quizzes(), webhooks()].into_iter().flatten().collect()
}

fn accounts() -> Vec<(&'static str, Shape)> {
    let name = || Text(1, MAX_NAME);
    let (new_password, password) = (|| Text(SHORTEST_PASSWORD, LONGEST_PASSWORD), || Text(0, LONGEST_PASSWORD));
    let of_provider = || Text(1, oidc::SIGN_IN_BYTES);
    vec![
        ("NewHost.name", name()),
        ("NewHost.password", new_password()),
        ("NewHost.setupToken", Pattern(TokenForm::SET_UP.pattern())),
        ("HostChange.name", name()),
        ("SignIn.name", name()),
        ("SignIn.password", password()),
        ("PasswordUpdate.oldPassword", password()),
        ("PasswordUpdate.newPassword", new_password()),
        ("NewToken.name", name()),
        ("NewToken.scopes", List(1, usize::MAX, None)),
        ("OidcSignIn.state", of_provider()),
        ("OidcSignIn.code", of_provider()),
        ("OidcSignIn.verifier", of_provider()),
        ("Session.token", Pattern(TokenForm::SESSION.pattern())),
        ("CreatedToken.token", Pattern(TokenForm::NAMED.pattern())),
    ]
}

fn people() -> Vec<(&'static str, Shape)> {
    let name = || Text(1, DisplayName::LONGEST);
    vec![
        ("JoinRequest.displayName", name()),
        ("JoinRequest.gameCode", Typed(CODE_LENGTH)),
        ("JoinRequest.teamCode", Typed(TeamCode::LENGTH)),
        ("JoinResponse.sessionToken", Pattern(TokenForm::PLAYER.pattern())),
        ("JoinResponse.teamCode", Pattern(code_pattern(TeamCode::LENGTH))),
        ("TakeSeat.gameCode", Typed(CODE_LENGTH)),
        ("TakeSeat.seatCode", Typed(CODE_LENGTH)),
        ("NewSeatCode.seatCode", Pattern(code_pattern(CODE_LENGTH))),
        ("InviteCoHost.label", name()),
        ("Teams.devices", Range(number(Teams::LEAST_DEVICES), number(Teams::MOST_DEVICES))),
    ]
}

fn screens_and_tokens() -> Vec<(&'static str, Shape)> {
    vec![
        ("PairScreen.code", Typed(CODE_LENGTH)),
        ("NewPairing.code", Pattern(code_pattern(CODE_LENGTH))),
        ("NewPairing.secret", Pattern(TokenForm::PAIRING.pattern())),
        ("ShowOnScreens.language", Pattern(format!("^[A-Za-z0-9-]{{1,{}}}$", screens::MOST_OF_TAG))),
        ("Slide.at", NotNegative),
        ("Watch.gameCode", Typed(CODE_LENGTH)),
        ("Spectator.token", Pattern(TokenForm::SPECTATOR.pattern())),
        ("WhatIf.corrections", List(0, WhatIf::MOST, None)),
        ("WhatIf.withdraw", List(0, WhatIf::MOST, None)),
        ("WhatIf.adjustments", List(0, WhatIf::MOST, None)),
        ("SupposedPoints.points", Range(-number(AdjustPoints::MOST), number(AdjustPoints::MOST))),
        ("Correction.answers", List(1, Correction::MOST, Some(Text(0, AnswerText::LONGEST).into()))),
        ("Correction.playerIds", List(1, Correction::MOST, None)),
        ("AnswersAsked.text", Text(0, AnswerText::LONGEST)),
        ("AnswersAsked.skip", Range(0, number(i32::MAX))),
        ("AnswersPage.answers", List(0, AnswersPage::MOST, None)),
        ("Problem.status", Range(400, 599)),
        ("ProblemType.status", Range(400, 599)),
    ]
}

fn quizzes() -> Vec<(&'static str, Shape)> {
    let (quiz, question) = (Quiz::LIMITS, Question::LIMITS);
    let list = |least, most, longest| List(least, most, Some(Box::new(Text(1, longest))));
    let seconds = || Range(number(quiz.time_limit_least), number(quiz.time_limit_most));
    vec![
        ("QuizUpload.title", Text(1, quiz.title)),
        ("QuizUpload.rounds", List(1, quiz.rounds, None)),
        ("QuizUpload.tags", list(0, question.tags, question.tag)),
        ("QuizUpload.importReport", list(0, QuizUpload::REPORT_LINES, QuizUpload::REPORT_LINE)),
        ("RoundBody.title", Text(0, quiz.title)),
        ("RoundBody.questions", List(1, quiz.questions_per_round, None)),
        ("RoundBody.timeLimit", seconds()),
        ("RoundBody.wrongPoints", Range(-number(quiz.wrong_points_most), 0)),
        ("QuestionBody.text", Text(1, question.text)),
        ("QuestionBody.explanation", Text(1, question.text)),
        ("QuestionBody.hostNote", Text(1, question.text)),
        ("QuestionBody.choices", list(2, question.choices, question.choice)),
        // Polls and word clouds have no correct answers.
        ("QuestionBody.correctAnswers", list(0, question.answers, question.choice)),
        ("QuestionBody.points", Range(0, number(question.points))),
        ("QuestionBody.tolerance", NotNegative),
        ("QuestionBody.timeLimit", seconds()),
        ("QuestionBody.tags", list(0, question.tags, question.tag)),
        // A sound may have no description.
        ("QuestionMedia.alt", Text(0, question.alt)),
    ]
}

fn webhooks() -> Vec<(&'static str, Shape)> {
    vec![
        ("NewWebhook.url", Format(uri())),
        ("NewWebhook.url", Text(1, LONGEST_URL)),
        ("NewWebhook.events", List(1, usize::MAX, None)),
        ("CreatedWebhook.secret", Pattern(secret_pattern())),
        ("NewSecret.secret", Pattern(secret_pattern())),
        ("WebhookDelivery.status", Range(100, 999)),
    ]
}

/// A limit, as the description holds it.
fn number(limit: impl TryInto<isize>) -> isize {
    limit.try_into().unwrap_or(isize::MAX)
}

fn uri() -> SchemaFormat {
    SchemaFormat::Custom("uri".to_owned())
}

/// Parameters by name, each in the path, the query or a header.
fn parameters() -> [(&'static str, ParameterIn, Shape); 7] {
    [
        ("gameCode", ParameterIn::Path, Typed(CODE_LENGTH)),
        ("limit", ParameterIn::Query, Range(1, number(paging::MAX_LIMIT))),
        ("q", ParameterIn::Query, Text(0, search::QUERY)),
        ("tag", ParameterIn::Query, Text(0, search::QUERY)),
        ("token", ParameterIn::Path, Pattern(TokenForm::RESULTS.pattern())),
        ("Idempotency-Key", ParameterIn::Header, Text(1, idempotency::MAX_KEY)),
        ("Idempotency-Key", ParameterIn::Header, Pattern("^[ -~]+$".to_owned())),
    ]
}

fn describe_parameters(openapi: &mut OpenApi) {
    let shapes = parameters();
    let operations = openapi.paths.paths.values_mut().flat_map(docs::operations);
    for parameter in operations.flat_map(|operation| operation.parameters.iter_mut().flatten()) {
        let RefOr::T(parameter) = parameter else { continue };
        let Some(RefOr::T(schema)) = &mut parameter.schema else { continue };
        for (name, place, shape) in &shapes {
            if *name == parameter.name && *place == parameter.parameter_in {
                shape.write(schema, name);
            }
        }
    }
}

impl Shape {
    fn write(&self, schema: &mut Schema, field: &str) {
        match (self, schema) {
            (List(least, most, each), Schema::Array(array)) => {
                array.min_items = Some(*least).filter(|least| *least > 0);
                array.max_items = Some(*most).filter(|most| *most < usize::MAX);
                if let Some(each) = each {
                    each.write(entries(array, field), field);
                }
            }
            (_, Schema::Object(object)) => self.write_value(object, field),
            _ => panic!("{field} is of another type"),
        }
    }

    fn write_value(&self, object: &mut Object, field: &str) {
        assert!(is_text(object) != matches!(self, Range(..) | NotNegative), "{field} is of another type");
        match self {
            Text(least, most) => {
                object.min_length = Some(*least).filter(|least| *least > 0);
                object.max_length = Some(*most);
            }
            Pattern(pattern) => object.pattern = Some(pattern.clone()),
            Typed(length) => {
                object.pattern = Some(typed_pattern(*length));
                object.max_length = Some(LONGEST_TYPED_CODE);
            }
            Format(format) => object.format = Some(format.clone()),
            Words(words) => object.enum_values = Some(words.iter().map(|word| (*word).into()).collect()),
            Range(least, most) => {
                object.minimum = Some(Number::Int(*least));
                object.maximum = Some(Number::Int(*most));
            }
            NotNegative => object.minimum = Some(Number::Int(0)),
            List(..) => panic!("{field} is no list"),
        }
    }
}

fn entries<'a>(array: &'a mut Array, field: &str) -> &'a mut Schema {
    let ArrayItems::RefOrSchema(items) = &mut array.items else { panic!("{field} has no entries") };
    let RefOr::T(schema) = &mut **items else { panic!("the entries of {field} have a name") };
    schema
}

/// Whether it is text, or text that may be `null`.
fn is_text(object: &Object) -> bool {
    match &object.schema_type {
        SchemaType::Type(kind) => *kind == Type::String,
        SchemaType::Array(kinds) => kinds.contains(&Type::String),
        SchemaType::AnyValue => false,
    }
}
