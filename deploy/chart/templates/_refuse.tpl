{{/*
Refuses values with which Carnet would be unsafe or would not work. All problems are reported at once, each with a remedy.
Carnet checks its own configuration when it starts; here are problems of the deployment, and those that are worth an earlier
message.
*/}}
{{- define "carnet.refuse" -}}
{{- $problems := concat (include "carnet.problemsOfConfig" . | fromJsonArray) (include "carnet.problemsOfStore" . | fromJsonArray) (include "carnet.problemsOfSecrets" . | fromJsonArray) (include "carnet.problemsOfExposure" . | fromJsonArray) (include "carnet.problemsOfPods" . | fromJsonArray) (include "carnet.problemsOfUi" . | fromJsonArray) -}}
{{- if $problems -}}
{{- fail (printf "\nThe values can't be used:\n  - %s\n" (join "\n  - " $problems)) -}}
{{- end -}}
{{- end -}}

{{- define "carnet.problemsOfConfig" -}}
{{- $config := .Values.carnet.config -}}
{{- $problems := list -}}
{{- $issuer := include "carnet.issuer" . -}}
{{- if not $issuer -}}
{{- $problems = append $problems "carnet.config.issuer is missing. Set it to the https URL under which browsers and clients reach Carnet." -}}
{{- else if not (hasPrefix "https://" $issuer) -}}
{{- $problems = append $problems (printf "carnet.config.issuer is %s. It must be an https URL: end TLS in the Ingress." $issuer) -}}
{{- end -}}
{{- if $config.dev -}}
{{- $problems = append $problems "carnet.config.dev: development mode generates secrets in each pod and is not for a cluster. Remove it." -}}
{{- end -}}
{{- range $listener := list "public" "admin" -}}
{{- $host := dig $listener "host" "" $config -}}
{{- if or (has $host (list "localhost" "::1")) (hasPrefix "127." $host) -}}
{{- $problems = append $problems (printf "carnet.config.%s.host is %s, which nothing outside of the pod reaches, not even the probes. Set it to 0.0.0.0 (or :: for IPv6)." $listener $host) -}}
{{- end -}}
{{- end -}}
{{- if not (dig "admin" "host" "" $config) -}}
{{- $problems = append $problems "carnet.config.admin.host is missing. Set it to 0.0.0.0 (or :: for IPv6), so that the probes and the pages reach the admin listener." -}}
{{- end -}}
{{- if eq (include "carnet.publicPort" .) (include "carnet.adminPort" .) -}}
{{- $problems = append $problems "carnet.config.admin.port is also carnet.config.public.port. Set another port for the admin listener." -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "carnet.problemsOfStore" -}}
{{- $problems := list -}}
{{- $config := .Values.carnet.config -}}
{{- $store := dig "storage" "default" "" $config -}}
{{- $replicas := ternary .Values.deployment.autoscaling.maxReplicas .Values.replicaCount .Values.deployment.autoscaling.enabled | int -}}
{{- if and .Values.secret.enabled (not $store) (not (include "carnet.hasEnv" (dict "root" . "names" (list "DATABASE_URL" "DATABASE_URL_FILE" "REDIS_URL" "REDIS_URL_FILE")))) -}}
{{- $problems = append $problems "carnet.config.storage.default is missing. Set it to the URL of the store, such as postgres://user:password@host/database, or set secret.enabled to false and name a Secret with the key DATABASE_URL in secret.nameOverride." -}}
{{- end -}}
{{- $urls := list -}}
{{- range $key, $url := default dict $config.storage -}}
{{- if kindIs "string" $url -}}{{- $urls = append $urls (dict "key" (printf "storage.%s" $key) "url" $url) -}}{{- end -}}
{{- end -}}
{{- with dig "accounts" "database" "" $config -}}{{- $urls = append $urls (dict "key" "accounts.database" "url" .) -}}{{- end -}}
{{- range $urls -}}
{{- if hasPrefix "memory:" .url -}}
{{- $problems = append $problems (printf "carnet.config.%s is memory:, which loses all data when a pod ends. Set the URL of a Postgres, MySQL or Redis." .key) -}}
{{- else if hasPrefix "sqlite:" .url -}}
{{- if gt $replicas 1 -}}
{{- $problems = append $problems (printf "carnet.config.%s is SQLite, which several pods cannot share. Set replicaCount to 1 and deployment.autoscaling.enabled to false, or use Postgres." .key) -}}
{{- end -}}
{{- if not $.Values.persistence.enabled -}}
{{- $problems = append $problems (printf "carnet.config.%s is SQLite, and its file would be lost with the pod. Set persistence.enabled to true and the URL to sqlite:/var/lib/carnet/carnet.db." .key) -}}
{{- else if not (hasPrefix "sqlite:/var/lib/carnet/" .url) -}}
{{- $problems = append $problems (printf "carnet.config.%s is not on the volume, and its file would be lost with the pod. Put it below /var/lib/carnet, such as sqlite:/var/lib/carnet/carnet.db." .key) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "carnet.problemsOfSecrets" -}}
{{- $problems := list -}}
{{- $config := .Values.carnet.config -}}
{{- if dig "keys" "jwks" "" $config -}}
{{- $problems = append $problems "carnet.config.keys.jwks would put private keys into a ConfigMap. Use keys.source: store, or mount a Secret with deployment.extraVolumes and set keys.file." -}}
{{- end -}}
{{- $owners := dict -}}
{{- range default list $config.clients -}}
{{- if hasKey . "client_secret_hash" -}}
{{- $problems = append $problems (printf "carnet.config.clients: client_secret_hash of %s would be in a ConfigMap. Set client_secret, which the chart puts into the Secret, or mount a Secret with deployment.extraVolumes and set CLIENTS_FILE in deployment.extraEnv." .client_id) -}}
{{- end -}}
{{- if hasKey . "client_secret" -}}
{{- $variable := include "carnet.clientVariable" .client_id -}}
{{- if hasKey $owners $variable -}}
{{- $problems = append $problems (printf "carnet.config.clients: %s and %s have the same variable %s for their secrets. Change one of the ids." (get $owners $variable) .client_id $variable) -}}
{{- end -}}
{{- $_ := set $owners $variable .client_id -}}
{{- end -}}
{{- end -}}
{{- if not .Values.secret.enabled -}}
{{- if not .Values.secret.nameOverride -}}
{{- $problems = append $problems "secret.enabled is false. Name your own Secret in secret.nameOverride." -}}
{{- end -}}
{{- range $path, $variable := include "carnet.secretKeys" . | fromYaml -}}
{{- if hasKey (include "carnet.valueAt" (dict "tree" $config "path" $path) | fromYaml) "value" -}}
{{- $problems = append $problems (printf "carnet.config.%s is a secret, and secret.enabled is false. Put it into your own Secret with the key %s." $path $variable) -}}
{{- end -}}
{{- end -}}
{{- range $variable := keys (include "carnet.divided" . | fromYaml).secrets | sortAlpha -}}
{{- if regexMatch "^(ACCOUNTS_DIRECTORY|CLIENT)_" $variable -}}
{{- $problems = append $problems (printf "A secret in carnet.config belongs into your own Secret, because secret.enabled is false. Give it the key %s." $variable) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "carnet.problemsOfExposure" -}}
{{- $problems := list -}}
{{- $remedy := "A caller with the admin token can sign in as any user. If other measures limit who reaches it, set" -}}
{{- if and .Values.ingress.admin.enabled (not .Values.ingress.admin.allowExposure) -}}
{{- $problems = append $problems (printf "ingress.admin.enabled exposes the admin API. %s ingress.admin.allowExposure to true." $remedy) -}}
{{- end -}}
{{- if and .Values.ingress.admin.enabled (not .Values.service.admin.enabled) -}}
{{- $problems = append $problems "ingress.admin.enabled needs the Service. Set service.admin.enabled to true." -}}
{{- end -}}
{{- if and .Values.ingress.admin.enabled (not .Values.ingress.admin.hosts) -}}
{{- $problems = append $problems "ingress.admin.hosts is empty. Name the host of the admin API." -}}
{{- end -}}
{{- if and (ne .Values.service.admin.type "ClusterIP") (not .Values.service.admin.allowExposure) -}}
{{- $problems = append $problems (printf "service.admin.type is %s, which exposes the admin API. %s service.admin.allowExposure to true." .Values.service.admin.type $remedy) -}}
{{- end -}}
{{- if and (or .Values.ingress.public.enabled .Values.gateway.enabled) (not .Values.service.public.enabled) -}}
{{- $problems = append $problems "ingress.public and gateway need the Service. Set service.public.enabled to true." -}}
{{- end -}}
{{- if and .Values.gateway.enabled (not .Values.gateway.parentRefs) -}}
{{- $problems = append $problems "gateway.parentRefs is empty. Name the Gateway, such as [{ name: public, namespace: gateways }]." -}}
{{- end -}}
{{- with .Values.networkPolicy -}}
{{- if and .enabled (not $.Values.ui.enabled) (not .admin.from) -}}
{{- $problems = append $problems "networkPolicy.admin.from is empty, so that your login app can't reach the admin API. Name its pods, such as [{ podSelector: { matchLabels: { app: login } } }], or set networkPolicy.enabled to false." -}}
{{- end -}}
{{- if and .enabled $.Values.serviceMonitor.enabled (not .metrics.from) -}}
{{- $problems = append $problems "networkPolicy.metrics.from is empty, so that Prometheus can't read the metrics. Name its namespace, such as [{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: monitoring } } }]." -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "carnet.problemsOfPods" -}}
{{- $problems := list -}}
{{- $deployment := .Values.deployment -}}
{{- with $deployment.autoscaling -}}
{{- if .enabled -}}
{{- if lt (int .maxReplicas) (int .minReplicas) -}}
{{- $problems = append $problems "deployment.autoscaling.maxReplicas is less than minReplicas. Increase it." -}}
{{- end -}}
{{- if not (or .targetCPU .targetMemory) -}}
{{- $problems = append $problems "deployment.autoscaling has no target. Set targetCPU or targetMemory." -}}
{{- end -}}
{{- range $resource, $target := dict "cpu" .targetCPU "memory" .targetMemory -}}
{{- if and $target (eq (default "Utilization" $target.type) "Utilization") (not (dig "requests" $resource "" $deployment.resources)) -}}
{{- $problems = append $problems (printf "deployment.autoscaling compares the use of %s with the request of the container, which is missing. Set deployment.resources.requests.%s." $resource $resource) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $shutdown := dig "http" "shutdownSeconds" 10 .Values.carnet.config -}}
{{- $seconds := ternary (trimSuffix "s" (toString $shutdown)) (toString $shutdown) (kindIs "string" $shutdown) -}}
{{- if regexMatch "^[0-9]+$" $seconds -}}
{{- $needed := add (int $deployment.lifecycle.preStopSleepSeconds) (int $seconds) 5 -}}
{{- if lt (int $deployment.terminationGracePeriodSeconds) (int $needed) -}}
{{- $problems = append $problems (printf "deployment.terminationGracePeriodSeconds is %d, so that Kubernetes kills pods with requests in progress. Set it to %d or more: lifecycle.preStopSleepSeconds, http.shutdownSeconds and 5 seconds to close the stores." (int $deployment.terminationGracePeriodSeconds) $needed) -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "carnet.problemsOfUi" -}}
{{- $problems := list -}}
{{- $urls := default dict .Values.carnet.config.urls -}}
{{- if .Values.ui.enabled -}}
{{- if not .Values.service.admin.enabled -}}
{{- $problems = append $problems "ui.enabled needs the admin API. Set service.admin.enabled to true." -}}
{{- end -}}
{{- if and .Values.ui.url (not (hasPrefix "https://" .Values.ui.url)) -}}
{{- $problems = append $problems "ui.url must be an https URL: users enter passwords there." -}}
{{- end -}}
{{- range list "USER_DIRECTORY_URL" "DEMO_USERS_FILE" "CARNET_DEMO_USERS" -}}
{{- if hasKey $.Values.ui.config . -}}
{{- $problems = append $problems (printf "ui.config.%s is no longer read: set carnet.config.accounts.directories." .) -}}
{{- end -}}
{{- end -}}
{{- if .Values.ui.config.UI_COOKIE_SECRET -}}
{{- $problems = append $problems "ui.config.UI_COOKIE_SECRET is a secret. The chart generates one; to use your own, name a Secret in ui.secret.nameOverride." -}}
{{- end -}}
{{- if .Values.ui.config.CARNET_ADMIN_TOKEN -}}
{{- $problems = append $problems "ui.config.CARNET_ADMIN_TOKEN is a secret, and would be in the manifest of the Deployment. Take it from a Secret: ui.extraEnv with valueFrom.secretKeyRef." -}}
{{- end -}}
{{- $store := dig "storage" "default" "" .Values.carnet.config -}}
{{- $accounts := default dict .Values.carnet.config.accounts -}}
{{- $needsDatabase := and .Values.secret.enabled (not (hasKey $accounts "directories")) (not $accounts.database) -}}
{{- if and $needsDatabase (not (regexMatch "^(postgres|postgresql|sqlite):" $store)) (not (include "carnet.hasEnv" (dict "root" . "names" (list "ACCOUNTS_DATABASE" "ACCOUNTS_DATABASE_FILE")))) -}}
{{- $problems = append $problems "carnet.config.accounts.database is missing: the pages need a database of users. Set it to a Postgres, or list your directories in carnet.config.accounts.directories." -}}
{{- end -}}
{{- else if not (and $urls.login $urls.consent) -}}
{{- $problems = append $problems "ui.enabled is false. Set carnet.config.urls.login and carnet.config.urls.consent to your own pages." -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}
