import type { FoundRecord } from '../port.ts';
import { committing, type Mutant, readOne, replacing, restore, toStored, turn, withWrites } from './mutant.ts';

/** A put that carries something of the old record over. */
const puttingOver = (keep: (old: FoundRecord) => Partial<FoundRecord>): Mutant['wrap'] =>
  replacing('put', async (adapter, write) => {
    const old = await readOne(adapter, write.record);
    const conflict = await adapter.commit([write]);
    if (conflict || !old) return conflict;
    const found: FoundRecord = { ...write.record, consumedAt: null, members: [], ...keep(old) };
    return adapter.commit(restore(write.record, found));
  });

export const changeMutants: readonly Mutant[] = [
  {
    name: 'put-keeps-the-fields-it-is-not-given',
    breaks: 'put-replaces-the-whole-record',
    wrap: replacing('put', async (adapter, write) => {
      const old = await readOne(adapter, write.record);
      const record = old ? { ...toStored(old), ...write.record } : write.record;
      return adapter.commit([{ ...write, record }]);
    }),
  },
  {
    name: 'put-inserts-or-ignores',
    breaks: 'put-replaces-the-whole-record',
    wrap: replacing('put', async (adapter, write) => {
      if (write.onlyIfPresent) return adapter.commit([write]);
      await adapter.commit([{ type: 'claim', record: write.record }]);
      return undefined;
    }),
  },
  {
    name: 'put-keeps-the-mark-of-use',
    breaks: 'put-starts-afresh',
    wrap: puttingOver(({ consumedAt }) => ({ consumedAt })),
  },
  { name: 'put-keeps-the-members', breaks: 'put-starts-afresh', wrap: puttingOver(({ members }) => ({ members })) },
  {
    name: 'put-ignores-only-if-present',
    breaks: 'put-only-if-present-needs-a-record',
    wrap: (adapter) =>
      withWrites(adapter, (write) => (write.type === 'put' ? { type: 'put', record: write.record } : write)),
  },
  {
    name: 'remove-consumes',
    breaks: 'remove-deletes',
    wrap: replacing('remove', async (adapter, { key }) => {
      await adapter.commit([{ type: 'consume', key, at: new Date() }]);
      return undefined;
    }),
  },
  {
    name: 'remove-needs-a-record',
    breaks: 'remove-is-idempotent',
    wrap: replacing('remove', async (adapter, write) =>
      (await readOne(adapter, write.key)) ? adapter.commit([write]) : { write, reason: 'absent' },
    ),
  },
  {
    name: 'claim-replaces-the-consumed',
    breaks: 'claim-conflicts-with-a-live-record',
    wrap: replacing('claim', async (adapter, write) => {
      const old = await readOne(adapter, write.record);
      return adapter.commit(old?.consumedAt ? [{ type: 'put', record: write.record }] : [write]);
    }),
  },
  {
    name: 'claim-overwrites-and-then-complains',
    breaks: 'claim-conflicts-with-a-live-record',
    wrap: replacing('claim', async (adapter, write) => {
      const conflict = await adapter.commit([write]);
      if (conflict) await adapter.commit([{ type: 'put', record: write.record }]);
      return conflict;
    }),
  },
  {
    name: 'claim-looks-then-writes',
    breaks: 'one-of-fifty-claims-wins',
    wrap: replacing('claim', async (adapter, write) => {
      if (await readOne(adapter, write.record)) return { write, reason: 'exists' };
      await turn();
      return adapter.commit([{ type: 'put', record: write.record }]);
    }),
  },
  {
    name: 'consume-again-is-fine',
    breaks: 'consume-marks-a-record-once',
    wrap: replacing('consume', async (adapter, write) => {
      const conflict = await adapter.commit([write]);
      return conflict?.reason === 'consumed' ? undefined : conflict;
    }),
  },
  {
    name: 'consume-of-nothing-is-fine',
    breaks: 'consume-marks-a-record-once',
    wrap: replacing('consume', async (adapter, write) => {
      const conflict = await adapter.commit([write]);
      return conflict?.reason === 'absent' ? undefined : conflict;
    }),
  },
  {
    name: 'consume-deletes',
    breaks: 'consume-marks-a-record-once',
    wrap: replacing('consume', async (adapter, write) => {
      const conflict = await adapter.commit([write]);
      return conflict ?? adapter.commit([{ type: 'remove', key: write.key }]);
    }),
  },
  {
    name: 'consume-takes-its-own-time',
    breaks: 'consume-marks-a-record-once',
    wrap: (adapter) =>
      withWrites(adapter, (write) => (write.type === 'consume' ? { ...write, at: new Date() } : write)),
  },
  {
    name: 'consume-looks-then-writes',
    breaks: 'one-of-fifty-consumes-wins',
    wrap: replacing('consume', async (adapter, write) => {
      const found = await readOne(adapter, write.key);
      if (!found || found.consumedAt) return { write, reason: found ? 'consumed' : 'absent' };
      await turn();
      return adapter.commit(restore(write.key, { ...found, consumedAt: write.at }));
    }),
  },
  {
    name: 'puts-beside-the-condition',
    breaks: 'one-of-fifty-token-commits-wins',
    wrap: committing(async (adapter, writes) => {
      const conditions = writes.filter(({ type }) => type === 'consume' || type === 'claim');
      if (conditions.length !== 1) return adapter.commit(writes);
      await adapter.commit(writes.filter((write) => !conditions.includes(write)));
      return adapter.commit(conditions);
    }),
  },
  {
    name: 'looks-at-the-condition-then-commits',
    breaks: 'one-of-fifty-token-commits-wins',
    wrap: committing(async (adapter, writes) => {
      const condition = writes.find((write) => write.type === 'consume');
      if (condition === undefined || writes.length === 1) return adapter.commit(writes);
      if ((await readOne(adapter, condition.key))?.consumedAt) return { write: condition, reason: 'consumed' };
      await turn();
      const conflict = await adapter.commit([condition]);
      return conflict?.reason === 'absent' ? conflict : adapter.commit(writes.filter((write) => write !== condition));
    }),
  },
];
