import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Account } from '../directory/index.ts';
import type { Vault } from '../second-factors/index.ts';
import { createSealedCodec } from '../sign-in/sealed.ts';

/** A sign-in that waits for its code. */
const schema = z.object({
  /** As the user entered it. */
  login: z.string(),
  /** `to` is the digest of the recipient. No code is accepted if it has another value. */
  sent: z.object({ id: z.string(), to: z.string(), hash: z.string(), expiresAt: z.number() }),
});

export type PendingCode = Readonly<z.output<typeof schema>>;

/** The lifetime of a code: 10 minutes. */
export const codeSeconds = 600;

/**
 * The user who got the code, at this address and with this password: the code is void after a change of any of them. A digest,
 * so that the length of the sealed text does not reveal whether the user exists.
 */
export const recipientOf = ({ subject, passwordVersion }: Account, address: string): string =>
  createHash('sha256')
    .update(JSON.stringify([subject, passwordVersion, address]))
    .digest('base64url');

/** Nothing is stored before the code is used: what it needs travels through the browser, sealed. */
export const createPendingCodec = (vault: Vault) => createSealedCodec<PendingCode>(vault, 'email-sign-in', schema);

export type PendingCodec = ReturnType<typeof createPendingCodec>;
