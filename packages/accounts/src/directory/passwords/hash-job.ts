import type { Options } from '@node-rs/argon2';

/** Makes an argon2 hash, or verifies a hash that `parseHash` accepts. */
export type HashJob =
  | { readonly kind: 'hash'; readonly password: string; readonly options: Options }
  | { readonly kind: 'verify'; readonly password: string; readonly encoded: string };

/** The result of a job: the hash, or whether the password is right. A failure has neither password nor hash. */
export type HashReply = { readonly result: string | boolean } | { readonly failure: string };
