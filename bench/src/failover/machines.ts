import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ordinaryUser, type User } from '@carnet/test-servers';

/** A machine is an address of the loopback network, and a group of the processes that run on it. */
export interface Machine {
  readonly name: string;
  readonly address: string;
  /** Its processes run as this user. The group tells the packet filter from which machine a packet is. */
  readonly owner: Partial<User>;
  readonly folder: string;
}

export interface Machines {
  readonly folder: string;
  /** Each runs a database server. */
  readonly databases: readonly [Machine, Machine, Machine];
  /** Each runs HAProxy and two processes of Carnet. */
  readonly apps: readonly [Machine, Machine];
  remove(): void;
}

/** Not in /etc/group: groups of the processes of one machine. */
const firstGroup = 61_000;

/** The machines of a database are named after it; its servers run as the user. */
export const createMachines = (database: string, userName: string): Machines => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-failover-'));
  chmodSync(folder, 0o755);
  const user = ordinaryUser(userName);
  const create = (name: string, lastByte: number): Machine => {
    const owner = user === undefined ? {} : { uid: user.uid, gid: firstGroup + lastByte };
    const own = join(folder, name);
    for (const path of [own, join(own, 'run'), join(own, 'data')]) {
      mkdirSync(path, { mode: 0o700 });
      if (user !== undefined) chownSync(path, user.uid, firstGroup + lastByte);
    }
    return { name, address: `127.0.0.${lastByte}`, owner, folder: own };
  };
  return {
    folder,
    databases: [create(`${database}1`, 11), create(`${database}2`, 12), create(`${database}3`, 13)],
    apps: [create('app1', 21), create('app2', 22)],
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
};
