import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It ended between the listing and now.
    return '';
  }
};

/** The fields of `/proc/PID/stat` after the command's name, from field 3 (proc(5)). */
const statOf = (processId: number | string): readonly string[] => {
  const stat = read(`/proc/${processId}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

const childrenByParent = (): ReadonlyMap<number, readonly number[]> => {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statOf(name)[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
};

const threadNanoseconds = (processId: number): number => {
  let tasks: readonly string[];
  try {
    tasks = readdirSync(`/proc/${processId}/task`);
  } catch {
    return 0;
  }
  return tasks.reduce((sum, task) => sum + Number(read(`/proc/${processId}/task/${task}/schedstat`).split(' ')[0]), 0);
};

/** The kernel's tick in `/proc` is a hundredth of a second. */
const nanosecondsPerTick = 10_000_000;

/** The CPU time of ended children: a database may end some of its processes at any time. */
const endedNanoseconds = (processId: number): number => {
  const [userTicks, systemTicks] = statOf(processId).slice(13, 15).map(Number);
  return ((userTicks ?? 0) + (systemTicks ?? 0)) * nanosecondsPerTick;
};

/** The processes and all that they have started. */
export const familyOf = (processIds: readonly number[]): readonly number[] => {
  const children = childrenByParent();
  const family: number[] = [];
  const visit = (id: number): void => {
    family.push(id);
    for (const child of children.get(id) ?? []) visit(child);
  };
  for (const id of processIds) visit(id);
  return family;
};

/** CPU time of the processes and all that they have started, in microseconds, as the kernel's scheduler counts it. */
export const cpuMicroseconds = (processIds: readonly number[]): number =>
  familyOf(processIds).reduce((sum, id) => sum + threadNanoseconds(id) + endedNanoseconds(id), 0) / 1_000;

/** Resident memory of each process of the family, in bytes. */
export const residentBytes = (processIds: readonly number[]): readonly number[] =>
  familyOf(processIds).map((id) => Number(/VmRSS:\s+(\d+) kB/.exec(read(`/proc/${id}/status`))?.[1] ?? 0) * 1_024);
