{{- define "carnet.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "carnet.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- $full | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "carnet.selector" -}}
app.kubernetes.io/name: {{ include "carnet.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "carnet.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name (.root.Chart.Version | replace "+" "_") }}
{{ include "carnet.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- with .labels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "carnet.image" -}}
{{- $image := .Values.image -}}
{{- $name := printf "%s/%s" $image.registry $image.repository -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $name $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $name (default .Chart.AppVersion $image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "carnet.secretName" -}}
{{- default (include "carnet.fullname" .) .Values.secret.nameOverride -}}
{{- end -}}

{{- define "carnet.uiSecretName" -}}
{{- default (printf "%s-ui" (include "carnet.fullname" .)) .Values.ui.secret.nameOverride -}}
{{- end -}}

{{- define "carnet.serviceAccountName" -}}
{{- $account := .Values.deployment.serviceAccount -}}
{{- default (ternary (include "carnet.fullname" .) "default" $account.create) $account.name -}}
{{- end -}}
