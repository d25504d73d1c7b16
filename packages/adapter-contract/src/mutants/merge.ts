import type { Write } from '../port.ts';
import {
  committing,
  letOthersWork,
  mutantsOf,
  readOne,
  replacing,
  restore,
  toStored,
  withAnswers,
  withWrites,
} from './mutant.ts';

const isMergeOfNothing = (write: Write): write is Extract<Write, { type: 'merge' }> =>
  write.type === 'merge' && write.members.length === 0 && write.expiresAt === undefined;

export const mergeMutants = mutantsOf({
  'merge-adds-to-the-set': {
    'merge-replaces-the-set': replacing('merge', async (adapter, write) => {
      const found = await readOne(adapter, write.key);
      if (!found || found.consumedAt) return adapter.commit([write]);
      return adapter.commit(restore(write.key, { ...found, members: write.members }));
    }),
    'merge-appends-to-a-list': (adapter) => {
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
  'merge-may-move-the-expiry': {
    'merge-ignores-the-expiry': (adapter) =>
      withWrites(adapter, (write) =>
        write.type === 'merge' ? { type: 'merge', key: write.key, members: write.members } : write,
      ),
    'moves-the-expiry-by-putting': replacing('merge', async (adapter, write) => {
      const found = await readOne(adapter, write.key);
      if (!write.expiresAt || !found || found.consumedAt) return adapter.commit([write]);
      return adapter.commit([{ type: 'put', record: { ...toStored(found), expiresAt: write.expiresAt } }]);
    }),
  },
  'members-come-back-verbatim': {
    'joins-members-by-commas': (adapter) =>
      withAnswers(adapter, (found) => ({ ...found, members: found.members.join(',').split(',').filter(Boolean) })),
  },
  'merge-needs-a-live-unconsumed-record': {
    'merge-makes-the-record': replacing('merge', async (adapter, write) => {
      const conflict = await adapter.commit([write]);
      return conflict?.reason === 'absent' ? undefined : conflict;
    }),
    'merge-into-the-consumed': replacing('merge', async (adapter, write) => {
      const found = await readOne(adapter, write.key);
      if (!found?.consumedAt) return adapter.commit([write]);
      return adapter.commit(restore(write.key, { ...found, members: [...found.members, ...write.members] }));
    }),
    'merge-of-nothing-asks-nothing': (adapter) =>
      withWrites(adapter, (write) => (write.type === 'merge' && write.members.length === 0 ? [] : write)),
  },
  'merge-of-nothing-is-a-condition': {
    'merge-of-nothing-asks-nothing-among-other-writes': committing((adapter, writes) =>
      adapter.commit(writes.length === 1 ? writes : writes.filter((write) => !isMergeOfNothing(write))),
    ),
    'merge-of-nothing-adds-the-empty-member': (adapter) =>
      withWrites(adapter, (write) => (isMergeOfNothing(write) ? { ...write, members: [''] } : write)),
    'merge-of-nothing-undoes-no-other-write': committing(async (adapter, writes) => {
      const conflict = await adapter.commit(writes);
      if (conflict && isMergeOfNothing(conflict.write))
        await adapter.commit(writes.slice(0, writes.indexOf(conflict.write)));
      return conflict;
    }),
  },
  'merge-of-nothing-holds-amid-consumes': {
    'merge-of-nothing-looks-then-writes': committing(async (adapter, writes) => {
      const condition = writes.find(isMergeOfNothing);
      if (condition === undefined) {
        // The others look first.
        await letOthersWork();
        return adapter.commit(writes);
      }
      if (writes.length === 1) return adapter.commit(writes);
      const found = await readOne(adapter, condition.key);
      if (!found || found.consumedAt) return { write: condition, reason: found ? 'consumed' : 'absent' };
      await letOthersWork();
      await letOthersWork();
      return adapter.commit(writes.filter((write) => write !== condition));
    }),
  },
  'fifty-merges-lose-nothing': {
    'merge-reads-then-writes': replacing('merge', async (adapter, write) => {
      const found = await readOne(adapter, write.key);
      if (!found || found.consumedAt) return adapter.commit([write]);
      await letOthersWork();
      return adapter.commit(restore(write.key, { ...found, members: [...found.members, ...write.members] }));
    }),
  },
});
