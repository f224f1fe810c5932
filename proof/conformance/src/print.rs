//! The tables as documentation, generated from the same rows that run.

use std::fmt::Write;

use quizhall_protocol::CloseCode;

use crate::row::Row;
use crate::tables::coverage::OUT_OF_REACH;
use crate::tables::{self, Group};
use quizhall_oracle::shape::{SHAPES, Shape, extension};

/// The whole reference in Markdown.
pub fn markdown() -> String {
    let groups: Vec<(&Group, Vec<Row>)> = tables::groups().map(|group| (group, (group.rows)())).collect();
    let total: usize = groups.iter().map(|(_, rows)| rows.len()).sum();
    let mut page = String::new();
    page.push_str("# Conformance tables\n\n");
    page.push_str(
        "Printed by `quizhall-conformance --print-tables markdown` from the rows that it runs. Do not edit.\n\n",
    );
    let _ = writeln!(
        page,
        "{total} rows in {} groups. A row's id is what `--filter` looks at. Groups that begin with `v1` judge \
         the extension of `quizhall.v1`; a server that does not offer it is judged without, and the report counts them as not offered.\n",
        groups.len()
    );
    page.push_str(
        "In the texts sent, `$OPEN` is the first open question, `$NEXT` one of the round not yet released, `$PLAYER` the first player, \
         `$OTHER_…` an id of another game, `$RANDOM` a random id; `…_UPPER` and `…_BARE` are other spellings. Over HTTP `$CODE` is a game \
         in the lobby, `$ENDED` and `$LOCKED` are what they say, `$NAME` is a new name.\n\n",
    );
    page.push_str("| Group | Rows | |\n|---|---|---|\n");
    for (group, rows) in &groups {
        let _ = writeln!(page, "| `{}` | {} | {} |", group.name, rows.len(), group.title.replace('|', "\\|"));
    }
    shapes(&mut page);
    out_of_reach(&mut page);
    for (group, rows) in &groups {
        let _ = write!(page, "\n## {}\n\n{}\n\n", group.title, group.about);
        page.push_str("| Row | Given | Sent | Expected |\n|---|---|---|---|\n");
        for row in rows {
            let cells = [&row.given, &row.send, &row.expect].map(|cell| cell.replace('|', "\\|"));
            let _ = writeln!(page, "| `{}` | {} | {} | {} |", row.id, cells[0], code(&cells[1]), cells[2]);
        }
    }
    page
}

fn shapes(page: &mut String) {
    page.push_str("\n## The server's messages\n\n");
    page.push_str("Every message received in any row has exactly these fields; a question mark marks those that may be absent.\n\n");
    shape_rows(page, SHAPES);
    page.push_str("\n## The extension of `quizhall.v1`\n\n");
    page.push_str("Received by sockets alone that asked for them; on any other one they fail the row.\n\n");
    shape_rows(page, extension());
}

fn shape_rows(page: &mut String, shapes: impl IntoIterator<Item = &'static Shape>) {
    page.push_str("| `type` | To | Payload |\n|---|---|---|\n");
    for shape in shapes {
        let to = shape.audience.map_or("all", |role| match role {
            quizhall_protocol::Role::Host => "the host",
            quizhall_protocol::Role::Player => "one player",
            quizhall_protocol::Role::Screen => "screens",
        });
        let payload = shape.words().unwrap_or_else(|| "none".to_owned());
        let _ = writeln!(page, "| `{}` | {to} | {payload} |", shape.kind);
    }
}

fn out_of_reach(page: &mut String) {
    let (all, out) = (CloseCode::ALL.len(), OUT_OF_REACH.len());
    let _ = write!(page, "\n## Close codes out of reach\n\n{} of the {all} close codes are seen in a run. ", all - out);
    page.push_str("These need something that no client can do:\n\n| Code | Needs | Shown by |\n|---|---|---|\n");
    for out in &OUT_OF_REACH {
        let shown_by = if out.shown_by.is_empty() { "no test yet".to_owned() } else { format!("`{}`", out.shown_by) };
        let _ = writeln!(page, "| {} `{}` | {} | {shown_by} |", out.code.number(), out.code.reason(), out.needs);
    }
}

/// Formats JSON texts as code, and leaves words as they are.
fn code(cell: &str) -> String {
    if cell.starts_with(['{', '[', '"']) { format!("`{cell}`") } else { cell.to_owned() }
}
