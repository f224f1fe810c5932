//! Every rule finds a snippet that breaks it, and accepts one that does not: so each rule can fail.

#![allow(clippy::unwrap_used)]

use cargo_metadata::Package;
use quizhall_tidy::checks::{
    self, arrows, beside, book, circles, documents, language, licences, migrations, names, promises, references, size,
};
use quizhall_tidy::exceptions::{Exception, judge};
use quizhall_tidy::lines;
use quizhall_tidy::tree::{Finding, Source, Tree};
use serde_json::json;

/// A file that breaks one rule, and the same file made good.
const SNIPPETS: &[(&str, &str, &str, &str)] = &[
    ("file-header", "crates/rules/src/base/x.rs", "fn f() {}", "//! X.\nfn f() {}"),
    (
        "unfinished",
        "crates/rules/src/base/x.rs",
        "//! X.\nfn f() { todo!() }",
        "//! X: no todo!\nfn f() { a(\"todo!\") }",
    ),
    ("unfinished", "crates/rules/tests/it/x.rs", "//! X.\n#[ignore]\nfn f() {}", "//! X.\nfn ignore() {}"),
    ("unfinished", "crates/server/src/store/x.rs", "//! X.\nfn f() { dbg!(1) }", "//! X.\nfn f() { my_dbg!(1) }"),
    (
        "clock",
        "crates/server/src/ws/x.rs",
        "//! X.\nfn f() { std::time::Instant::now(); }",
        "//! X.\nfn f() { clock::now(); }",
    ),
    ("clock", "crates/engine/src/owner/x.rs", "//! X.\nfn f() { a.elapsed(); }", "//! X.\nfn elapsed() {}"),
    (
        "close-code",
        "crates/server/src/ws/x.rs",
        "//! X.\nconst X: u16 = 4_003;",
        "//! X: 4003.\nconst X: usize = 4096 + 1000;",
    ),
    (
        "close-code",
        "crates/client/src/x.rs",
        "//! X.\nconst CLOSED: u16 = 1000u16;",
        "//! X.\nconst MILLISECONDS: u16 = 1000;",
    ),
    ("room", "crates/server/src/http/x.rs", "//! X.\nuse sqlx::query;", "//! X.\nuse crate::store::sqlx_free;"),
    ("room", "crates/server/src/games/x.rs", "//! X.\nfn f(a: axum::Router) {}", "//! X.\nfn f(axum: Router) {}"),
    (
        "invented-word",
        "crates/rules/src/base/x.rs",
        "//! X.\nfn keeper() {}",
        "//! X: the housekeeper, a timestamp.\nfn stamping() {}",
    ),
    (
        "invented-word",
        "proof/load/src/x.rs",
        "//! X: a game's\n//! many Parcels.",
        "//! X, `quizhall_bus_parcels_total`.",
    ),
    ("invented-word", "crates/server/tests/it/x.rs", "//! X.\nstruct GameKeeper;", "//! X.\nstruct GamekeeperS;"),
    ("invented-word", "crates/server/src/store/x.rs", "//! X: it was struck off.", "//! X: it struck, and was off."),
    (
        "direction",
        "crates/server/src/store/sqlite/x.rs",
        "//! X.\nuse crate::{clock, http::router};",
        "//! X.\nuse crate::{clock, telemetry::http_status};",
    ),
    (
        "direction",
        "crates/server/src/store/x.rs",
        "//! X.\nfn f() { super::super::ws::g(); }",
        "//! X.\nfn f() { super::ws::g(); }",
    ),
    (
        "direction",
        "crates/rules/src/clock/x.rs",
        "//! X.\nuse crate::showing::tally::Tally;",
        "//! X.\nuse crate::base::{game::Game, ids};",
    ),
    ("direction", "crates/rules/src/base/x.rs", "//! X.\nuse crate::Phase;", "//! X.\nuse crate::base::phase::Phase;"),
];

#[test]
fn every_rule_about_a_file_finds_its_bad_snippet() {
    for (rule, path, bad, good) in SNIPPETS {
        let rules = |text: &str| checks::source(&Source::new(*path, text)).into_iter().map(|finding| finding.rule);
        assert!(rules(bad).any(|found| found == *rule), "{rule} did not find:\n{bad}");
        assert_eq!(rules(good).collect::<Vec<_>>(), [""; 0], "{rule} accuses:\n{good}");
    }
}

