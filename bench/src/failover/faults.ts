import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '@carnet/test-servers';
import type { AppMachines } from './app-machines.ts';
import type { DatabaseCluster, DatabaseNode } from './database-cluster.ts';
import { partition } from './partition.ts';

export interface Surroundings {
  readonly database: DatabaseCluster;
  readonly apps: AppMachines;
}

/** Hurts the deployment, and heals it. Calls `primaryReady` when another primary takes commits. */
type Fault = (surroundings: Surroundings, primaryReady: () => void) => Promise<void>;

const holdMs = 20_000;

/** The primary, as soon as the deployment is whole. */
export const primaryOf = async (
  database: Pick<DatabaseCluster, 'findPrimary' | 'untilWhole'>,
): Promise<DatabaseNode> => {
  for (;;) {
    await database.untilWhole();
    const primary = await database.findPrimary();
    if (primary !== undefined) return primary;
  }
};

/** Resolves when another primary answers through HAProxy. */
const untilAnotherPrimary = ({ database, apps }: Surroundings, lost: DatabaseNode): Promise<void> =>
  waitUntil(
    'another primary',
    async () => (await database.findPrimary(lost)) !== undefined && (await apps.takesCommits()),
    { withinSeconds: 120, pollMs: 100 },
  );

type Hurt = (primary: DatabaseNode) => Promise<() => void> | (() => void);

const losePrimary =
  (hurt: Hurt): Fault =>
  async (surroundings, primaryReady) => {
    const primary = await primaryOf(surroundings.database);
    const heal = await hurt(primary);
    await untilAnotherPrimary(surroundings, primary);
    primaryReady();
    await pause(holdMs);
    heal();
    await surroundings.database.untilWhole();
  };

export const faults = {
  quiet: () => pause(holdMs),
  kill: losePrimary(async (primary) => {
    await primary.kill();
    return () => primary.start();
  }),
  stop: losePrimary((primary) => {
    primary.stop();
    return () => primary.resume();
  }),
  partition: losePrimary(({ machine }) => partition(machine)),
  async standby({ database }) {
    const standby = await database.findSynchronous();
    standby?.stop();
    await pause(2 * holdMs);
    standby?.resume();
    await database.untilWhole();
  },
  async pgbouncer({ apps }) {
    for (const pooler of apps.poolers) {
      await pooler.end('SIGTERM');
      pooler.start();
      await pause(holdMs / 2);
    }
  },
  async roll({ apps }) {
    for (const { daemon, untilReady } of apps.carnets) {
      await daemon.end('SIGTERM');
      daemon.start();
      await untilReady();
      await pause(holdMs / 10);
    }
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;
