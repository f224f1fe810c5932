//! `/problems`: the kinds of errors, at the paths that the member `type` of an error names.
//!
//! Reads only the table of `problem`.

use axum::Json;
use axum::extract::Path;
use quizhall_protocol::http::problem::{ProblemType, ProblemTypeList};

use crate::http::problem::{Kind, Refused};

/// List the kinds of errors
#[utoipa::path(
    get, path = "/problems", tag = "description", operation_id = "listProblemTypes",
    responses((status = 200, description = "Every kind, in order of its status", body = ProblemTypeList))
)]
pub(in crate::http) async fn list_problem_types() -> Json<ProblemTypeList> {
    Json(ProblemTypeList { problems: Kind::ALL.iter().map(|kind| described(kind)).collect() })
}

/// Read a kind of error
#[utoipa::path(
    get, path = "/problems/{name}", tag = "description", operation_id = "readProblemType",
    params(("name" = String, Path, description = "The last part of the member `type` of an error")),
    responses(
        (status = 200, description = "The kind", body = ProblemType),
        (status = 404, description = "No error has this kind"),
    )
)]
pub(in crate::http) async fn read_problem_type(Path(name): Path<String>) -> Result<Json<ProblemType>, Refused> {
    let kind = Kind::ALL.iter().find(|kind| kind.slug() == name);
    kind.map(|kind| Json(described(kind))).ok_or_else(Refused::not_found)
}

fn described(kind: &Kind) -> ProblemType {
    ProblemType { kind: kind.uri(), title: kind.title().to_owned(), status: kind.status() }
}
