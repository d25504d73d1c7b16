import { existsSync } from 'node:fs';
import { findFreePort } from './free-port.ts';
import { execute, startMariadbProcess, urlOf } from './mariadb.ts';
import type { ServerProcess } from './server-process.ts';
import { waitUntil } from './wait-until.ts';

const provider = '/usr/lib/galera/libgalera_smm.so';

/** Whether the library that makes a cluster of MariaDB servers is installed (Debian: `galera-4`). */
export const hasGalera = (): boolean => existsSync(provider);

export interface GaleraNode extends ServerProcess {
  /** `mysql://root@127.0.0.1:port/carnet`, the same database on each node. */
  readonly url: string;
}

/** Three MariaDB servers that each take reads and commits. */
export interface GaleraCluster {
  readonly nodes: readonly [GaleraNode, GaleraNode, GaleraNode];
  /** Resolves when every node is part of the cluster and takes statements. */
  untilWhole(): Promise<void>;
  close(): Promise<void>;
}

const size = 3;

const settingsOf = (groupPort: number, statePort: number, copyPort: number) => ({
  'binlog-format': 'ROW',
  'innodb-autoinc-lock-mode': '2',
  // The nodes wait for the disk no longer than a single server of the tests does.
  'innodb-flush-method': 'nosync',
  'max-connections': '300',
  'wsrep-on': 'ON',
  'wsrep-provider': provider,
  'wsrep-node-address': '127.0.0.1',
  'wsrep-sst-method': 'rsync',
  'wsrep-sst-receive-address': `127.0.0.1:${copyPort}`,
  'wsrep-provider-options': [
    `gmcast.listen_addr=tcp://127.0.0.1:${groupPort}`,
    `ist.recv_addr=127.0.0.1:${statePort}`,
    'gcache.size=32M',
    // A node that is lost is excluded after about a second.
    'evs.suspect_timeout=PT1S',
    'evs.keepalive_period=PT0.25S',
    'evs.inactive_check_period=PT0.2S',
  ].join(';'),
});

const isPartOfWhole = async (node: ServerProcess): Promise<boolean> => {
  const names = "('wsrep_ready', 'wsrep_cluster_size', 'wsrep_local_state_comment')";
  const rows = await execute(urlOf(node, ''), `show status where variable_name in ${names}`);
  const values = (rows as readonly { readonly Value: string }[]).map(({ Value }) => Value);
  return [`${size}`, 'Synced', 'ON'].every((value) => values.includes(value));
};

/** Starts a cluster on 127.0.0.1. It takes about 20 seconds: two nodes copy the data of the first one. */
export const startGalera = async (): Promise<GaleraCluster> => {
  const ports = await Promise.all(Array.from({ length: size }, findFreePort));
  const all = `gcomm://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`;
  const started: GaleraNode[] = [];
  const close = async () => void (await Promise.all(started.map((node) => node.close())));
  const untilWhole = () =>
    waitUntil('cluster of three nodes', async () => (await Promise.all(started.map(isPartOfWhole))).every(Boolean), {
      withinSeconds: 120,
    });
  const startNode = async (groupPort: number, isFirst: boolean): Promise<void> => {
    const settings = settingsOf(groupPort, await findFreePort(), await findFreePort());
    let isNewCluster = isFirst;
    const server = await startMariadbProcess({
      // Once it exists, the first node joins the others like them.
      settings: () => ({ ...settings, 'wsrep-cluster-address': isNewCluster ? 'gcomm://' : all }),
      hasSystemTables: isFirst,
    });
    isNewCluster = false;
    started.push(Object.assign(server, { url: urlOf(server, 'carnet') }));
  };
  try {
    const [first = 0, ...others] = ports;
    await startNode(first, true);
    await execute(urlOf(started[0] as GaleraNode, ''), 'create database carnet');
    // One after the other: a node gives its data to one node at a time.
    for (const port of others) await startNode(port, false);
    await untilWhole();
    return { nodes: started as unknown as GaleraCluster['nodes'], untilWhole, close };
  } catch (error) {
    await close();
    throw error;
  }
};
