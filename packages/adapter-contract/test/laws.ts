import { expect, test } from 'vitest';
import { bindAdapter } from '../src/bind-adapter.ts';
import { type Law, type LawSubject, laws, reasonToSkip } from '../src/laws.ts';
import { mutants } from '../src/mutants.ts';
import type { Capabilities, StorageAdapter } from '../src/port.ts';

/** A test for each law. Those that do not bind the store are skipped, with the reason in their titles. */
export const testLaws = (subject: LawSubject): void => {
  for (const law of laws) {
    const reason = reasonToSkip(law, subject.store.capabilities);
    test.skipIf(reason)(reason ? `${law.name} (${reason})` : law.name, () => law.check(subject));
  }
};

/** Opens stores as a named issuer has them. Their end is the end of the store below. */
export const openingBound =
  (open: () => Promise<StorageAdapter>): (() => Promise<StorageAdapter>) =>
  async () => {
    const store = await open();
    const bound = bindAdapter(store, 'acme');
    return {
      ...bound,
      close: async () => {
        await bound.close();
        await store.close();
      },
    };
  };

/** Whether the law is for stores whose commits are atomic in this way. */
export const isFor = ({ needs }: Law, atomicCommit: Capabilities['atomicCommit']): boolean =>
  (needs?.atomicCommit ?? atomicCommit) === atomicCommit;

/** The mutants of the laws for such stores, each with the law that it breaks. */
export const casesFor = (atomicCommit: Capabilities['atomicCommit']) =>
  mutants.flatMap((mutant) => {
    const law = laws.find(({ name }) => name === mutant.breaks);
    return law && isFor(law, atomicCommit) ? [{ ...mutant, law }] : [];
  });

/** The law must fail on the subject. A bug in the law or the mutant, which is a TypeError, is no proof. */
export const expectBroken = async (law: Law, subject: LawSubject): Promise<void> => {
  const error = await law.check(subject).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(TypeError);
};
