//! Which crate may depend on which: the arrows of the architecture, read from the manifests.

use cargo_metadata::{DependencyKind, Package};

use crate::tree::Finding;

/// What a crate of ours may depend on, of ours.
struct Arrows {
    package: &'static str,
    may_use: &'static [&'static str],
    /// In its tests, besides.
    tests_may_use: &'static [&'static str],
    /// Libraries that would let in a runtime, the network or a database.
    never: &'static [&'static str],
}

/// Everything that touches the world.
const IO: &[&str] = &[
    "tokio",
    "axum",
    "hyper",
    "hyper-util",
    "sqlx",
    "redis",
    "reqwest",
    "tungstenite",
    "tokio-tungstenite",
    "tracing",
];

const ARROWS: &[Arrows] = &[
    Arrows { package: "quizhall-quiz", may_use: &[], tests_may_use: &[], never: IO },
    Arrows { package: "quizhall-rules", may_use: &["quizhall-quiz"], tests_may_use: &[], never: IO },
    Arrows { package: "quizhall-protocol", may_use: &["quizhall-quiz"], tests_may_use: &[], never: IO },
    Arrows {
        package: "quizhall-engine",
        may_use: &["quizhall-rules", "quizhall-protocol"],
        tests_may_use: &[],
        never: IO,
    },
    Arrows { package: "quizhall-rules-tests", may_use: &[], tests_may_use: &["quizhall-rules"], never: IO },
    Arrows {
        package: "quizhall-engine-tests",
        may_use: &[],
        tests_may_use: &["quizhall-engine", "quizhall-oracle", "quizhall-protocol", "quizhall-rules"],
        never: IO,
    },
    Arrows {
        package: "quizhall",
        may_use: &["quizhall-engine", "quizhall-pack", "quizhall-protocol", "quizhall-rules"],
        tests_may_use: &["quizhall-client", "quizhall-conformance", "quizhall-load"],
        never: &["tokio-tungstenite"],
    },
    Arrows {
        package: "quizhall-client",
        may_use: &["quizhall-protocol"],
        tests_may_use: &[],
        never: &["sqlx", "axum"],
    },
    Arrows {
        package: "quizhall-load",
        may_use: &["quizhall-client", "quizhall-oracle", "quizhall-protocol"],
        tests_may_use: &[],
        never: &["sqlx", "axum"],
    },
    Arrows {
        package: "quizhall-conformance",
        // The client's transport only: it parses bytes and knows no message.
        may_use: &["quizhall-client", "quizhall-oracle", "quizhall-protocol"],
        tests_may_use: &[],
        never: &["sqlx", "axum"],
    },
    Arrows {
        package: "quizhall-bench",
        may_use: &["quizhall-engine", "quizhall-protocol", "quizhall-rules"],
        tests_may_use: &[],
        never: IO,
    },
    Arrows { package: "quizhall-pack", may_use: &[], tests_may_use: &[], never: IO },
    Arrows { package: "quizhall-oracle", may_use: &["quizhall-protocol"], tests_may_use: &[], never: IO },
];

/// The one crate that may use all the others, and that none may use.
const TIDY: &str = "quizhall-tidy";

/// Rule `arrow`: a manifest names only what the table allows, and every crate of ours has a row.
pub fn arrows(ours: &[Package]) -> Vec<Finding> {
    let names: Vec<&str> = ours.iter().map(|package| package.name.as_str()).collect();
    let mut findings = Vec::new();
    for package in ours.iter().filter(|package| package.name.as_str() != TIDY) {
        let Some(row) = ARROWS.iter().find(|row| row.package == package.name.as_str()) else {
            findings.push(finding(package, "has no row in the table of arrows"));
            continue;
        };
        for dependency in &package.dependencies {
            let name = dependency.name.as_str();
            let is_ours = names.contains(&name);
            let in_tests = dependency.kind == DependencyKind::Development;
            let allowed = row.may_use.contains(&name) || in_tests && row.tests_may_use.contains(&name);
            if is_ours && !allowed || !in_tests && row.never.contains(&name) {
                findings.push(finding(package, &format!("may not depend on `{name}`")));
            }
        }
    }
    findings
}

fn finding(package: &Package, what: &str) -> Finding {
    Finding::new("arrow", &package.name, 1, format!("`{}` {what}", package.name))
}
