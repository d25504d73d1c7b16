{{/*
The keys of carnet.config that hold secrets, and the environment variable that sets each.
test/release/chart compares this table with the schema of the configuration.
*/}}
{{- define "carnet.secretKeys" -}}
storage.default: DATABASE_URL
storage.clients: STORAGE_CLIENTS
storage.keys: STORAGE_KEYS
storage.tokens: STORAGE_TOKENS
storage.clientCredentials: STORAGE_CLIENT_CREDENTIALS
storage.sessions: STORAGE_SESSIONS
storage.consents: STORAGE_CONSENTS
storage.replays: STORAGE_REPLAYS
storage.deliveries: STORAGE_DELIVERIES
storage.events: STORAGE_EVENTS
storage.flows: STORAGE_FLOWS
secrets.system: SECRETS_SYSTEM
keys.signer: SIGNER
keys.sealedBy: KEYS_SEALED_BY
admin.token: ADMIN_TOKEN
oidc.subjectIdentifiers.pairwise.salt: OIDC_SUBJECT_IDENTIFIERS_PAIRWISE_SALT
hooks.token.url: HOOKS_TOKEN_URL
hooks.token.auth.value: HOOKS_TOKEN_AUTH_VALUE
hooks.refreshToken.url: HOOKS_REFRESH_TOKEN_URL
hooks.refreshToken.auth.value: HOOKS_REFRESH_TOKEN_AUTH_VALUE
accounts.database: ACCOUNTS_DATABASE
accounts.mail.url: ACCOUNTS_MAIL_URL
accounts.validateCheck.token: ACCOUNTS_VALIDATE_CHECK_TOKEN
accounts.scim.token: ACCOUNTS_SCIM_TOKEN
accounts.scim.previousToken: ACCOUNTS_SCIM_PREVIOUS_TOKEN
console.prometheus.token: CONSOLE_PROMETHEUS_TOKEN
console.prometheus.password: CONSOLE_PROMETHEUS_PASSWORD
issuers: ISSUERS
{{- end -}}

{{/* The value at a path of a dict, as { value: ... }; an empty dict if there is none. */}}
{{- define "carnet.valueAt" -}}
{{- $node := .tree -}}
{{- $isThere := true -}}
{{- range splitList "." .path -}}
{{- if and $isThere (kindIs "map" $node) (hasKey $node .) -}}
{{- $node = get $node . -}}
{{- else -}}
{{- $isThere = false -}}
{{- end -}}
{{- end -}}
{{- if and $isThere (not (kindIs "invalid" $node)) -}}{{- dict "value" $node | toYaml -}}{{- else -}}{}{{- end -}}
{{- end -}}

{{/* Whether extraEnv sets one of the variables. A variable in extraEnvFrom is not seen. */}}
{{- define "carnet.hasEnv" -}}
{{- $names := .names -}}
{{- range .root.Values.deployment.extraEnv -}}
{{- if has .name $names -}}true{{- end -}}
{{- end -}}
{{- if .root.Values.deployment.extraEnvFrom -}}true{{- end -}}
{{- end -}}

{{- define "carnet.issuer" -}}
{{- default "" .Values.carnet.config.issuer -}}
{{- end -}}

{{/* The scheme and host of the issuer. */}}
{{- define "carnet.origin" -}}
{{- $url := urlParse (include "carnet.issuer" .) -}}
{{- printf "%s://%s" $url.scheme $url.host -}}
{{- end -}}

{{- define "carnet.uiUrl" -}}
{{- default (include "carnet.origin" .) .Values.ui.url | trimSuffix "/" -}}
{{- end -}}

{{- define "carnet.publicPort" -}}
{{- dig "public" "port" 4444 .Values.carnet.config | int -}}
{{- end -}}

{{- define "carnet.adminPort" -}}
{{- dig "admin" "port" 4445 .Values.carnet.config | int -}}
{{- end -}}