#[test]
fn long_files_and_functions_are_found() {
    let file = |lines: usize| Source::new("crates/rules/src/base/x.rs", format!("//! X.\n{}", "\n".repeat(lines - 1)));
    assert_eq!(checks::source(&file(500)), []);
    assert_eq!(checks::source(&file(501))[0].rule, "long-file");
    let body = |lines: usize| format!("//! X.\nfn long() {{{}}}\n", "\n".repeat(lines - 1));
    assert_eq!(checks::source(&Source::new("crates/rules/src/base/x.rs", body(70))), []);
    let found = checks::source(&Source::new("crates/rules/src/base/x.rs", body(71)));
    assert_eq!((found[0].rule, found[0].line, found[0].size), ("long-function", 2, 71));
    let of = |around: &str, opens: &str, closes: &str, entries: usize| {
        let text = format!("//! X.\nfn table() {{{around}{opens}\n{}{closes}}}\n", "    1 => 2,\n".repeat(entries));
        checks::source(&Source::new("crates/rules/src/base/x.rs", text)).len()
    };
    for (opens, closes) in [("match x {", "}"), ("Some(match x {", "})"), ("let all = [", "];")] {
        assert_eq!((of("", opens, closes, 98), of("", opens, closes, 99)), (0, 1), "{opens}");
        assert_eq!(of(&"\n".repeat(11), opens, closes, 70), 1, "a table with a function around it: {opens}");
    }
    assert_eq!(of("", "for y in x {", "}", 70), 1, "a loop is no table");
}

#[test]
fn circles_of_files_are_found() {
    let tree = |of_c: &str| {
        let file = |name: &str, uses: &str| {
            Source::new(format!("crates/rules/src/{name}.rs"), format!("//! X.\nuse {uses};\n"))
        };
        let sources = vec![file("a", "crate::b::f"), file("b", "c::f"), file("b/c", of_c), file("d", "crate::a::f")];
        Tree { paths: Vec::new(), sources }
    };
    assert_eq!(circles::circles(&tree("std::fmt")), []);
    let found: Vec<String> = circles::circles(&tree("crate::a")).into_iter().map(|finding| finding.path).collect();
    assert_eq!(found, ["crate::a", "crate::b", "crate::b::c"]);
}

#[test]
fn arguments_packed_into_tuples_are_counted() {
    let tree = |count: usize| {
        let of_four = "fn f(&self, (a, b): (u8, u8), c: u8) {}\n";
        let of_five = "fn f(&self, (a, b): (u8, u8), c: u8, d: u8) {}\n".repeat(count);
        let source = Source::new("crates/rules/src/base/x.rs", format!("//! X.\n{of_four}{of_five}"));
        Tree { paths: Vec::new(), sources: vec![source] }
    };
    assert_eq!(size::packed_arguments(&tree(size::PACKED)), []);
    let found = size::packed_arguments(&tree(size::PACKED + 1));
    assert_eq!((found.len(), found[0].size), (1, size::PACKED + 1));
}

#[test]
fn names_that_say_nothing_are_found() {
    let bad = ["crates/rules/src/utils.rs", "crates/common/src/lib.rs", "proof/load/src/types/mod.rs"];
    let good = ["crates/rules/src/state.rs", "docs/common.md", "proof/load/src/typesetting.rs"];
    assert_eq!(names::forbidden_names(&bad.map(str::to_owned)).len(), 3);
    assert_eq!(names::forbidden_names(&good.map(str::to_owned)), []);
}

#[test]
fn arrows_that_point_up_are_found() {
    let found = |package: &str, dependency: &str, is_for_tests: bool| {
        let others = ["quizhall", "quizhall-load", "quizhall-rules"].map(|name| ours(name, None));
        let package = ours(package, Some((dependency, is_for_tests)));
        let mut packages = others.to_vec();
        packages.retain(|other| other.name != package.name);
        packages.push(package);
        arrows::arrows(&packages).len()
    };
    assert_eq!(found("quizhall-engine", "quizhall-rules", false), 0);
    assert_eq!(found("quizhall-rules", "tokio", false), 1);
    assert_eq!(found("quizhall-load", "quizhall", true), 1);
    assert_eq!(found("quizhall", "quizhall-load", true), 0);
    assert_eq!(found("quizhall", "quizhall-load", false), 1);
    assert_eq!(found("quizhall-surprise", "serde", false), 1);
}

