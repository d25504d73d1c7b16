import { laws, reasonToSkip } from '@carnet/adapter-contract/laws';
import { afterAll, describe, test } from 'vitest';
import { freshLog } from './fresh-log.ts';
import { openAdapter } from './src/log-adapter.ts';

// A log is for one adapter at a time: what the laws open and close again is not the one they use meanwhile.
const file = freshLog();
const open = () => openAdapter({ url: `log:${file}` });
const store = await openAdapter({ url: `log:${freshLog()}` });
afterAll(() => store.close());

describe('the log keeps the laws of the storage port', () => {
  for (const law of laws) {
    const reason = reasonToSkip(law, store.capabilities);
    const title = reason ? `${law.name} (${reason})` : law.name;
    // Each commit waits for the disk, one after the other.
    test.skipIf(reason)(title, () => law.check({ store, open }));
  }
});