{{/* carnet.config with the URLs and the accounts of the bundled pages. What the operator has set is kept. */}}
{{- define "carnet.completeConfig" -}}
{{- $config := deepCopy .Values.carnet.config -}}
{{- if .Values.ui.enabled -}}
{{- $url := include "carnet.uiUrl" . -}}
{{- $pages := dict "login" (printf "%s/login" $url) "consent" (printf "%s/consent" $url) "logout" (printf "%s/logout" $url) "error" (printf "%s/error" $url) "device" (dict "verification" (printf "%s/device" $url) "success" (printf "%s/device/success" $url)) -}}
{{- $_ := set $config "urls" (mergeOverwrite $pages (default dict $config.urls)) -}}
{{- $accounts := default dict $config.accounts -}}
{{- $database := dig "storage" "default" "" $config -}}
{{- if and (not (hasKey $accounts "database")) (regexMatch "^(postgres|postgresql|sqlite):" $database) -}}
{{- $_ := set $accounts "database" ($database | replace "/carnet.db" "/accounts.db") -}}
{{- end -}}
{{- if not (hasKey $accounts "directories") -}}
{{- $_ := set $accounts "directories" (list (dict "name" "users" "kind" "sql")) -}}
{{- end -}}
{{- $_ := set $config "accounts" $accounts -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled .Values.secret.enabled -}}
{{- $admin := default dict $config.admin -}}
{{- $names := list -}}
{{- range (default list $admin.tokens) -}}{{- $names = append $names .name -}}{{- end -}}
{{- if not (has "prometheus" $names) -}}
{{- $_ := set $admin "tokens" (append (default list $admin.tokens) (dict "name" "prometheus" "rights" (list "metrics"))) -}}
{{- end -}}
{{- $_ := set $config "admin" $admin -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}

{{/* The variable of a token of admin.tokens, which is also its key in the Secret. */}}
{{- define "carnet.tokenVariable" -}}
{{- printf "ADMIN_TOKEN_%s" (upper . | replace "-" "_") -}}
{{- end -}}

{{/* The key of the Secret with the token of Prometheus. */}}
{{- define "carnet.metricsTokenKey" -}}
{{- $key := "ADMIN_TOKEN" -}}
{{- range (dig "admin" "tokens" list (include "carnet.completeConfig" . | fromYaml)) -}}
{{- if eq .name "prometheus" -}}{{- $key = include "carnet.tokenVariable" .name -}}{{- end -}}
{{- end -}}
{{- $key -}}
{{- end -}}

{{/* The variable of a client's secret: secretVariableOf() in packages/provider/src/clients/configured. */}}
{{- define "carnet.clientVariable" -}}
{{- printf "CLIENT_%s_SECRET" (regexReplaceAll "[^A-Z0-9]+" (upper .) "_") -}}
{{- end -}}

{{/*
Divides the complete configuration: `config` for the ConfigMap, `secrets` (by variable) for the Secret.
No secret is in the ConfigMap, because each key of carnet.secretKeys is removed from `config` here.
*/}}
{{- define "carnet.divided" -}}
{{- $config := include "carnet.completeConfig" . | fromYaml -}}
{{- $secrets := dict -}}
{{- range $path, $variable := include "carnet.secretKeys" . | fromYaml -}}
{{- $found := include "carnet.valueAt" (dict "tree" $config "path" $path) | fromYaml -}}
{{- if hasKey $found "value" -}}
{{- /* URLs of signers contain commas. */ -}}
{{- $separator := ternary " " "," (eq $variable "SIGNER") -}}
{{- if kindIs "map" $found.value -}}
{{- /* Further issuers: the whole section, which may hold secrets, is one variable. */ -}}
{{- $_ := set $secrets $variable (toJson $found.value) -}}
{{- else -}}
{{- $_ := set $secrets $variable (ternary (join $separator $found.value) $found.value (kindIs "slice" $found.value)) -}}
{{- end -}}
{{- $steps := splitList "." $path -}}
{{- $node := $config -}}
{{- range initial $steps -}}{{- $node = get $node . -}}{{- end -}}
{{- $_ := unset $node (last $steps) -}}
{{- end -}}
{{- end -}}
{{- $items := list -}}
{{- range (dig "accounts" "directories" list $config) -}}
{{- $prefix := printf "ACCOUNTS_DIRECTORY_%s" (regexReplaceAll "[^A-Z0-9]" (upper .name) "_") -}}
{{- $items = concat $items (list (dict "item" . "member" "bindPassword" "variable" (printf "%s_BIND_PASSWORD" $prefix)) (dict "item" . "member" "token" "variable" (printf "%s_TOKEN" $prefix))) -}}
{{- end -}}
{{- range (dig "accounts" "providers" list $config) -}}
{{- $prefix := printf "ACCOUNTS_PROVIDER_%s" (regexReplaceAll "[^A-Z0-9]" (upper .name) "_") -}}
{{- $items = concat $items (list (dict "item" . "member" "clientSecret" "variable" (printf "%s_CLIENT_SECRET" $prefix)) (dict "item" . "member" "privateKey" "variable" (printf "%s_PRIVATE_KEY" $prefix)) (dict "item" . "member" "decryptionKey" "variable" (printf "%s_DECRYPTION_KEY" $prefix))) -}}
{{- end -}}
{{- range (dig "accounts" "scim" "tokens" list $config) -}}
{{- $variable := printf "ACCOUNTS_SCIM_TOKEN_%s" (upper .name | replace "-" "_") -}}
{{- $items = append $items (dict "item" . "member" "value" "variable" $variable) -}}
{{- end -}}
{{- range (dig "events" "webhooks" list $config) -}}
{{- $prefix := printf "EVENTS_WEBHOOK_%s" (regexReplaceAll "[^A-Z0-9]" (upper .name) "_") -}}
{{- $items = concat $items (list (dict "item" . "member" "url" "variable" (printf "%s_URL" $prefix)) (dict "item" . "member" "secret" "variable" (printf "%s_SECRET" $prefix))) -}}
{{- end -}}
{{- range (default list $config.clients) -}}
{{- $items = append $items (dict "item" . "member" "client_secret" "variable" (include "carnet.clientVariable" .client_id)) -}}
{{- end -}}
{{- range (dig "admin" "tokens" list $config) -}}
{{- $items = append $items (dict "item" . "member" "value" "variable" (include "carnet.tokenVariable" .name)) -}}
{{- end -}}
{{- range $items -}}
{{- if hasKey .item .member -}}
{{- $_ := set $secrets .variable (get .item .member) -}}
{{- $_ := unset .item .member -}}
{{- end -}}
{{- end -}}
{{- dict "config" $config "secrets" $secrets | toYaml -}}
{{- end -}}

{{- define "carnet.configFile" -}}
{{- (include "carnet.divided" . | fromYaml).config | toYaml -}}
{{- end -}}

{{/* The data of the Secret. Secrets that the operator did not set are those of the installed Secret, or new. */}}
{{- define "carnet.secretData" -}}
{{- $divided := include "carnet.divided" . | fromYaml -}}
{{- $secrets := $divided.secrets -}}
{{- $generated := list "SECRETS_SYSTEM" "ADMIN_TOKEN" -}}
{{- range (dig "admin" "tokens" list $divided.config) -}}
{{- if not .file -}}{{- $generated = append $generated (include "carnet.tokenVariable" .name) -}}{{- end -}}
{{- end -}}
{{- $installed := (lookup "v1" "Secret" .Release.Namespace (include "carnet.secretName" .)).data | default dict -}}
{{- range $generated -}}
{{- if not (hasKey $secrets .) -}}
{{- $_ := set $secrets . (ternary (get $installed . | b64dec) (randAlphaNum 48) (hasKey $installed .)) -}}
{{- end -}}
{{- end -}}
{{- toYaml $secrets -}}
{{- end -}}