/// As cargo describes a crate of ours, with a dependency and whether only tests use it.
fn ours(name: &str, dependency: Option<(&str, bool)>) -> Package {
    let dependencies: Vec<_> = dependency
        .iter()
        .map(|(name, is_for_tests)| {
            let kind = is_for_tests.then_some("dev");
            json!({"name": name, "req": "*", "kind": kind, "optional": false, "uses_default_features": true, "features": []})
        })
        .collect();
    let described = json!({
        "name": name, "version": "0.1.0", "id": name, "dependencies": dependencies, "targets": [], "features": {},
        "manifest_path": "/x/Cargo.toml",
    });
    serde_json::from_value(described).unwrap()
}

#[test]
fn licences_are_read_as_expressions() {
    let allowed = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
    for good in ["MIT", "MIT/GPL-3.0", "GPL-3.0 OR (MIT AND Apache-2.0)", "Apache-2.0 WITH LLVM-exception"] {
        assert!(licences::is_satisfied(good, &allowed), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT", "MIT WITH LLVM-exception", "MIT Apache-2.0"] {
        assert!(!licences::is_satisfied(bad, &allowed), "{bad}");
    }
    let mut package = ours("x", None);
    package.license = Some("MIT".to_owned());
    assert_eq!(licences::licences(&[package.clone()], &allowed), []);
    package.source = Some(cargo_metadata::Source { repr: "git+https://example.org/x".to_owned() });
    assert_eq!(licences::licences(&[package], &allowed)[0].rule, "origin");
    assert_eq!(licences::allowed("[bans]\n[licenses]\nallow = [\n  \"MIT\",\n]\n"), ["MIT"]);
}

#[test]
fn migrations_with_gaps_or_without_a_twin_are_found() {
    let found = |files: &[&str]| {
        let paths: Vec<String> = files.iter().map(|file| format!("crates/server/migrations/{file}")).collect();
        migrations::migrations(&paths).into_iter().map(|finding| finding.rule).collect::<Vec<_>>()
    };
    assert_eq!(found(&["sqlite/0001_a.sql", "sqlite/0002_b.sql"]), [""; 0]);
    assert_eq!(found(&["postgres/0001_a.sql", "sqlite/0001_a.sql"]), [""; 0]);
    assert_eq!(found(&[]), ["migration-number"]);
    assert_eq!(found(&["sqlite/0001_a.sql", "sqlite/0003_b.sql"]), ["migration-number"]);
    assert_eq!(found(&["postgres/0001_a.sql", "sqlite/0001_b.sql"]), ["migration-pair"]);
}

#[test]
fn invented_words_in_the_web_app_are_found() {
    for bad in ["// It hears nobody.", "const crowdSize = 1;", "it('is told', f)", "// The line is gone.", "#news = 1;"]
    {
        assert!(!language::of_web("web/sdk/src/x.ts", bad).is_empty(), "{bad}");
    }
    assert_eq!(
        language::of_web("web/play/src/X.svelte", "<!-- It receives a newsletter: 'gone', heard, toldYa. -->").len(),
        1
    );
    for other in ["web/words/README.md", "web/words/run.json", "web/sdk/src/generated/protocol.ts", "web/x.svg"] {
        assert_eq!(language::of_web(other, "nobody is told"), [], "{other}");
    }
}

#[test]
fn documents_that_lie_are_found() {
    assert_eq!(documents::changelog("# Changes\n\n## [Unreleased]\n"), []);
    assert_eq!(documents::changelog("# Changes\n\n## [1.0.0]\n## [Unreleased]\n").len(), 1);
    assert_eq!(documents::changelog("").len(), 1);
    let paths = ["docs/a.md", "README.md"].map(str::to_owned);
    let good = "[a](a.md#x) [b](../README.md) [c](https://example.org) [d](#here) [e](../docs)";
    assert_eq!(documents::links("docs/a.md", good, &paths), []);
    assert_eq!(documents::links("docs/a.md", "[a](b.md)\n[b](README.md)", &paths).len(), 2);
    assert_eq!(documents::links("README.md", "<img src=\"docs/a.md\"> <img src=\"docs/a.png\">", &paths).len(), 1);
}

#[test]
fn pages_that_the_book_lacks_are_found() {
    let found = |summary: &str, page: &str| {
        let pages =
            [("docs/SUMMARY.md", summary), ("docs/a/b.md", page), ("docs/c.md", "# C\nThis page has moved: x\n")];
        let pages = pages.map(|(path, text)| (path.to_owned(), text.to_owned()));
        book::book(&pages.into_iter().collect()).len()
    };
    assert_eq!(found("- [B](a/b.md)\n[D](../D.md)\n", "[d](../../D.md#x) [e](../e.json)"), 0);
    assert_eq!(found("", ""), 1, "a page is missing");
    assert_eq!(found("- [B](a/b.md)\n- [B](a/b.md)\n", ""), 1, "a page is there twice");
    assert_eq!(found("- [B](a/b.md)\n- [C](c.md)\n", ""), 1, "an old address is in it");
    assert_eq!(found("- [B](a/b.md)\n", "[c](../c.md)"), 1, "a page leads to an old address");
}

#[test]
fn commands_and_settings_that_do_not_exist_are_found() {
    let makefile = "run: ## Run\n\tx\n";
    let good = "Say `make run X=1`, and make sure.\n\n```sh\nmake run\nmake -n\n```\n";
    assert_eq!(documents::commands("a.md", good, makefile), []);
    assert_eq!(documents::commands("a.md", "`make x`\n```sh\nA=b make y\n```\n", makefile).len(), 2);
    let reference = "| `BIND_ADDR` | `--bind-addr` |";
    let good = "`BIND_ADDR`, `$QUIZHALL_URL`, `INSERT`, BIND_NOTHING";
    assert_eq!(documents::settings("a.md", good, reference), []);
    let found = documents::settings("a.md", "`BIND_ADDRESS`\n```sh\nexport BIND_PORT=1\n```", reference);
    assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [1, 3]);

    let workflow = |step: &str| {
        format!("name: x\non: push\npermissions: {{}}\njobs:\n  x:\n    runs-on: y\n    steps:\n      - {step}\n")
    };
    for good in ["uses: actions/checkout@v4", "run: make x-all"] {
        assert_eq!(documents::workflows("a.yml", &workflow(good), "x-all: y\n"), []);
    }
    for bad in ["run: make x", "run: make", "run: cargo test", "run: make x-all && cargo test", "name: z", "run: 1"] {
        assert_eq!(documents::workflows("a.yml", &workflow(bad), "x-all: y\n").len(), 1, "{bad}");
    }
    for bad in ["name: [", "name: x", "name: x\non: push\npermissions: {}\njobs:\n  x:\n    steps: []\n"] {
        assert_ne!(documents::workflows("a.yml", bad, "x-all: y\n"), [], "{bad}");
    }
}

