import type { HashKind } from './users.ts';

export interface SlapdOptions {
  /** The number of numbered users. Default: 1,000. */
  readonly users?: number;
  /** The hash format of the numbered users. Default: SSHA, SSHA512, argon2id and bcrypt in turn. */
  readonly hash?: HashKind;
  /** slapd closes a connection that is idle for longer. Default: never. */
  readonly idleTimeoutSeconds?: number;
  /** The most entries of one search without paging. Default: 500. */
  readonly sizeLimit?: number;
}
