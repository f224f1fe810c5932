{{- define "quizhall.name" -}}
{{- $name := .Release.Name -}}
{{- if not (contains .Chart.Name $name) }}{{ $name = printf "%s-%s" $name .Chart.Name }}{{ end -}}
{{- $name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "quizhall.selector" -}}
app.kubernetes.io/name: quizhall
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "quizhall.labels" -}}
{{ include "quizhall.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "quizhall.account" -}}
{{ .Values.serviceAccount.name | default (include "quizhall.name" .) }}
{{- end }}

{{- /* The Secret that pods mount. */ -}}
{{- define "quizhall.secret" -}}
{{ .Values.secrets.existing | default (include "quizhall.name" .) }}
{{- end }}

{{- /* Setting → key of that Secret, as YAML. */ -}}
{{- define "quizhall.keys" -}}
{{- $keys := dict -}}
{{- if .Values.secrets.existing -}}
{{- $keys = .Values.secrets.keys -}}
{{- else -}}
{{- range $setting, $value := .Values.secrets.values }}{{ $_ := set $keys $setting $setting }}{{ end -}}
{{- end -}}
{{- toYaml $keys -}}
{{- end }}

{{- /* Whether the ingress leads all sockets of a game to one pod: "true" or nothing. */ -}}
{{- define "quizhall.hashed" -}}
{{- if and .Values.ingress.enabled (ne .Values.ingress.controller "other") }}true{{ end -}}
{{- end }}

{{- /* The seconds from SIGTERM to the end of the process, at most. */ -}}
{{- define "quizhall.drain" -}}
{{ add .Values.drain.lameDuck .Values.drain.spread .Values.drain.flush }}
{{- end }}

{{- /* A value of `settings` as text. Helm reads whole numbers as fractions, and would write 1e+06. */ -}}
{{- define "quizhall.text" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- end }}

{{- /* The settings that the chart makes from other values: name → value, as YAML. */ -}}
{{- define "quizhall.own" -}}
BIND_ADDR: 0.0.0.0:8080
HEALTH_ADDR: 0.0.0.0:8081
ENVIRONMENT: production
PUBLIC_URL: {{ .Values.publicUrl | quote }}
TRUSTED_PROXIES: {{ join "," .Values.trustedProxies | quote }}
MAX_SOCKETS: {{ int64 .Values.socketsPerPod | quote }}
DRAIN_LAME_DUCK: {{ int64 .Values.drain.lameDuck }}s
DRAIN_SPREAD: {{ int64 .Values.drain.spread }}s
DRAIN_FLUSH: {{ int64 .Values.drain.flush }}s
READY_WITHOUT_CACHE: {{ eq (include "quizhall.hashed" .) "true" | quote }}
PLACE_GAMES_BY_LOAD: {{ ne (include "quizhall.hashed" .) "true" | quote }}
{{- range $setting, $_ := include "quizhall.keys" . | fromYaml }}
{{ $setting }}_FILE: /run/secrets/quizhall/{{ $setting }}
{{- end }}
{{- end }}

{{- /* Refuses values that cannot work, all problems at once. */ -}}
{{- define "quizhall.check" -}}
{{- $problems := list -}}
{{- $known := .Files.Lines "files/settings" -}}
{{- $keys := include "quizhall.keys" . | fromYaml -}}
{{- $own := include "quizhall.own" . | fromYaml -}}
{{- if not .Values.image.repository -}}
{{- $problems = append $problems "image.repository is missing: push the image of `make image` to a registry, and name it there." -}}
{{- end -}}
{{- if not .Values.publicUrl -}}
{{- $problems = append $problems "publicUrl is missing: the address that people type, such as https://quiz.example.org." -}}
{{- end -}}
{{- range list "DATABASE_URL" "REDIS_URL" -}}
{{- if not (get $keys .) -}}
{{- $problems = append $problems (printf "%s is missing: name a Secret with it in secrets.existing and its key in secrets.keys, or set secrets.values.%s." . .) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.secrets.existing .Values.secrets.values -}}
{{- $problems = append $problems "secrets.existing and secrets.values are both given: give one." -}}
{{- end -}}
{{- if .Values.ingress.enabled -}}
{{- if not .Values.trustedProxies -}}
{{- $problems = append $problems "trustedProxies is missing: with an ingress, all clients would have its address, and share the limits of one client." -}}
{{- end -}}
{{- if not (get $keys "METRICS_TOKEN") -}}
{{- $problems = append $problems "METRICS_TOKEN is missing: with an ingress, /metrics would be open to all." -}}
{{- end -}}
{{- if and .Values.ingress.tlsSecret (not (hasPrefix "https:" .Values.publicUrl)) -}}
{{- $problems = append $problems "ingress.tlsSecret needs a publicUrl that begins with https." -}}
{{- end -}}
{{- end -}}
{{- range $setting, $value := .Values.settings -}}
{{- if not (has $setting $known) -}}
{{- $problems = append $problems (printf "settings.%s is no setting of Quizhall." $setting) -}}
{{- else if or (hasKey $own $setting) (has (printf "%s_FILE" $setting) $known) (has $setting (list "NODE_NAME" "NODE_ZONE")) (hasSuffix "_FILE" $setting) -}}
{{- $problems = append $problems (printf "settings.%s is made from another value of the chart; see values.yaml." $setting) -}}
{{- end -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- if or (hasKey $own .name) (hasKey $.Values.settings .name) (eq .name "NODE_NAME") -}}
{{- $problems = append $problems (printf "extraEnv: %s is already set by the chart." .name) -}}
{{- end -}}
{{- end -}}
{{- if gt (int64 .Values.autoscaling.minReplicas) (int64 .Values.autoscaling.maxReplicas) -}}
{{- $problems = append $problems "autoscaling.minReplicas is greater than maxReplicas." -}}
{{- end -}}
{{- if $problems }}{{ fail (printf "\n%s" (join "\n" $problems)) }}{{ end -}}
{{- end }}
