import { randomBytes } from 'node:crypto';
import { generateKeys } from '../keys/generate-keys.ts';
import { devStore, readDevSecrets } from './dev-folder.ts';
import type { Draft } from './schema.ts';

const pages = ['login', 'consent', 'logout', 'error'] as const;

/**
 * Fills what dev mode may make up; answers with the keys of what was generated at random. With a folder, a store in it
 * is the default, and what an earlier run has left there is taken before anything is generated.
 */
export const fillDevDefaults = (draft: Draft, isInvalid: (key: string) => boolean, folder?: string): string[] => {
  const generated: string[] = [];
  const kept = folder === undefined ? undefined : readDevSecrets(folder);
  draft.storage.migrate ??= true;
  draft.public.host ??= '127.0.0.1';
  if (!isInvalid('issuer')) draft.issuer ??= `http://127.0.0.1:${draft.public.port || 4444}`;
  if (!isInvalid('storage.default')) draft.storage.default ??= folder === undefined ? 'memory:' : devStore(folder);
  for (const page of pages) draft.urls[page] ??= `http://127.0.0.1:3000/${page}`;
  draft.urls.device.verification ??= 'http://127.0.0.1:3000/device';
  draft.urls.device.success ??= 'http://127.0.0.1:3000/device/success';
  if (draft.secrets.system === undefined && !isInvalid('secrets')) {
    draft.secrets.system = kept?.secrets?.system ?? [randomBytes(32).toString('base64url')];
    if (kept?.secrets === undefined) generated.push('secrets.system');
  }
  const hasKeys = draft.keys.source === 'store' || draft.keys.file !== undefined || draft.keys.jwks !== undefined;
  if (!hasKeys && !isInvalid('keys')) {
    draft.keys.jwks = kept?.keys?.jwks ?? { keys: generateKeys().keys.map((key) => ({ ...key })) };
    if (kept?.keys === undefined) generated.push('keys.jwks');
  }
  return generated;
};
