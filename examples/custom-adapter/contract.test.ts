import { laws, reasonToSkip } from '@carnet/adapter-contract/laws';
import { afterAll, describe, test } from 'vitest';
import { freshLog } from './fresh-log.ts';
import { openAdapter } from './src/log-adapter.ts';

// One adapter at a time may open a log (`shared: false`): the adapters that laws open and close have a second file.
const file = freshLog();
const open = () => openAdapter({ url: `log:${file}` });
const store = await openAdapter({ url: `log:${freshLog()}` });
afterAll(() => store.close());

describe('the log keeps the laws of the storage port', () => {
  for (const law of laws) {
    const reason = reasonToSkip(law, store.capabilities);
    const title = reason ? `${law.name} (${reason})` : law.name;
    // Each commit waits for the disk, one after the other.
    test.skipIf(reason)(title, { timeout: 60_000 }, () => law.check({ store, open }));
  }
});