#[test]
fn promises_without_tests_are_found() {
    let read = |path: &str| match path {
        "a.rs" => Some("#[tokio::test]\n#[cfg(unix)]\nasync fn it_holds() {\n}\nfn helps() {}\n".to_owned()),
        "a.ts" => Some("it('holds, too', () => {});\n".to_owned()),
        _ => None,
    };
    let found = |page: &str| promises::promises(page, read).len();
    assert_eq!(found("### 1. A\n\n* `a.rs`: `it_holds`\n\n### 2. B\n\n* `a.ts`: `holds, too`\n"), 0);
    assert_eq!(found("### 1. A\n\n### 2. B\n\n* `a.rs`: `it_holds`\n"), 1, "nothing holds the first");
    assert_eq!(found("### 1. A\n"), 1, "nothing holds the last");
    assert_eq!(found("### 2. A\n\n* `a.rs`: `it_holds`\n"), 1, "there is no first");
    for bad in ["`a.rs`: `helps`", "`a.rs`: `it_holds`, `it`", "`b.rs`: `it_holds`", "`a.ts`: `holds`"] {
        assert_eq!(found(&format!("### 1. A\n\n* {bad}\n")), 1, "{bad}");
    }
}

#[test]
fn references_that_lead_out_of_the_repository_are_found() {
    let mut known = references::Known::default();
    known.add("docs/reference/messages.md", "# Messages\n\n## Close codes\n\n### `start_game`\n");
    known.add("docs/promises.md", "### 1. A\n\n### 2. B\n");
    known.add("docs/decisions/0001-a.md", "# A\n");
    let found = |line: &str| references::references("x.rs", line, &known).len();
    for good in [
        "/// As messages.md#close-codes and docs/reference/messages.md#start_game say (RFC 6455 §5.5).",
        "//! Promises 1 and 2 (decision 1), *.md, https://example.org/other.md, a promise of 3 s.",
    ] {
        assert_eq!(found(good), 0, "{good}");
    }
    for bad in [
        "(interface §4)",
        "`reliability.md`",
        "messages.md#no-such-section",
        "promise 3",
        "Promises 1, 2 and 3 hold",
        "decision 2",
        "promise P1",
        "\"S24\"",
    ] {
        assert_eq!(found(bad), 1, "{bad}");
    }
}

