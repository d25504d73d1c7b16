import { randomUUID } from 'node:crypto';
import { passwordHashProblem } from '@carnet/accounts/directory';
import { parseJson } from '@carnet/adapter-contract/kit';
import { z } from 'zod';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import { problemOfClaims } from './claims.ts';
import { identifiersOf } from './identifier.ts';
import { insertUsers, type UserDraft } from './insert-users.ts';
import { claimsOf } from './users.ts';

/** A line that was not imported. The message never quotes the line, because it holds a password hash. */
export interface ImportProblem {
  /** The first line is 1. */
  readonly line: number;
  readonly message: string;
}

export interface ImportOptions {
  readonly database: Pick<AccountsDatabase, 'tables'>;
  /** JSON objects, one per line. Empty lines are skipped. */
  readonly lines: AsyncIterable<string> | Iterable<string>;
  readonly onProblem: (problem: ImportProblem) => void;
  /** Called after each batch. */
  readonly onProgress?: (counts: ImportCounts) => void;
  /** Whether lines are checked and counted, but not stored. Default false. */
  readonly isTrial?: boolean;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

export interface ImportCounts {
  /** Lines that were read, without empty ones. */
  readonly read: number;
  readonly imported: number;
  readonly refused: number;
}

/** An id becomes part of a subject. Email addresses and DNs are refused, because they may be given to other users later. */
const idPattern = /^(?!.*[@=])[!-~]{1,200}$/;

const longestLine = 65_536;
const batchSize = 500;

const lineSchema = z.strictObject({
  id: z.string().regex(idPattern, 'must have 1 to 200 visible ASCII characters, without @ and =').optional(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  username: z.string().optional(),
  password_hash: z.string().max(1024).optional(),
  state: z.enum(['active', 'disabled', 'locked']).optional(),
  claims: z.record(z.string(), z.unknown()).optional(),
});

const messageOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)).join('; ');

/** A user to store, or the reason why the line is refused. */
const parseLine = (text: string): UserDraft | string => {
  if (text.length > longestLine) return `the line has more than ${longestLine} characters`;
  const json = parseJson(text);
  if (json === undefined) return 'the line is not valid JSON';
  const parsed = lineSchema.safeParse(json);
  if (!parsed.success) return messageOf(parsed.error);
  const {
    id = randomUUID(),
    email,
    email_verified: emailVerified,
    username,
    password_hash: passwordHash,
    state,
    claims,
  } = parsed.data;
  const identifiers = identifiersOf({ email, username });
  if (identifiers === undefined) return 'email or username must be a valid login name';
  const hashProblem = passwordHash === undefined ? undefined : passwordHashProblem(passwordHash);
  if (hashProblem !== undefined) return `password_hash ${hashProblem}`;
  const claimsProblem = claims && problemOfClaims(claims);
  if (claimsProblem !== undefined) return claimsProblem;
  return {
    id,
    state: state ?? 'active',
    claims: claimsOf({ email, emailVerified, username, claims }),
    identifiers,
    passwordHash,
  };
};

interface Numbered {
  readonly line: number;
  readonly draft: UserDraft;
}

/**
 * Imports users from JSON lines: `{"id", "email", "username", "email_verified", "password_hash", "state", "claims"}`. An email
 * address or a user name is required. `id` is the id of the user at another provider, if its subjects must stay the same.
 * Each invalid line is reported, and the others are imported, 500 per transaction. A second run with the same file imports
 * the lines that the first one did not import.
 *
 * @throws DirectoryError `unavailable` in an outage: the batches before it are stored
 */
export const importUsers = async (options: ImportOptions): Promise<ImportCounts> => {
  const { database, lines, onProblem, onProgress, isTrial = false, now = Date.now } = options;
  let counts: ImportCounts = { read: 0, imported: 0, refused: 0 };
  let batch: Numbered[] = [];

  const refuse = (line: number, message: string): void => {
    counts = { ...counts, refused: counts.refused + 1 };
    onProblem({ line, message });
  };
  const store = async (): Promise<void> => {
    const drafts = batch.map(({ draft }) => draft);
    const stored = isTrial ? new Set(drafts) : await insertUsers(database.tables, drafts, now());
    for (const { line, draft } of batch)
      if (!stored.has(draft)) refuse(line, 'a user with this id or login name exists');
    counts = { ...counts, imported: counts.imported + stored.size };
    batch = [];
    onProgress?.(counts);
  };

  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    counts = { ...counts, read: counts.read + 1 };
    const draft = parseLine(text);
    if (typeof draft === 'string') refuse(line, draft);
    else batch.push({ line, draft });
    if (batch.length === batchSize) await store();
  }
  if (batch.length > 0) await store();
  return counts;
};
