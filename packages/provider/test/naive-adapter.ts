import { createFaults, type Faults } from './faults.ts';

type Payload = Record<string, unknown>;

export interface NaiveStore {
  /** For oidc-provider's `adapter` option. */
  readonly adapter: (model: string) => object;
  readonly faults: Faults;
  /** Everything stored, by `Model:id`. */
  readonly rows: ReadonlyMap<string, Payload>;
  /** How many rows were inserted or replaced since the start. */
  writes(): number;
}

/**
 * The adapter one writes when one follows oidc-provider's example: find, upsert, consume and destroy, each a query of
 * its own, none conditional. Correct in a test that does one thing at a time; kept to show what it does otherwise.
 */
export const createNaiveStore = (): NaiveStore => {
  const rows = new Map<string, Payload>();
  const faults = createFaults();
  let writes = 0;

  const adapter = (model: string) => {
    const key = (id: string) => `${model}:${id}`;
    const query = async <T>(operation: string, run: () => T): Promise<T> => {
      await faults.pass([`${operation} ${model}`]);
      return run();
    };
    return {
      find: (id: string) => query('find', () => structuredClone(rows.get(key(id)))),
      findByUid: (uid: string) =>
        query('findByUid', () => structuredClone([...rows].find(([, row]) => row.uid === uid)?.[1])),
      findByUserCode: async () => undefined,
      upsert: (id: string, payload: Payload) =>
        query('upsert', () => {
          writes += 1;
          rows.set(key(id), structuredClone(payload));
        }),
      consume: (id: string) =>
        query('consume', () => {
          const row = rows.get(key(id));
          if (row) row.consumed = Math.floor(Date.now() / 1000);
        }),
      destroy: (id: string) => query('destroy', () => void rows.delete(key(id))),
      revokeByGrantId: (grantId: string) =>
        query('revokeByGrantId', () => {
          for (const [name, row] of rows) if (row.grantId === grantId) rows.delete(name);
        }),
    };
  };

  return { adapter, faults, rows, writes: () => writes };
};
