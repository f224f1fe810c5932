//! What helm makes of values: objects that fit together, or a sentence.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{LEAST, MOST, can_render, container, helm, object, objects, parsed, pod, port, variables};
use crate::operator::{ROOT, printed, text_of};

const CHART: &str = "deploy/helm/quizhall";

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

#[test]
fn the_chart_is_valid_and_its_objects_fit_together() {
    if !can_render("the objects of the chart") {
        return;
    }
    for values in [LEAST, MOST] {
        let output = helm(&["lint", "--strict", "--quiet", CHART, "--values", "-"], values);
        assert!(output.status.success(), "{}", text_of(&output));
    }
    let least = objects(LEAST);
    let kinds: Vec<&str> = least.iter().map(|object| object["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["NetworkPolicy", "PodDisruptionBudget", "ServiceAccount", "Service", "Deployment"]);
    let most = objects(MOST);
    assert_eq!(most.len(), 11);
    for all in [&least, &most] {
        ports_have_names(all);
        selectors_find_the_pods(all);
        pods_have_no_rights(all);
    }
    assert_eq!(object(&least, "Deployment", "quizhall")["spec"]["replicas"], 3);
    assert_eq!(object(&most, "Deployment", "quizhall")["spec"]["replicas"], Value::Null, "the autoscaler counts");
    let scaler = &object(&most, "HorizontalPodAutoscaler", "quizhall")["spec"];
    assert_eq!(
        scaler["behavior"]["scaleDown"]["policies"],
        json!([{"type": "Pods", "value": 1, "periodSeconds": 600}])
    );
    assert_eq!(scaler["metrics"][0]["pods"]["target"]["averageValue"], "14000");
}

/// Services, probes, the ingress and the network policy name ports of the pod, and the program listens there.
fn ports_have_names(all: &[Value]) {
    let given = variables(all);
    for (variable, name) in [("BIND_ADDR", "http"), ("HEALTH_ADDR", "health")] {
        let address = &given.iter().find(|(name, _)| name == variable).unwrap().1;
        assert_eq!(*address, format!("0.0.0.0:{}", port(all, name)));
    }
    let of = |kind: &'static str| all.iter().filter(move |object| object["kind"] == kind);
    let services = of("Service").flat_map(|service| service["spec"]["ports"].as_array().unwrap());
    let names: Vec<&str> = services.map(|port| port["targetPort"].as_str().unwrap()).collect();
    let probes = ["startupProbe", "livenessProbe", "readinessProbe"].map(|probe| &container(all)[probe]["httpGet"]);
    let policy = of("NetworkPolicy").flat_map(|policy| policy["spec"]["ingress"].as_array().unwrap());
    let policy = policy.map(|rule| rule["ports"][0]["port"].as_str().unwrap());
    for name in names.into_iter().chain(probes.map(|probe| probe["port"].as_str().unwrap())).chain(policy) {
        assert!(port(all, name) > 0);
    }
    for ingress in of("Ingress") {
        assert_eq!(ingress["spec"]["rules"][0]["host"], "quiz.example.org");
        let backend = &ingress["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"];
        let service = object(all, "Service", backend["name"].as_str().unwrap());
        let ports = service["spec"]["ports"].as_array().unwrap();
        assert!(ports.iter().any(|port| port["name"] == backend["port"]["name"]), "{backend}");
    }
    if let Some(monitor) = of("ServiceMonitor").next() {
        let wanted = monitor["spec"]["selector"]["matchLabels"].as_object().unwrap();
        let is_wanted =
            |service: &&Value| wanted.iter().all(|(name, value)| service["metadata"]["labels"][name] == *value);
        let found: Vec<&Value> = of("Service").filter(is_wanted).collect();
        assert_eq!(found.len(), 1, "each pod is scraped once");
        let endpoint = &monitor["spec"]["endpoints"][0]["port"];
        assert!(found[0]["spec"]["ports"].as_array().unwrap().iter().any(|port| port["name"] == *endpoint));
    }
}

fn selectors_find_the_pods(all: &[Value]) {
    let labels = &pod(all)["metadata"]["labels"];
    let mut seen = 0;
    for object in all {
        let spec = &object["spec"];
        for selector in [&spec["selector"]["matchLabels"], &spec["podSelector"]["matchLabels"], &spec["selector"]] {
            let Some(selector) = selector.as_object() else { continue };
            if object["kind"] == "ServiceMonitor" || selector.contains_key("matchLabels") {
                continue;
            }
            seen += 1;
            assert!(selector.iter().all(|(name, value)| labels[name] == *value), "{object}");
        }
    }
    assert!(seen >= 4, "{seen} selectors");
}

/// As little as the profile `restricted` of Kubernetes allows, and less.
fn pods_have_no_rights(all: &[Value]) {
    let spec = &pod(all)["spec"];
    assert_eq!(spec["automountServiceAccountToken"], false);
    assert_eq!(spec["enableServiceLinks"], false, "QUIZHALL_PORT would be an unknown setting");
    assert_eq!(spec["securityContext"]["runAsNonRoot"], true);
    assert_eq!(spec["securityContext"]["seccompProfile"]["type"], "RuntimeDefault");
    let context = &container(all)["securityContext"];
    let wanted =
        json!({"allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true, "capabilities": {"drop": ["ALL"]}});
    assert_eq!(*context, wanted);
    let user = spec["securityContext"]["runAsUser"].to_string();
    assert!(read("deploy/Dockerfile").contains(&format!("\nUSER {user}:{user}\n")), "the user of the image");
}

#[test]
fn values_that_cannot_work_are_refused_by_name() {
    if !can_render("wrong values of the chart") {
        return;
    }
    let nothing = text_of(&helm(&["template", "quizhall", CHART], ""));
    for missing in ["image.repository", "publicUrl", "DATABASE_URL", "REDIS_URL"] {
        assert!(nothing.contains(&format!("\n{missing} is missing: ")), "{nothing}");
    }
    let wrong = [
        ("replicsa: 3", "Additional property replicsa is not allowed"),
        ("ingress: {tls: x}", "Additional property tls is not allowed"),
        ("replicas: 0", "replicas: Must be greater than or equal to 1"),
        ("drain: {spread: 16}", "drain.spread: Must be less than or equal to 15"),
        ("publicUrl: quiz.example.org", "publicUrl: Does not match pattern"),
        ("settings: {MAX_PLAYRS: 3}", "\nsettings.MAX_PLAYRS is no setting of Quizhall.\n"),
        (
            "settings: {DRAIN_FLUSH: 3s}",
            "\nsettings.DRAIN_FLUSH is made from another value of the chart; see values.yaml.\n",
        ),
        ("settings: {METRICS_TOKEN: x}", "\nsettings.METRICS_TOKEN is made from another value"),
        ("settings: {NODE_NAME: x}", "\nsettings.NODE_NAME is made from another value"),
        ("extraEnv: [{name: BIND_ADDR, value: x}]", "\nextraEnv: BIND_ADDR is already set by the chart.\n"),
        (
            "secrets: {existing: x, values: {REDIS_URL: redis://x}}",
            "\nsecrets.existing and secrets.values are both given",
        ),
        ("secrets: {existing: x, keys: {REDIS_URL: null}}", "\nREDIS_URL is missing: "),
        ("ingress: {enabled: true}", "\ntrustedProxies is missing: "),
        (
            "secrets: {existing: x, keys: {METRICS_TOKEN: null}}\ningress: {enabled: true}",
            "\nMETRICS_TOKEN is missing: ",
        ),
        ("autoscaling: {minReplicas: 11}", "\nautoscaling.minReplicas is greater than maxReplicas.\n"),
    ];
    let folder = TempDir::new().unwrap();
    let least = folder.path().join("least.yaml");
    fs::write(&least, LEAST).unwrap();
    for (values, sentence) in wrong {
        let words = ["template", "quizhall", CHART, "--values", least.to_str().unwrap(), "--values", "-"];
        let output = helm(&words, values);
        assert!(!output.status.success(), "{values}");
        assert!(text_of(&output).contains(sentence), "{values}: {}", text_of(&output));
    }
}

#[test]
fn a_zone_comes_from_the_label_of_the_pod() {
    if !can_render("the zone of the chart") {
        return;
    }
    let values = format!("{LEAST}zoneLabel: topology.kubernetes.io/zone\n");
    let output = helm(&["template", "quizhall", CHART, "--values", "-"], &values);
    assert!(output.status.success(), "{}", text_of(&output));
    let rendered = text_of(&output);
    assert!(rendered.contains("- name: NODE_ZONE"), "{rendered}");
    assert!(rendered.contains("fieldPath: metadata.labels['topology.kubernetes.io/zone']"), "{rendered}");
}

/// `config show` of the program has the value of each variable, and says that it is from the environment.
#[test]
fn the_program_reads_every_variable_of_a_pod() {
    if !can_render("the variables of the chart") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let all = objects(MOST);
    let mut given = variables(&all);
    for (name, value) in &mut given {
        if name.ends_with("_FILE") {
            let file = folder.path().join(&*name);
            fs::write(&file, "a-secret-for-tests-only").unwrap();
            *value = file.to_str().unwrap().to_owned();
        }
    }
    given.push(("NODE_NAME".to_owned(), "quizhall-1".to_owned()));
    let mut show = Command::new(env!("CARGO_BIN_EXE_quizhall"));
    let shown = printed(show.args(["config", "show"]).env_clear().envs(given.iter().cloned()));
    let from_environment: BTreeSet<(&str, &str)> = shown
        .lines()
        .filter_map(|line| line.split_once("  variable ").map(|(line, _)| line))
        .filter_map(|line| line.split_once(' ').map(|(name, value)| (name, value.trim())))
        .collect();
    assert!(given.len() > 18, "{given:?}");
    for (name, value) in &given {
        let read = from_environment.iter().find(|(shown, _)| shown == name);
        let (_, read) = read.unwrap_or_else(|| panic!("{name} is not read:\n{shown}"));
        assert_eq!(read, value, "{name}");
    }
}

#[test]
fn the_stop_fits_into_the_grace_of_the_pod() {
    if !can_render("the grace of a pod") {
        return;
    }
    for (values, whole) in [(LEAST, 25), (MOST, 6)] {
        let all = objects(values);
        assert_eq!(pod(&all)["spec"]["terminationGracePeriodSeconds"], whole + 5);
        assert_eq!(object(&all, "Deployment", "quizhall")["spec"]["minReadySeconds"], whole);
    }
    let defaults = Command::new(env!("CARGO_BIN_EXE_quizhall")).args(["config", "show"]).env_clear().output().unwrap();
    let defaults = String::from_utf8(defaults.stdout).unwrap();
    for (name, value) in variables(&objects(LEAST)).iter().filter(|(name, _)| name.starts_with("DRAIN_")) {
        let line = defaults.lines().find(|line| line.starts_with(name.as_str())).unwrap();
        assert!(line.split_whitespace().nth(1) == Some(value), "{name}={value} and not the default: {line}");
    }
}

#[test]
fn one_kind_of_secret_is_for_one_kind_of_object() {
    if !can_render("the secrets of the chart") {
        return;
    }
    let schema: Value = serde_json::from_str(&read("deploy/helm/quizhall/values.schema.json")).unwrap();
    let names = |part: &str| -> BTreeSet<String> {
        let secrets = &schema["properties"]["secrets"]["properties"][part]["properties"];
        secrets.as_object().unwrap().keys().cloned().collect()
    };
    let settings = read("deploy/helm/quizhall/files/settings");
    let files: BTreeSet<String> =
        settings.lines().filter_map(|line| line.strip_suffix("_FILE")).map(str::to_owned).collect();
    assert_eq!((names("keys"), names("values")), (files.clone(), files), "the settings with a variant _FILE");

    let inline =
        LEAST.replace("{existing: quizhall}", "{values: {DATABASE_URL: the-secret-1, REDIS_URL: the-secret-2}}");
    let all = objects(&inline);
    let holding: Vec<&Value> = all.iter().filter(|object| object.to_string().contains("the-secret")).collect();
    assert_eq!(holding.len(), 1);
    assert_eq!(holding[0]["kind"], "Secret");
    assert_ne!(pod(&all)["metadata"]["annotations"]["checksum/secrets"], Value::Null);
    let mounted = &pod(&all)["spec"]["volumes"][0]["secret"];
    assert_eq!(mounted["secretName"], holding[0]["metadata"]["name"]);
    for item in mounted["items"].as_array().unwrap() {
        let key = item["key"].as_str().unwrap();
        assert_ne!(holding[0]["stringData"][key], Value::Null);
    }
}

#[test]
fn an_ingress_leads_a_game_to_one_pod_where_it_can() {
    if !can_render("the ingress of the chart") {
        return;
    }
    let with = |controller: &str| objects(&MOST.replace("controller: nginx", &format!("controller: {controller}")));
    let annotation = |all: &[Value], name: &str, ingress: &str| {
        object(all, "Ingress", ingress)["metadata"]["annotations"][name].as_str().map(str::to_owned)
    };
    for (controller, name, value) in [
        ("nginx", "nginx.ingress.kubernetes.io/upstream-hash-by", "$uri"),
        ("haproxy", "haproxy.org/load-balance", "uri"),
    ] {
        let all = with(controller);
        assert_eq!(annotation(&all, name, "quizhall-games").as_deref(), Some(value));
        assert_eq!(annotation(&all, name, "quizhall"), None, "pages go to any pod");
        assert_eq!(object(&all, "Ingress", "quizhall-games")["spec"]["rules"][0]["http"]["paths"][0]["path"], "/ws");
        assert!(variables(&all).contains(&("READY_WITHOUT_CACHE".to_owned(), "true".to_owned())));
        assert!(variables(&all).contains(&("PLACE_GAMES_BY_LOAD".to_owned(), "false".to_owned())));
    }
    let all = with("other");
    assert_eq!(all.iter().filter(|object| object["kind"] == "Ingress").count(), 1);
    assert!(variables(&all).contains(&("READY_WITHOUT_CACHE".to_owned(), "false".to_owned())));
    assert!(variables(&all).contains(&("PLACE_GAMES_BY_LOAD".to_owned(), "true".to_owned())));
}

#[test]
fn the_alerts_are_those_of_deploy() {
    if !can_render("the alerts of the chart") {
        return;
    }
    let all = objects(MOST);
    let ours = parsed(&read("deploy/alerts.yaml"), &[]);
    assert_eq!(object(&all, "PrometheusRule", "quizhall")["spec"], ours[0]);
    let monitor = object(&all, "ServiceMonitor", "quizhall");
    let label = monitor["spec"]["jobLabel"].as_str().unwrap();
    let job = &object(&all, "Service", "quizhall")["metadata"]["labels"][label];
    assert!(
        ours[0].to_string().contains(&format!(r#"up{{job=\"{}\"}}"#, job.as_str().unwrap())),
        "the job of the alerts"
    );
}

#[test]
fn the_chart_is_packed() {
    if !can_render("the package of the chart") {
        return;
    }
    let folder = TempDir::new().unwrap();
    printed(Command::new("deploy/chart").arg(folder.path()).current_dir(ROOT));
    printed(Command::new("sh").args(["-euc", "sha256sum --check --quiet -- *.sha256"]).current_dir(folder.path()));
    let package = folder.path().join(format!("quizhall-chart-{}.tgz", env!("CARGO_PKG_VERSION")));
    let output = helm(&["template", "quizhall", package.to_str().unwrap(), "--values", "-"], MOST);
    assert_eq!(parsed(&String::from_utf8(output.stdout).unwrap(), &[]), objects(MOST));
}
