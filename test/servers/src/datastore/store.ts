import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { idOf } from './entities.ts';
import type { Entity, Key } from './protocol.ts';

export interface Stored {
  readonly id: string;
  readonly entity: Entity;
  readonly version: number;
  readonly bytes: number;
}

/** Without an `entity` it is deleted. */
export interface Change {
  readonly key: Key;
  readonly entity?: Entity | undefined;
  readonly bytes: number;
}

export interface Store {
  read(id: string): Stored | undefined;
  all(): Iterable<Stored>;
  /** Applies all changes at once. They survive the end of the process, not that of the machine. */
  apply(changes: readonly Change[]): void;
}

/** Opens the entities of a file, which has the changes of a commit on each line. A killed process may have left half of one. */
export const openStore = (file: string): Store => {
  const entities = new Map<string, Stored>();
  let version = 0;
  const apply = (changes: readonly Change[]): void => {
    version += 1;
    for (const { key, entity, bytes } of changes) {
      const id = idOf(key);
      if (entity === undefined) entities.delete(id);
      else entities.set(id, { id, entity, version, bytes });
    }
  };
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  for (const line of whole.split('\n').slice(0, -1)) apply(JSON.parse(line));
  writeFileSync(file, whole);
  return {
    read: (id) => entities.get(id),
    all: () => entities.values(),
    apply(changes) {
      appendFileSync(file, `${JSON.stringify(changes)}\n`);
      apply(changes);
    },
  };
};
