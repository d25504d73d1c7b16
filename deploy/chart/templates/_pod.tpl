{{/* What the pods of the server, the pages and the migration have in common. */}}
{{- define "carnet.podDefaults" -}}
automountServiceAccountToken: {{ .Values.deployment.automountServiceAccountToken }}
# The variables of service links, such as CARNET_PORT, have the names of settings.
enableServiceLinks: false
securityContext: {{- toYaml .Values.deployment.podSecurityContext | nindent 2 }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.deployment.schedulerName }}
schedulerName: {{ . }}
{{- end }}
{{- with .Values.deployment.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "carnet.container" -}}
image: {{ include "carnet.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext: {{- toYaml .Values.deployment.securityContext | nindent 2 }}
{{- end -}}

{{/* Evenly over nodes, unless the values say otherwise. `constraints`, `component` and `root` in a dict. */}}
{{- define "carnet.spread" -}}
topologySpreadConstraints:
{{- if .constraints }}
{{ toYaml .constraints | indent 2 }}
{{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "carnet.selector" . | nindent 8 }}
{{- end }}
{{- end -}}

{{/* Nodes: `values` with nodeSelector, tolerations, affinity. */}}
{{- define "carnet.nodes" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The variables of the server: those of the Secret, and those of the operator. */}}
{{- define "carnet.serverEnv" -}}
envFrom:
  - secretRef:
      name: {{ include "carnet.secretName" . }}
{{- with .Values.deployment.extraEnvFrom }}
{{ toYaml . | indent 2 }}
{{- end }}
env:
  # Refuses dev mode.
  - name: NODE_ENV
    value: production
  # The image sets HOST, which overrides carnet.yaml.
  - name: HOST
    value: {{ dig "public" "host" "0.0.0.0" .Values.carnet.config | quote }}
  # For commands in the pod, such as `carnet create client`.
  - name: CARNET_ADMIN_URL
    value: http://127.0.0.1:{{ include "carnet.adminPort" . }}
{{- with .Values.deployment.extraEnv }}
{{ tpl (toYaml .) $ | indent 2 }}
{{- end }}
{{- end -}}

{{- define "carnet.serverMounts" -}}
volumeMounts:
  - name: config
    mountPath: /etc/carnet
    readOnly: true
  - name: tmp
    mountPath: /tmp
{{- if .Values.persistence.enabled }}
  - name: data
    mountPath: /var/lib/carnet
{{- end }}
{{- with .Values.deployment.extraVolumeMounts }}
{{ toYaml . | indent 2 }}
{{- end }}
{{- end -}}

{{/* A probe: `path`, `port` and `settings`; or `custom`, which replaces it. */}}
{{- define "carnet.probe" -}}
{{- if .custom -}}
{{- toYaml .custom -}}
{{- else -}}
httpGet:
  path: {{ .path }}
  port: {{ .port }}
{{ toYaml .settings }}
{{- end -}}
{{- end -}}
