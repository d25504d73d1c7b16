#!/bin/sh
# Makes stand-ins for the two images that the Dockerfile starts from, without a registry of images:
# `node:24-slim` (Debian, Node.js, npm) and `gcr.io/distroless/nodejs24` (the same Debian packages, Node.js, no shell).
# Usage: bases.sh <folder> <path of the node binary> <buildah and its options>
set -eu
folder=$1
node=$2
shift 2
cd "$folder"
rm -rf debian slim distroless
debootstrap --variant=minbase --include=ca-certificates,netbase,libgomp1,libssl3 bookworm debian

cp -a debian slim
rm -f slim/var/cache/apt/archives/*.deb
cp -L "$node" slim/usr/local/bin/node
npm pack --silent --pack-destination . npm@11
mkdir -p slim/usr/local/lib/node_modules
tar -xzf npm-*.tgz && rm npm-*.tgz && mv package slim/usr/local/lib/node_modules/npm
ln -s ../lib/node_modules/npm/bin/npx-cli.js slim/usr/local/bin/npx
chmod +x slim/usr/local/lib/node_modules/npm/bin/*.js
# The authorities that this machine trusts, so that npm works behind its proxy.
cp -L /etc/ssl/certs/ca-certificates.crt slim/etc/ssl/certs/ca-certificates.crt

mkdir distroless
for package in base-files libc6 libgcc-s1 libstdc++6 libgomp1 libssl3 tzdata ca-certificates netbase; do
  dpkg -x debian/var/cache/apt/archives/"$package"_*.deb distroless
done
rm -rf distroless/usr/share/doc distroless/usr/share/man distroless/usr/share/locale
mkdir -p distroless/nodejs/bin distroless/home/nonroot distroless/tmp distroless/etc/ssl/certs
chmod 1777 distroless/tmp
chown 65532:65532 distroless/home/nonroot
cp -L "$node" distroless/nodejs/bin/node
cp debian/etc/ssl/certs/ca-certificates.crt distroless/etc/ssl/certs/
echo 'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin' >distroless/etc/passwd

for name in slim distroless; do
  cat >Dockerfile."$name" <<END
FROM scratch
ADD $name /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
END
done
echo 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt' >>Dockerfile.slim
for name in slim distroless; do
  "$@" build --quiet --isolation chroot --pull-never --tag "carnet-$name" --file Dockerfile."$name" .
done
rm -rf debian slim distroless
