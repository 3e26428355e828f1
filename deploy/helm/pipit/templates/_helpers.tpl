{{- define "pipit.name" -}}
{{- .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "pipit.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "pipit.selectorLabels" -}}
app.kubernetes.io/name: {{ include "pipit.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "pipit.labels" -}}
{{ include "pipit.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "pipit.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "pipit.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "pipit.image" -}}
{{- if .Values.image.digest }}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}
{{- end }}

{{- define "pipit.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "pipit.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* The pod that creates the first API key, as JSON for the option --overrides of kubectl run. */}}
{{- define "pipit.firstKeyPod" -}}
{{- $url := dict "secretKeyRef" (dict "name" .Values.database.existingSecret "key" .Values.database.key) }}
{{- $container := dict
  "name" "pipit-first-key"
  "image" (include "pipit.image" .)
  "imagePullPolicy" .Values.image.pullPolicy
  "args" (list "keys" "create" "--name" "first")
  "env" (list (dict "name" "PIPIT_DATABASE_URL" "valueFrom" $url))
  "securityContext" (include "pipit.containerSecurity" . | fromYaml) }}
{{- $pod := dict
  "containers" (list $container)
  "enableServiceLinks" false
  "automountServiceAccountToken" false
  "imagePullSecrets" .Values.imagePullSecrets
  "securityContext" (include "pipit.podSecurity" . | fromYaml) }}
{{- dict "spec" $pod | toJson }}
{{- end }}
