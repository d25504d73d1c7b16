import { assertSame } from '../kit/law.ts';
import type { Conflict, ConflictReason, FoundRecord, StoredRecord, Write } from '../port.ts';

export function assertPresent(found: FoundRecord | undefined, what: string): asserts found is FoundRecord {
  if (found === undefined) throw new Error(`${what}: expected a record, got none`);
}

export const assertAbsent = (found: FoundRecord | undefined, what: string): void => assertSame(found, undefined, what);

export const assertCommitted = (conflict: Conflict | undefined, what: string): void =>
  assertSame(conflict, undefined, `${what}: conflict`);

export const assertConflict = (
  conflict: Conflict | undefined,
  write: Write,
  reason: ConflictReason,
  what: string,
): void => assertSame(conflict, { write, reason }, `${what}: conflict`);

/** The fields that a read must return after `put` or `claim`. An omitted field is `undefined`, not `null`. */
export const assertFound = (
  found: FoundRecord | undefined,
  record: StoredRecord,
  what: string,
  { consumedAt = null, members = [] }: Partial<Pick<FoundRecord, 'consumedAt' | 'members'>> = {},
): void => {
  assertPresent(found, what);
  for (const field of ['kind', 'id', 'grantId', 'payload', 'expiresAt', 'subject', 'clientId'] as const)
    assertSame(found[field], record[field], `${what}: ${field}`);
  assertSame(found.consumedAt, consumedAt, `${what}: consumedAt`);
  assertSame([...found.members].sort(), [...members].sort(), `${what}: members`);
};
