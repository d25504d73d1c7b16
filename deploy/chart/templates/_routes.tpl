{{/*
The public routes as JSON: by host, a list of { path, pathType, service, port }. Prefixes of the pages come before the path of
the issuer; Ingress and Gateway choose the longest one that matches.
*/}}
{{- define "carnet.routes" -}}
{{- $issuer := urlParse (include "carnet.issuer" .) -}}
{{- $public := dict "service" (printf "%s-public" (include "carnet.fullname" .)) "port" (int .Values.service.public.port) -}}
{{- $pages := dict "service" (printf "%s-ui" (include "carnet.fullname" .)) "port" (int .Values.ui.service.port) -}}
{{- $routes := dict -}}
{{- $base := trimSuffix "/" $issuer.path -}}
{{- $own := list (merge (dict "path" (default "/" $base) "pathType" "Prefix") $public) -}}
{{- if $base -}}
{{- range list "oauth-authorization-server" "openid-configuration" -}}
{{- $own = append $own (merge (dict "path" (printf "/.well-known/%s%s" . $base) "pathType" "Exact") $public) -}}
{{- end -}}
{{- end -}}
{{- range .Values.ingress.public.hosts -}}
{{- $paths := list -}}
{{- range .paths -}}
{{- $paths = append $paths (merge (dict "path" .path "pathType" (default "Prefix" .pathType)) $public) -}}
{{- end -}}
{{- $_ := set $routes .host $paths -}}
{{- else -}}
{{- $_ := set $routes (regexReplaceAll ":[0-9]+$" $issuer.host "") $own -}}
{{- end -}}
{{- if .Values.ui.enabled -}}
{{- $ui := urlParse (include "carnet.uiUrl" .) -}}
{{- $host := regexReplaceAll ":[0-9]+$" $ui.host "" -}}
{{- $prefixes := list "/login" "/consent" "/logout" "/error" "/device" "/sign-up" "/recovery" "/account" "/brand" -}}
{{- if not (hasKey $routes $host) -}}{{- $prefixes = list "/" -}}{{- end -}}
{{- $paths := list -}}
{{- range $prefixes -}}
{{- $paths = append $paths (merge (dict "path" . "pathType" "Prefix") $pages) -}}
{{- end -}}
{{- $_ := set $routes $host (concat $paths (default list (get $routes $host))) -}}
{{- end -}}
{{- toJson $routes -}}
{{- end -}}
