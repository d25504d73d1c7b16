import type { FoundRecord } from '../port.ts';
import {
  committing,
  letOthersWork,
  type Mutant,
  mutantsOf,
  readOne,
  replacing,
  restore,
  toStored,
  withWrites,
} from './mutant.ts';

/** A put that carries something of the old record over. */
const puttingOver = (keep: (old: FoundRecord) => Partial<FoundRecord>): Mutant['wrap'] =>
  replacing('put', async (adapter, write) => {
    const old = await readOne(adapter, write.record);
    const conflict = await adapter.commit([write]);
    if (conflict || !old) return conflict;
    const found: FoundRecord = { ...write.record, consumedAt: null, members: [], ...keep(old) };
    return adapter.commit(restore(write.record, found));
  });

export const changeMutants = mutantsOf({
  'put-replaces-the-whole-record': {
    'put-keeps-the-fields-it-is-not-given': replacing('put', async (adapter, write) => {
      const old = await readOne(adapter, write.record);
      const record = old ? { ...toStored(old), ...write.record } : write.record;
      return adapter.commit([{ ...write, record }]);
    }),
    'put-inserts-or-ignores': replacing('put', async (adapter, write) => {
      if (write.onlyIfPresent) return adapter.commit([write]);
      await adapter.commit([{ type: 'claim', record: write.record }]);
      return undefined;
    }),
  },
  'put-starts-afresh': {
    'put-keeps-the-mark-of-use': puttingOver(({ consumedAt }) => ({ consumedAt })),
    'put-keeps-the-members': puttingOver(({ members }) => ({ members })),
  },
  'put-only-if-present-needs-a-record': {
    'put-ignores-only-if-present': (adapter) =>
      withWrites(adapter, (write) => (write.type === 'put' ? { type: 'put', record: write.record } : write)),
  },
  'remove-deletes': {
    'remove-consumes': replacing('remove', async (adapter, { key }) => {
      await adapter.commit([{ type: 'consume', key, at: new Date() }]);
      return undefined;
    }),
  },
  'remove-is-idempotent': {
    'remove-needs-a-record': replacing('remove', async (adapter, write) =>
      (await readOne(adapter, write.key)) ? adapter.commit([write]) : { write, reason: 'absent' },
    ),
  },
  'claim-conflicts-with-a-live-record': {
    'claim-replaces-the-consumed': replacing('claim', async (adapter, write) => {
      const old = await readOne(adapter, write.record);
      return adapter.commit(old?.consumedAt ? [{ type: 'put', record: write.record }] : [write]);
    }),
    'claim-overwrites-and-then-complains': replacing('claim', async (adapter, write) => {
      const conflict = await adapter.commit([write]);
      if (conflict) await adapter.commit([{ type: 'put', record: write.record }]);
      return conflict;
    }),
  },
  'one-of-fifty-claims-wins': {
    'claim-looks-then-writes': replacing('claim', async (adapter, write) => {
      if (await readOne(adapter, write.record)) return { write, reason: 'exists' };
      await letOthersWork();
      return adapter.commit([{ type: 'put', record: write.record }]);
    }),
  },
  'consume-marks-a-record-once': {
    'consume-again-is-fine': replacing('consume', async (adapter, write) => {
      const conflict = await adapter.commit([write]);
      return conflict?.reason === 'consumed' ? undefined : conflict;
    }),
    'consume-of-nothing-is-fine': replacing('consume', async (adapter, write) => {
      const conflict = await adapter.commit([write]);
      return conflict?.reason === 'absent' ? undefined : conflict;
    }),
    'consume-deletes': replacing('consume', async (adapter, write) => {
      const conflict = await adapter.commit([write]);
      return conflict ?? adapter.commit([{ type: 'remove', key: write.key }]);
    }),
    'consume-takes-its-own-time': (adapter) =>
      withWrites(adapter, (write) => (write.type === 'consume' ? { ...write, at: new Date() } : write)),
  },
  'one-of-fifty-consumes-wins': {
    'consume-looks-then-writes': replacing('consume', async (adapter, write) => {
      const found = await readOne(adapter, write.key);
      if (!found || found.consumedAt) return { write, reason: found ? 'consumed' : 'absent' };
      await letOthersWork();
      return adapter.commit(restore(write.key, { ...found, consumedAt: write.at }));
    }),
  },
  'one-of-fifty-token-commits-wins': {
    'puts-beside-the-condition': committing(async (adapter, writes) => {
      const conditions = writes.filter(({ type }) => type === 'consume' || type === 'claim');
      if (conditions.length !== 1) return adapter.commit(writes);
      await adapter.commit(writes.filter((write) => !conditions.includes(write)));
      return adapter.commit(conditions);
    }),
    'looks-at-the-condition-then-commits': committing(async (adapter, writes) => {
      const condition = writes.find((write) => write.type === 'consume');
      if (condition === undefined || writes.length === 1) return adapter.commit(writes);
      if ((await readOne(adapter, condition.key))?.consumedAt) return { write: condition, reason: 'consumed' };
      await letOthersWork();
      const conflict = await adapter.commit([condition]);
      return conflict?.reason === 'absent' ? conflict : adapter.commit(writes.filter((write) => write !== condition));
    }),
  },
});
