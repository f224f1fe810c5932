//! The Helm chart: its objects are valid for Kubernetes and fit together, wrong values are refused in words, and the settings that it
//! gives to pods are settings of the program.
//!
//! `.ci/kubernetes` installs helm and the schemas. Without them, or without Python, the tests are listed as not run.

mod page;
mod played;
mod values;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::{ROOT, are_there, text_of};
use crate::docs::not_run;

/// The oldest version of Kubernetes that the chart accepts, and the newest with schemas.
const VERSIONS: [&str; 2] = ["1.27", "1.37"];

/// The least that must be given.
const LEAST: &str = "
image: {repository: registry.example.org/quizhall}
publicUrl: https://quiz.example.org
secrets: {existing: quizhall}
";

/// Everything that can be switched on.
const MOST: &str = r#"
image: {repository: registry.example.org/quizhall, tag: "1", pullSecrets: [registry]}
publicUrl: https://quiz.example.org:8443
secrets: {existing: quizhall, keys: {QUIZHALL_HOST_TOKEN: host-token, OIDC_CLIENT_SECRET: oidc}}
settings:
  MAX_PLAYERS: 5000
  UPGRADES_PER_SECOND: 1000000
  OIDC_ISSUER: https://login.example.org
  OIDC_CLIENT_ID: quizhall
  OIDC_ALLOWED_DOMAINS: example.org
trustedProxies: [10.42.0.0/16, "fd00::/8"]
drain: {lameDuck: 1, spread: 2, flush: 3}
ingress: {enabled: true, controller: nginx, className: nginx, tlsSecret: quiz-tls, annotations: {cert-manager.io/cluster-issuer: x}}
autoscaling: {enabled: true}
serviceMonitor: {enabled: true, labels: {release: prometheus}}
prometheusRule: {enabled: true, labels: {release: prometheus}}
networkPolicy:
  playersFrom: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ingress-nginx}}}]
  egress: [{ports: [{port: 8443}]}]
serviceAccount: {annotations: {a: b}}
podAnnotations: {a: b}
podLabels: {c: d}
priorityClassName: high
nodeSelector: {e: f}
tolerations: [{key: g, operator: Exists}]
affinity: {nodeAffinity: {}}
extraEnv: [{name: TZ, valueFrom: {configMapKeyRef: {name: zone, key: tz}}}]
extraVolumes: [{name: ca, configMap: {name: ca}}]
extraVolumeMounts: [{name: ca, mountPath: /ca}]
"#;

fn installed() -> PathBuf {
    Path::new(ROOT).join("target/kubernetes")
}

/// Whether the tests of the chart can run; otherwise `what` is listed as not run.
fn can_render(what: &str) -> bool {
    if !installed().join("packages").is_file() {
        not_run(&format!("{what} (helm is not installed; .ci/kubernetes)"));
        return false;
    }
    are_there(what, &["python3"])
}

/// Calls helm, with these values on its standard input.
fn helm(words: &[&str], values: &str) -> Output {
    let mut helm = Command::new(installed().join("bin/helm"));
    helm.args(words).current_dir(ROOT).env("HELM_CACHE_HOME", "/nonexistent").env("HELM_CONFIG_HOME", "/nonexistent");
    piped(helm.env("HELM_DATA_HOME", "/nonexistent"), values)
}

fn piped(command: &mut Command, input: &str) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that refuses its arguments reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The objects of a release called `quizhall` with these values. Each is valid. The same values are rendered once.
fn objects(values: &str) -> Vec<Value> {
    static RENDERED: Mutex<BTreeMap<String, Vec<Value>>> = Mutex::new(BTreeMap::new());
    let mut rendered = RENDERED.lock().unwrap_or_else(PoisonError::into_inner);
    rendered.entry(values.to_owned()).or_insert_with(|| render(values)).clone()
}

fn render(values: &str) -> Vec<Value> {
    let output = helm(&["template", "quizhall", "deploy/helm/quizhall", "--values", "-"], values);
    assert!(output.status.success(), "{values}\n{}", text_of(&output));
    parsed(&String::from_utf8(output.stdout).unwrap(), &VERSIONS)
}

/// The documents of a YAML file, checked against the schemas of these versions.
fn parsed(yaml: &str, versions: &[&str]) -> Vec<Value> {
    let mut python = Command::new("python3");
    python.arg("crates/server/tests/it/operator/chart/objects.py").args(versions).current_dir(ROOT);
    let output = piped(python.env("PYTHONPATH", installed()), yaml);
    assert!(output.status.success(), "{}", text_of(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The object of this kind and name.
fn object<'a>(objects: &'a [Value], kind: &str, name: &str) -> &'a Value {
    let found = objects.iter().find(|object| object["kind"] == kind && object["metadata"]["name"] == name);
    found.unwrap_or_else(|| panic!("no {kind} {name}"))
}

/// The pod of the Deployment.
fn pod(objects: &[Value]) -> &Value {
    &object(objects, "Deployment", "quizhall")["spec"]["template"]
}

fn container(objects: &[Value]) -> &Value {
    &pod(objects)["spec"]["containers"][0]
}

/// The number of a named port of the pod.
fn port(objects: &[Value], name: &str) -> u16 {
    let ports = container(objects)["ports"].as_array().unwrap();
    let port = ports.iter().find(|port| port["name"] == name).unwrap_or_else(|| panic!("no port {name}"));
    port["containerPort"].as_u64().unwrap().try_into().unwrap()
}

/// The variables of the pod with a value of their own, in order.
fn variables(objects: &[Value]) -> Vec<(String, String)> {
    let given = container(objects)["env"].as_array().unwrap();
    let given = given.iter().filter_map(|one| Some((one["name"].as_str()?, one["value"].as_str()?)));
    given.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
