import type { Write } from '../port.ts';
import {
  committing,
  type Mutant,
  readOne,
  replacing,
  restore,
  toStored,
  turn,
  withAnswers,
  withWrites,
} from './mutant.ts';

const isMergeOfNothing = (write: Write): write is Extract<Write, { type: 'merge' }> =>
  write.type === 'merge' && write.members.length === 0 && write.expiresAt === undefined;

export const mergeMutants: readonly Mutant[] = [
  {
    name: 'merge-replaces-the-set',
    breaks: 'merge-adds-to-the-set',
    wrap: replacing('merge', async (adapter, write) => {
      const found = await readOne(adapter, write.key);
      if (!found || found.consumedAt) return adapter.commit([write]);
      return adapter.commit(restore(write.key, { ...found, members: write.members }));
    }),
  },
  {
    name: 'merge-ignores-the-expiry',
    breaks: 'merge-may-move-the-expiry',
    wrap: (adapter) =>
      withWrites(adapter, (write) =>
        write.type === 'merge' ? { type: 'merge', key: write.key, members: write.members } : write,
      ),
  },
  {
    name: 'moves-the-expiry-by-putting',
    breaks: 'merge-may-move-the-expiry',
    wrap: replacing('merge', async (adapter, write) => {
      const found = await readOne(adapter, write.key);
      if (!write.expiresAt || !found || found.consumedAt) return adapter.commit([write]);
      return adapter.commit([{ type: 'put', record: { ...toStored(found), expiresAt: write.expiresAt } }]);
    }),
  },
  {
    name: 'merge-appends-to-a-list',
    breaks: 'merge-adds-to-the-set',
    wrap: (adapter) => {
      const counts = new Map<string, number>();
      const store = withWrites(adapter, (write) => {
        if (write.type === 'merge')
          for (const member of write.members)
            counts.set(`${write.key.id} ${member}`, (counts.get(`${write.key.id} ${member}`) ?? 0) + 1);
        return write;
      });
      return withAnswers(store, (found) => ({
        ...found,
        members: found.members.flatMap((member) =>
          Array<string>(counts.get(`${found.id} ${member}`) ?? 1).fill(member),
        ),
      }));
    },
  },
  {
    name: 'joins-members-by-commas',
    breaks: 'members-come-back-verbatim',
    wrap: (adapter) =>
      withAnswers(adapter, (found) => ({ ...found, members: found.members.join(',').split(',').filter(Boolean) })),
  },
  {
    name: 'merge-makes-the-record',
    breaks: 'merge-needs-a-live-unconsumed-record',
    wrap: replacing('merge', async (adapter, write) => {
      const conflict = await adapter.commit([write]);
      return conflict?.reason === 'absent' ? undefined : conflict;
    }),
  },
  {
    name: 'merge-into-the-consumed',
    breaks: 'merge-needs-a-live-unconsumed-record',
    wrap: replacing('merge', async (adapter, write) => {
      const found = await readOne(adapter, write.key);
      if (!found?.consumedAt) return adapter.commit([write]);
      return adapter.commit(restore(write.key, { ...found, members: [...found.members, ...write.members] }));
    }),
  },
  {
    name: 'merge-of-nothing-asks-nothing',
    breaks: 'merge-needs-a-live-unconsumed-record',
    wrap: (adapter) =>
      withWrites(adapter, (write) => (write.type === 'merge' && write.members.length === 0 ? [] : write)),
  },
  {
    name: 'merge-of-nothing-asks-nothing-among-other-writes',
    breaks: 'merge-of-nothing-is-a-condition',
    wrap: committing((adapter, writes) =>
      adapter.commit(writes.length === 1 ? writes : writes.filter((write) => !isMergeOfNothing(write))),
    ),
  },
  {
    name: 'merge-of-nothing-adds-the-empty-member',
    breaks: 'merge-of-nothing-is-a-condition',
    wrap: (adapter) => withWrites(adapter, (write) => (isMergeOfNothing(write) ? { ...write, members: [''] } : write)),
  },
  {
    name: 'merge-of-nothing-undoes-no-other-write',
    breaks: 'merge-of-nothing-is-a-condition',
    wrap: committing(async (adapter, writes) => {
      const conflict = await adapter.commit(writes);
      if (conflict && isMergeOfNothing(conflict.write))
        await adapter.commit(writes.slice(0, writes.indexOf(conflict.write)));
      return conflict;
    }),
  },
  {
    name: 'merge-of-nothing-looks-then-writes',
    breaks: 'merge-of-nothing-holds-amid-consumes',
    wrap: committing(async (adapter, writes) => {
      const condition = writes.find(isMergeOfNothing);
      if (condition === undefined || writes.length === 1) return adapter.commit(writes);
      const found = await readOne(adapter, condition.key);
      if (!found || found.consumedAt) return { write: condition, reason: found ? 'consumed' : 'absent' };
      await turn();
      return adapter.commit(writes.filter((write) => write !== condition));
    }),
  },
  {
    name: 'merge-reads-then-writes',
    breaks: 'fifty-merges-lose-nothing',
    wrap: replacing('merge', async (adapter, write) => {
      const found = await readOne(adapter, write.key);
      if (!found || found.consumedAt) return adapter.commit([write]);
      await turn();
      return adapter.commit(restore(write.key, { ...found, members: [...found.members, ...write.members] }));
    }),
  },
];
