import { keyOfWrite } from '../parts.ts';
import type { RecordKey } from '../port.ts';
import { commitOneByOne, committing, mapKey, mutantsOf, override, readOne, restoring, turn } from './mutant.ts';

export const commitMutants = mutantsOf({
  'commit-of-nothing-succeeds': {
    'fails-on-an-empty-commit': committing(async (adapter, writes) => {
      if (writes.length === 0) throw new Error('syntax error at end of input');
      return adapter.commit(writes);
    }),
  },
  'commit-takes-any-number-of-writes': {
    'commits-at-most-100-writes': committing((adapter, writes) => adapter.commit(writes.slice(0, 100))),
  },
  'writes-see-earlier-ones': {
    'claims-an-id-once-a-commit': committing((adapter, writes) => {
      const claims = writes.flatMap((write) =>
        write.type === 'claim' ? [[mapKey(write.record), write] as const] : [],
      );
      const last = new Map(claims);
      return adapter.commit(
        writes.filter((write) => write.type !== 'claim' || last.get(mapKey(write.record)) === write),
      );
    }),
    'checks-consumes-before-it-writes': committing(async (adapter, writes) => {
      for (const write of writes)
        if (write.type === 'consume' && !(await readOne(adapter, write.key))) return { write, reason: 'absent' };
      return adapter.commit(writes);
    }),
  },
  'two-writes-come-to-what-two-commits-do': {
    'forgets-conditions-before-a-put': committing((adapter, writes) => {
      const isReplaced = (key: RecordKey, index: number) =>
        writes.slice(index + 1).some((later) => later.type === 'put' && mapKey(later.record) === mapKey(key));
      return adapter.commit(writes.filter((write, index) => !('key' in write && isReplaced(write.key, index))));
    }),
    'merges-into-what-it-replaced': committing(async (adapter, writes) => {
      const puts = writes.flatMap((write) => (write.type === 'put' ? [write.record] : []));
      const replaced = await adapter.read(puts);
      const conflict = await adapter.commit(writes);
      if (conflict || !writes.some(({ type }) => type === 'merge')) return conflict;
      for (const [index, key] of puts.entries())
        await adapter.commit([{ type: 'merge', key, members: replaced[index]?.members ?? [] }]);
      return undefined;
    }),
  },
  'commits-in-any-order-finish': {
    'commits-write-by-write': committing(commitOneByOne),
    'fails-on-a-deadlock': (adapter) => {
      const held = new Set<string>();
      return override(adapter, {
        commit: async (writes) => {
          const keys = [...new Set(writes.flatMap((write) => keyOfWrite(write) ?? []).map(mapKey))];
          const order = keys.join();
          if (keys.length === 2 && held.has(keys.toReversed().join())) throw new Error('deadlock detected');
          held.add(order);
          await turn();
          return adapter.commit(writes).finally(() => held.delete(order));
        },
      });
    },
  },
});

export const conflictMutants = mutantsOf({
  'conflict-undoes-every-write': {
    'has-no-transaction': committing(commitOneByOne),
    'puts-before-it-looks': committing(async (adapter, writes) => {
      const conflict = await adapter.commit(writes);
      if (conflict) await adapter.commit(writes.filter((write) => write.type === 'put' && !write.onlyIfPresent));
      return conflict;
    }),
  },
  'conflict-names-the-first-write-that-failed': {
    'names-the-last-failure': committing(async (adapter, writes) => {
      const conflict = await adapter.commit(writes);
      const last = conflict && (await adapter.commit(writes.toReversed()));
      return last ?? conflict;
    }),
    'gives-one-reason-for-all': committing(async (adapter, writes) => {
      const conflict = await adapter.commit(writes);
      return conflict && { ...conflict, reason: 'absent' };
    }),
  },
  'conflicting-commit-is-never-seen': {
    'undoes-by-hand': committing((adapter, writes) =>
      restoring(adapter, writes, (all) => commitOneByOne(adapter, all)),
    ),
  },
});
