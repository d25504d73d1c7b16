import { describe, expect, test } from 'vitest';
import { problemsIn } from './kit.ts';
import { laws, reasonToSkip } from './laws.ts';
import { mutants } from './mutants.ts';
import type { Capabilities } from './port.ts';

const strongest: Capabilities = { atomicCommit: 'all', shared: true, durable: true, neverRevives: true };
const weakest: Capabilities = { atomicCommit: 'grant', shared: false, durable: false, neverRevives: false };

describe('the laws as data', () => {
  test('names are unique, each law is one sentence, and each law and mutant has its counterpart', () => {
    expect(problemsIn(laws, mutants)).toEqual([]);
  });
});

describe('the laws that bind an adapter', () => {
  test('all of them, where it declares every capability, but for the two on commits that are atomic by grant', () => {
    expect(laws.filter((law) => reasonToSkip(law, strongest)).map(({ name }) => name)).toEqual([
      'parts-before-a-conflict-stand',
      'conflict-is-named-in-the-order-of-parts',
    ]);
  });

  test('those that presuppose a capability do not bind one that lacks it, and the reason names it', () => {
    const skipped = laws.flatMap((law) => {
      const reason = reasonToSkip(law, weakest);
      return reason ? [[law.name, reason]] : [];
    });
    expect(skipped).toEqual([
      ['conflict-undoes-other-grants', 'the adapter declares atomicCommit: grant'],
      ['conflict-is-named-in-the-order-of-writes', 'the adapter declares atomicCommit: grant'],
      ['shared-commits-are-seen-by-all', 'the adapter declares shared: false'],
      ['one-of-fifty-shared-callers-wins', 'the adapter declares shared: false'],
      ['durable-commits-survive-close', 'the adapter declares durable: false'],
    ]);
  });
});