#[test]
fn an_exception_excuses_only_what_it_names() {
    let finding = Finding::new("long-function", "crates/x.rs", 1, "`f` has 80 lines").sized(80);
    let exception =
        |about, ceiling| Exception { rule: "long-function", path: "crates/x.rs", about, ceiling, why: "a reason" };
    let left = |exceptions: &[Exception]| judge(std::slice::from_ref(&finding), exceptions).0.len();
    assert_eq!(left(&[exception("`f`", 80)]), 0);
    assert_eq!(left(&[exception("`f`", 79)]), 1, "it grew");
    assert_eq!(left(&[exception("`g`", 80)]), 1);
    assert_eq!(judge(&[], &[exception("`f`", 80)]).1.len(), 1, "an idle exception is reported");
}

#[test]
fn unit_tests_are_found() {
    let found = |path: &str, text: &str| {
        let sources = vec![Source::new(path, text)];
        beside::unit_tests(&Tree { paths: Vec::new(), sources }).len()
    };
    let own = "//! X.\n#[cfg(test)]\nmod tests;\n";
    assert_eq!([found("crates/rules/src/x.rs", own), found("crates/rules/src/x.rs", "//! X.\n")], [1, 0]);
    assert_eq!(found("crates/rules/tests/it/x.rs", own), 0);
    let compiled = |kind: &str, test: bool| {
        let mut package = ours("quizhall-rules", None);
        let target = json!({"name": "x", "kind": [kind], "src_path": "/x/src/lib.rs", "test": test});
        package.targets.push(serde_json::from_value(target).unwrap());
        beside::compiled_twice(&[package]).len()
    };
    assert_eq!(
        [compiled("lib", true), compiled("bin", true), compiled("lib", false), compiled("test", true)],
        [1, 1, 0, 0]
    );
}

#[test]
fn lines_are_counted_by_kind_and_a_ceiling_only_falls() {
    let of = |path: &str, lines: usize| Source::new(path, "x\n".repeat(lines));
    let counts = |product: usize| {
        let sources = vec![
            of("crates/rules/src/x.rs", product),
            of("crates/rules/benches/x.rs", 7),
            of("crates/rules/tests/it/x.rs", 5),
            of("proof/load/src/x.rs", 10),
        ];
        lines::counted(&Tree { paths: Vec::new(), sources })
    };
    let empty = "# A\n\n<!-- lines: written by `make generate` -->\n<!-- lines: end -->\n\nB\n";
    let page = lines::page(empty, &counts(250));
    for row in ["| product | `crates/*/src` | 300 |", "| proof |", "| tests |", "# A\n\n<!--", "\n\nB\n"] {
        assert!(page.contains(row), "{row}: {page}");
    }
    assert_eq!(lines::counted(&Tree { paths: Vec::new(), sources: Vec::new() }).len(), 0);
    assert_eq!(counts(250)[&("tests", "crates/rules".to_owned())], 12);
    assert_eq!(counts(250)[&("proof", "proof/load".to_owned())], 10);
    assert_eq!(lines::lines(&page, &counts(300)), []);
    assert_eq!(lines::lines(&page, &counts(301)).len(), 1, "it grew");
    assert_eq!(lines::page(&page, &counts(999)), page, "no ceiling rises");
    assert!(lines::page(&page, &counts(200)).contains("| 200 |"), "a ceiling falls");
    assert_eq!(lines::lines("no table", &counts(1)).len(), 3);
}
