import { openAdapter } from '@carnet/adapter-mysql';
import type { Write } from '../../adapter-contract/src/port.ts';

const [url = ''] = process.argv.slice(2);
const store = await openAdapter({ url });
await store.ping();

/** Sends the commits of a message at once. Answers `won`, the reason of the conflict, or the error, of each. */
process.on('message', async (commits: readonly (readonly Write[])[]) => {
  const outcomes = commits.map((writes) =>
    store.commit(writes).then(
      (conflict) => conflict?.reason ?? 'won',
      (error: unknown) => `${error}`,
    ),
  );
  process.send?.(await Promise.all(outcomes));
});
process.send?.('ready');
