// `npm run bench:failover-redis`: remembered logins at a fixed rate on Postgres and a Redis Cluster of six, whose masters are lost.
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type ClusterNode, type RedisCluster, startPostgres, startRedisCluster, waitUntil } from '@carnet/test-servers';
import { runAtRate } from '../load/fixed-rate.ts';
import { say } from '../studies/study.ts';
import { serveCarnet } from '../targets/carnet-process.ts';
import { publicClient, registerClient } from '../users/register-client.ts';
import { reportState, reportSteps } from './redis-report.ts';
import { openRedisUsers, type RedisUsers } from './redis-users.ts';
import { type Verified, verify } from './redis-verify.ts';

const perSecond = Number(process.env.RATE ?? 10);
const nodeTimeoutMs = process.env.NODE_TIMEOUT ?? '2000';
const quietMs = Number(process.env.QUIET_SECONDS ?? 10) * 1_000;
const faultMs = Number(process.env.FAULT_SECONDS ?? 30) * 1_000;
/** A slot of the master that is lost. */
const slot = 100;
/** The times of a failover are shown in tenths of a second. */
const waiting = { withinSeconds: 60, pollMs: 20 };

interface Fault {
  readonly name: string;
  begin(master: ClusterNode): Promise<void>;
  end(master: ClusterNode): Promise<void>;
}

const faults: readonly Fault[] = [
  { name: 'SIGKILL', begin: (master) => master.kill(), end: (master) => master.start() },
  { name: 'SIGSTOP', begin: async (master) => master.pause(), end: async (master) => master.resume() },
];

/** Whether the node is a replica that has all data of its master. */
const isCaughtUp = async (node: ClusterNode): Promise<boolean> => {
  const info = `${await node.command('INFO', 'replication')}`;
  return info.includes('role:slave') && info.includes('master_link_status:up');
};

/** Loses the master of a slot under load, and brings it back as a replica. */
const lose = async (cluster: RedisCluster, users: RedisUsers, fault: Fault): Promise<Verified> => {
  say(`\n${fault.name} of a master`);
  const firstEvent = users.ledger.events.length;
  let endsAt = Number.POSITIVE_INFINITY;
  const load = runAtRate(users.visit, { perSecond, isOver: () => performance.now() > endsAt });
  await pause(quietMs);
  const master = await cluster.masterOf(slot);
  const faultAt = performance.now();
  await fault.begin(master);
  await waitUntil('another master', async () => (await cluster.masterOf(slot)).port !== master.port, waiting);
  const replacedAt = performance.now();
  await pause(faultMs / 2);
  await fault.end(master);
  await waitUntil('the lost master as a replica', () => isCaughtUp(master), waiting);
  const backAt = performance.now();
  endsAt = backAt + faultMs / 2;
  await load;
  reportSteps({ events: users.ledger.events.slice(firstEvent), faultAt, replacedAt, backAt });
  const state = await verify(users);
  reportState(state);
  return state;
};

const postgres = await startPostgres();
const cluster = await startRedisCluster({ config: { 'cluster-node-timeout': nodeTimeoutMs, appendonly: 'yes' } });
const env = {
  DATABASE_URL: await postgres.createDatabase(),
  STORAGE_SESSIONS: cluster.url,
  STORAGE_CONSENTS: cluster.url,
  STORAGE_FLOWS: cluster.url,
  ID_TOKEN_ALG: 'ES256',
};
const carnet = await serveCarnet({ env, workers: 2 });
const users = openRedisUsers(carnet, await registerClient(carnet, publicClient));
try {
  say(`${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, ${perSecond} users/s with two logins each`);
  say(`Redis Cluster: three masters and three replicas, cluster-node-timeout ${nodeTimeoutMs} ms, appendonly yes`);
  const states: Verified[] = [];
  for (const fault of faults) states.push(await lose(cluster, users, fault));
  const isSafe = states.every((each) => each.loggedInAgain + each.activeAgain + each.tokensLost === 0);
  const isClean = users.ledger.events.every(({ outcome }) => outcome !== 'failed');
  say(`\nno acknowledged logout, revocation or token was lost: ${isSafe ? 'yes' : 'NO'}`);
  say(`every refusal was 503 with Retry-After: ${isClean ? 'yes' : 'NO'}`);
  process.exitCode = isSafe && isClean ? 0 : 1;
} finally {
  users.close();
  await carnet.stop();
  await cluster.close();
  await postgres.close();
}
process.exit();
