import type { PinHash } from '../second-factors.ts';
import { openSecret, resealed, sealSecret } from '../secrets/stored-secret.ts';
import type { Factor, Vault } from '../store.ts';

/** The hash is encrypted too, so that a PIN of four digits cannot be guessed from the database alone. */
interface PinPayload {
  readonly hash: string;
}

export const pinPayload = async (
  { vault, hash }: { readonly vault: Vault; readonly hash: PinHash },
  factor: Pick<Factor, 'subject' | 'id'>,
  pin: string,
): Promise<string> =>
  JSON.stringify({ hash: sealSecret(vault, factor, await hash.hash(pin, factor.subject)) } satisfies PinPayload);

export const checkPin = async (
  { vault, hash }: { readonly vault: Vault; readonly hash: PinHash },
  factor: Factor,
  pin: string,
): Promise<Pick<Factor, 'payload'> | undefined> => {
  const payload: PinPayload = JSON.parse(factor.payload);
  if (!(await hash.verify(openSecret(vault, factor, payload.hash), pin, factor.subject))) return undefined;
  return { payload: JSON.stringify({ hash: resealed(vault, factor, payload.hash) } satisfies PinPayload) };
};
