#!/bin/bash
# A machine of its own: network, ports, processes and folders. Runs the guide in it. Arguments: the script, a folder for files.
set -e
ip link set lo up
for folder in etc opt srv root run usr/local var/lib var/log; do
  layer=$2/layers/${folder//\//-}
  mkdir -p "$layer/upper" "$layer/work"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$layer/upper,workdir=$layer/work" "/$folder"
done
echo '127.0.0.1 localhost id.example.com' > /etc/hosts
cp "$GUIDE_NODE" /usr/local/bin/node && chmod 755 /usr/local/bin/node
mkdir -p /run/postgresql && chown postgres: /run/postgresql
pg_ctlcluster "$(pg_lsclusters -h | cut -d' ' -f1 | head -1)" main start
export HOME=/root PATH=$GUIDE_MACHINE:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
cd /root
bash "$1"
