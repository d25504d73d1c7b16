import { execFileSync } from 'node:child_process';
import type { Machine } from './machines.ts';

const rulesOf = ({ address, owner }: Machine): readonly (readonly string[])[] => {
  const group = ['-m', 'owner', '--gid-owner', `${owner.gid}`];
  const notGroup = ['-m', 'owner', '!', '--gid-owner', `${owner.gid}`];
  return [
    ['OUTPUT', '-o', 'lo', '!', '-d', address, ...group, '-j', 'DROP'],
    ['OUTPUT', '-o', 'lo', '-d', address, ...notGroup, '-j', 'DROP'],
  ];
};

const filter = (flag: '-I' | '-D', rule: readonly string[]): void =>
  void execFileSync('/usr/sbin/iptables', ['-w', flag, ...rule], { stdio: 'ignore' });

const cutOff = new Set<Machine>();
const heal = (machine: Machine): void => {
  if (!cutOff.delete(machine)) return;
  for (const rule of rulesOf(machine)) filter('-D', rule);
};
process.once('exit', () => {
  for (const machine of cutOff) heal(machine);
});

/** Drops all packets between a machine and the others. Returns what ends the partition. */
export const partition = (machine: Machine): (() => void) => {
  cutOff.add(machine);
  for (const rule of rulesOf(machine)) filter('-I', rule);
  return () => heal(machine);
};

/** Why this machine cannot be partitioned; undefined if it can. */
export const reasonAgainstPartition = (machine: Machine): string | undefined => {
  if (machine.owner.gid === undefined) return 'only root may change the packet filter';
  try {
    partition(machine)();
    return undefined;
  } catch {
    return 'iptables cannot match the group of a process here';
  }
};
