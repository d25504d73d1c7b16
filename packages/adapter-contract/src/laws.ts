import { aliasingLaws } from './laws/aliasing.ts';
import { commitLaws } from './laws/commit.ts';
import { concurrentCallLaws } from './laws/concurrent-calls.ts';
import { conflictLaws } from './laws/conflict.ts';
import { expiryLaws } from './laws/expiry.ts';
import { housekeepingLaws } from './laws/housekeeping.ts';
import { issuerLaws } from './laws/issuers.ts';
import type { Law } from './laws/law.ts';
import { listLaws } from './laws/list.ts';
import { listScopeLaws } from './laws/list-scope.ts';
import { mergeLaws } from './laws/merge.ts';
import { onceLaws } from './laws/once.ts';
import { partLaws } from './laws/parts.ts';
import { putLaws } from './laws/put.ts';
import { readLaws } from './laws/read.ts';
import { revokeLaws } from './laws/revoke.ts';
import { scanLaws } from './laws/scan.ts';
import { sequenceLaws } from './laws/sequence.ts';
import { sharingLaws } from './laws/sharing.ts';
import type { Capabilities, StorageAdapter } from './port.ts';

export type { Law, LawSubject } from './laws/law.ts';
export { type OtherProcess, openInOtherProcess } from './laws/other-process.ts';

/**
 * Every law of the storage port. An adapter keeps those that its declared capabilities bind it to; `reasonToSkip`
 * explains the others.
 */
export const laws: readonly Law[] = [
  ...readLaws,
  ...aliasingLaws,
  ...expiryLaws,
  ...putLaws,
  ...onceLaws,
  ...mergeLaws,
  ...revokeLaws,
  ...commitLaws,
  ...sequenceLaws,
  ...conflictLaws,
  ...partLaws,
  ...concurrentCallLaws,
  ...listLaws,
  ...listScopeLaws,
  ...issuerLaws,
  ...scanLaws,
  ...housekeepingLaws,
  ...sharingLaws,
];

/** Why a law does not bind an adapter: the capability it does not declare. `undefined`: it binds. */
export const reasonToSkip = ({ needs = {} }: Law, capabilities: Capabilities): string | undefined => {
  const missing = Object.entries(needs).filter(([name, value]) => capabilities[name as keyof Capabilities] !== value);
  if (missing.length === 0) return undefined;
  const declared = missing.map(([name]) => `${name}: ${capabilities[name as keyof Capabilities]}`);
  return `the adapter declares ${declared.join(', ')}`;
};

/** The result of checking a law. */
export type Verdict =
  | { readonly law: string; readonly outcome: 'kept' }
  | { readonly law: string; readonly outcome: 'skipped'; readonly reason: string }
  | { readonly law: string; readonly outcome: 'broken'; readonly error: unknown };

const judge = async (law: Law, store: StorageAdapter, open: () => Promise<StorageAdapter>): Promise<Verdict> => {
  const reason = reasonToSkip(law, store.capabilities);
  if (reason !== undefined) return { law: law.name, outcome: 'skipped', reason };
  try {
    await law.check({ store, open });
    return { law: law.name, outcome: 'kept' };
  } catch (error) {
    return { law: law.name, outcome: 'broken', error };
  }
};

/** Check every law, one after the other, without a test framework. Never throws for a broken law: it is in the verdicts. */
export const checkLaws = async (open: () => Promise<StorageAdapter>): Promise<readonly Verdict[]> => {
  const store = await open();
  try {
    const verdicts: Verdict[] = [];
    for (const law of laws) verdicts.push(await judge(law, store, open));
    return verdicts;
  } finally {
    await store.close();
  }
};
