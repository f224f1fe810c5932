//! Documents that do not lie: links lead somewhere, commands and settings exist, the list of changes is open.

use serde_json::Value;

use crate::tree::Finding;

/// Rule `changelog`: the first section is the one for unreleased changes.
pub fn changelog(text: &str) -> Vec<Finding> {
    let first = text.lines().enumerate().find(|(_, line)| line.starts_with("## "));
    if first.is_some_and(|(_, line)| line == "## [Unreleased]") {
        return Vec::new();
    }
    let line = first.map_or(1, |(line, _)| line + 1);
    vec![Finding::new("changelog", "CHANGELOG.md", line, "the first section must be `## [Unreleased]`")]
}

/// The files that the relative links of a line of Markdown lead to, also those of its pictures and links in HTML.
pub(super) fn targets(line: &str) -> Vec<&str> {
    let forms = [("](", ')'), ("src=\"", '"'), ("href=\"", '"')].into_iter();
    let links = forms.flat_map(|(start, end)| line.split(start).skip(1).filter_map(move |rest| rest.split_once(end)));
    let here = links.map(|(link, _)| link).filter(|link| !link.contains("://") && !link.starts_with("mailto:"));
    here.filter_map(|link| link.split('#').next()).filter(|file| !file.is_empty()).collect()
}

/// Rule `link`: a relative link of a Markdown file leads to a file or folder of the tree.
pub fn links(path: &str, text: &str, paths: &[String]) -> Vec<Finding> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut findings = Vec::new();
    for (line, text) in text.lines().enumerate() {
        for target in targets(text) {
            let wanted = resolve(folder, target);
            let is_there = |known: &String| *known == wanted || known.starts_with(&format!("{wanted}/"));
            if !paths.iter().any(is_there) {
                findings.push(Finding::new("link", path, line + 1, format!("`{target}` leads nowhere")));
            }
        }
    }
    findings
}

/// Rule `command`: every `make target` that is mentioned as code is a target of the Makefile.
pub fn commands(path: &str, text: &str, makefile: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, code) in code_of(text) {
        let words: Vec<&str> = code.split_whitespace().collect();
        let targets = words.windows(2).filter(|pair| pair[0] == "make").map(|pair| pair[1]);
        for target in targets.filter(|target| target.chars().all(|character| character.is_ascii_lowercase())) {
            if !makefile.lines().any(|line| line.starts_with(&format!("{target}:"))) {
                findings.push(Finding::new("command", path, line, format!("the Makefile has no target `{target}`")));
            }
        }
    }
    findings
}

/// Rule `workflow`: a workflow is YAML with jobs; each has a machine and steps, and a step either uses an action or runs one
/// target of the Makefile and nothing else, so that it can be run anywhere.
pub fn workflows(path: &str, text: &str, makefile: &str) -> Vec<Finding> {
    let line_of = |part: &str| text.lines().position(|line| line.contains(part)).map_or(1, |line| line + 1);
    let finding = |part: &str, what: String| Finding::new("workflow", path, line_of(part), what);
    let Ok(workflow) = serde_yaml_ng::from_str::<Value>(text) else {
        return vec![finding("", "this is not YAML".to_owned())];
    };
    let mut findings = Vec::new();
    for key in ["name", "on", "permissions", "jobs"].iter().filter(|key| workflow[**key].is_null()) {
        findings.push(finding("", format!("`{key}` is missing")));
    }
    for (name, job) in workflow["jobs"].as_object().into_iter().flatten() {
        let steps: &[Value] = job["steps"].as_array().map_or(&[], Vec::as_slice);
        if steps.is_empty() || !job["runs-on"].is_string() {
            findings.push(finding(&format!("{name}:"), format!("the job `{name}` has no steps or no machine")));
        }
        for step in steps {
            let command = step["run"].as_str();
            let target = command.and_then(|command| command.strip_prefix("make ")).unwrap_or_default();
            let is_target = !target.is_empty() && makefile.lines().any(|line| line.starts_with(&format!("{target}:")));
            if !is_target && (command.is_some() || !step["uses"].is_string()) {
                let command = command.unwrap_or(name);
                findings.push(finding(command, format!("`{command}` is not one target of the Makefile")));
            }
        }
    }
    findings
}

/// Rule `setting`: a name `LIKE_THIS` that is mentioned as code is a setting of the program.
pub fn settings(path: &str, text: &str, reference: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, code) in code_of(text) {
        let words = code.split(|character: char| !(character.is_ascii_alphanumeric() || character == '_'));
        let looks_like_one = |word: &&str| {
            word.contains('_') && word.chars().all(|character| character.is_ascii_uppercase() || character == '_')
        };
        for word in words.filter(looks_like_one) {
            let is_known = OF_CLIENTS.contains(&word) || reference.contains(&format!("`{word}`"));
            if !is_known && !word.starts_with('_') {
                findings.push(Finding::new("setting", path, line, format!("`{word}` is no setting")));
            }
        }
    }
    findings
}

/// Not settings of the service: where clients find it, and which certificate authority they trust.
const OF_CLIENTS: [&str; 2] = ["QUIZHALL_URL", "QUIZHALL_CA_FILE"];

/// What a Markdown file sets as code, in lines and blocks, with the line each piece stands on.
fn code_of(text: &str) -> Vec<(usize, String)> {
    let mut inside = false;
    let mut pieces = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            pieces.push((index + 1, line.to_owned()));
        } else {
            let spans = line.split('`').skip(1).step_by(2);
            pieces.extend(spans.map(|span| (index + 1, span.to_owned())));
        }
    }
    pieces
}

/// The path in the tree that a link of a page in this folder leads to.
pub(super) fn resolve(folder: &str, file: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
