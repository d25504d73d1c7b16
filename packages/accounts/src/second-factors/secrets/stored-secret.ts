import { SecondFactorError } from '../second-factor-error.ts';
import type { Factor, Vault } from '../store.ts';
import { secretPlace } from './sealed-text.ts';

/** @throws SecondFactorError `unreadable_secret` */
export const openSecret = (vault: Vault, { subject, id, kind }: Factor, sealed: string): string => {
  const secret = vault.open(secretPlace(subject, id), sealed);
  if (secret !== undefined) return secret;
  throw new SecondFactorError(
    'unreadable_secret',
    `The secret of the ${kind} factor ${id} cannot be decrypted: keep earlier secrets in secrets.system, or remove the factor.`,
  );
};

export const sealSecret = (vault: Vault, { subject, id }: Pick<Factor, 'subject' | 'id'>, secret: string): string =>
  vault.seal(secretPlace(subject, id), secret);

/** The sealed text, encrypted again if its key is not the current one. */
export const resealed = (vault: Vault, factor: Factor, sealed: string): string =>
  vault.isCurrent(sealed) ? sealed : sealSecret(vault, factor, openSecret(vault, factor, sealed));
