#!/bin/sh
# Renders carnet.yaml from the Helm chart, without the labels of Helm. HELM names another helm.
set -eu
cd "$(dirname "$0")"
rendered=$("${HELM:-helm}" template carnet ../chart --namespace carnet --kube-version 1.34.0 --skip-tests -f values.yaml)
{
  echo '# Rendered from deploy/chart by render.sh. Change the chart or values.yaml, not this file.'
  printf '%s\n' "$rendered" | grep -v -e 'helm.sh/chart:' -e 'managed-by: Helm'
} >"${1:-carnet.yaml}"
