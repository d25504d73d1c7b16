import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Machine } from './machines.ts';

const templates = new URL('../../../deploy/', import.meta.url);

type TemplateName =
  | `postgres-ha/${'etcd.conf.yml' | 'haproxy.cfg' | 'patroni.yml' | 'pgbouncer.ini' | 'userlist.txt'}`
  | `mariadb-galera/${'galera.cnf' | 'haproxy.cfg'}`;

/** Replaces each `${NAME}`. @throws Error for a name without a value */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template needs a value for ${name}.`);
    return value;
  });

/** Writes a file of a folder in `deploy` for a machine, readable by its user only. Returns the path. */
export const writeTemplate = (
  { folder, owner }: Machine,
  name: TemplateName,
  values: Readonly<Record<string, string>>,
): string => {
  const path = join(folder, 'run', basename(name));
  const filled = fill(readFileSync(new URL(name, templates), 'utf8'), values);
  writeFileSync(path, filled);
  chmodSync(path, 0o600);
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(path, owner.uid, owner.gid);
  return path;
};
