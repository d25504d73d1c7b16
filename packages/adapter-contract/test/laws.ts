import { test } from 'vitest';
import { type LawSubject, laws, reasonToSkip } from '../src/laws.ts';

/** A test for each law. Those that do not bind the store are skipped, with the reason in their titles. */
export const testLaws = (subject: LawSubject): void => {
  for (const law of laws) {
    const reason = reasonToSkip(law, subject.store.capabilities);
    test.skipIf(reason)(reason ? `${law.name} (${reason})` : law.name, () => law.check(subject));
  }
};
