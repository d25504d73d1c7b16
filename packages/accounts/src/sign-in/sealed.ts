import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Vault } from '../second-factors/index.ts';

export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

export interface SealedCodec<Content> {
  seal(content: Content, binding: string): string;
  /** Undefined if the text was changed, or belongs to another binding. */
  open(text: string, binding: string): Content | undefined;
}

/**
 * Seals texts that travel through the browser. Safe against use in another sign-in, and in place of another kind of text,
 * because the purpose and the hash of the binding are authenticated with the text. The vault of browsers binds it to its issuer.
 */
export const createSealedCodec = <Content>(
  given: Vault,
  purpose: string,
  schema: z.ZodType<Content>,
): SealedCodec<Content> => {
  const vault = given.ofBrowser ?? given;
  const placeOf = (binding: string): string => `${purpose} ${digest(binding)}`;
  return {
    seal: (content, binding) =>
      Buffer.from(vault.seal(placeOf(binding), JSON.stringify(content))).toString('base64url'),
    open: (text, binding) => {
      const json = vault.open(placeOf(binding), Buffer.from(text, 'base64url').toString('utf8'));
      return json === undefined ? undefined : schema.safeParse(JSON.parse(json)).data;
    },
  };
};
