import { laws, reasonToSkip } from '@carnet/adapter-contract/laws';
import { openAdapter } from '@carnet/adapter-memory';
import { afterAll, describe, test } from 'vitest';

const open = () => openAdapter({ url: 'memory:' });
const store = await open();
afterAll(() => store.close());

describe('the memory adapter keeps the laws of the storage port', () => {
  for (const law of laws) {
    const reason = reasonToSkip(law, store.capabilities);
    test.skipIf(reason)(reason ? `${law.name} (${reason})` : law.name, () => law.check({ store, open }));
  }
});
