#!/bin/sh
# Makes the secrets of compose.yaml in the folder `secrets`, and a certificate that is self-signed, for a trial.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir secrets
random() { openssl rand -hex 32; }
password=$(random)
printf %s "$password" >secrets/postgres-password
printf %s "postgres://carnet:$password@postgres/carnet" >secrets/database-url
for name in system-secret admin-token cookie-secret; do random >secrets/"$name"; done
openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj /CN=carnet.localhost \
  -addext subjectAltName=DNS:carnet.localhost -keyout secrets/tls-key.pem -out secrets/tls-certificate.pem 2>/dev/null
# The containers read them as 65532. The folder itself stays closed to other users of this machine.
chmod 644 secrets/*
