import { randomBytes } from 'node:crypto';
import { generateKeys } from '../keys/generate-keys.ts';
import type { Draft } from './schema.ts';

const pages = ['login', 'consent', 'logout', 'error'] as const;

/** Fills what dev mode may make up; answers with the keys of what was generated at random and ends with this process. */
export const fillDevDefaults = (draft: Draft, isInvalid: (key: string) => boolean): string[] => {
  const generated: string[] = [];
  draft.public.host ??= '127.0.0.1';
  if (!isInvalid('issuer')) draft.issuer ??= `http://127.0.0.1:${draft.public.port || 4444}`;
  if (!isInvalid('storage.url')) draft.storage.url ??= 'memory:';
  for (const page of pages) draft.urls[page] ??= `http://127.0.0.1:3000/${page}`;
  if (draft.secrets.system === undefined && !isInvalid('secrets')) {
    draft.secrets.system = [randomBytes(32).toString('base64url')];
    generated.push('secrets.system');
  }
  if (draft.keys.file === undefined && draft.keys.jwks === undefined && !isInvalid('keys')) {
    draft.keys.jwks = { keys: generateKeys().keys.map((key) => ({ ...key })) };
    generated.push('keys.jwks');
  }
  return generated;
};
