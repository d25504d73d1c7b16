import type { Access } from '../src/access/access.ts';
import type { Operator } from '../src/access/operator.ts';

/** An operator who is signed in already, in a session that does not end. */
export const signedIn = (operator: Operator): Access => ({
  identify: async () => ({ operator, watchSession: () => ({ ended: new AbortController().signal, stop: () => {} }) }),
  answer: async () => undefined,
  changed: async () => {},
});
