import { randomBytes } from 'node:crypto';
import { generateKeys } from '../keys/sources/generate-keys.ts';
import { hasNoKeys } from './key-rules.ts';
import type { DevMode } from './rule.ts';
import type { Draft } from './schema.ts';

/** The bundled consent UI, where it runs by default. Browsers accept passkeys for a host name only, not for an address. */
const defaultPages = 'http://localhost:3000';

/**
 * Sets the URLs of the bundled pages. An app with a login page of its own does not run them: the pages that it does not name
 * are Carnet's own.
 */
const fillPages = (urls: Draft['urls'], bundledPages = defaultPages): void => {
  const isBundled = urls.login === undefined;
  urls.login ??= `${bundledPages}/login`;
  urls.consent ??= `${bundledPages}/consent`;
  if (!isBundled) return;
  urls.logout ??= `${bundledPages}/logout`;
  urls.error ??= `${bundledPages}/error`;
  urls.postLogoutRedirect ??= `${bundledPages}/account/signed-out`;
  urls.device.verification ??= `${bundledPages}/device`;
  urls.device.success ??= `${bundledPages}/device/success`;
};

/** Sets the keys that are missing in dev mode, and returns the names of those that were generated at random. */
export const fillDevDefaults = (draft: Draft, isInvalid: (key: string) => boolean, devMode?: DevMode): string[] => {
  const generated: string[] = [];
  const kept = devMode?.readSecrets();
  draft.storage.migrate ??= true;
  if (!isInvalid('issuer')) draft.issuer ??= 'http://127.0.0.1:4444';
  if (!isInvalid('storage.default')) draft.storage.default ??= devMode?.store ?? 'memory:';
  if (draft.urls.login === undefined && !isInvalid('accounts')) draft.accounts ??= devMode?.accounts;
  fillPages(draft.urls, devMode?.pages);
  if (draft.secrets.system === undefined && !isInvalid('secrets')) {
    draft.secrets.system = kept?.secrets?.system ?? [randomBytes(32).toString('base64url')];
    if (kept?.secrets === undefined) generated.push('secrets.system');
  }
  if (hasNoKeys(draft) && !isInvalid('keys')) {
    draft.keys.jwks = kept?.keys?.jwks ?? { keys: generateKeys().keys.map((key) => ({ ...key })) };
    if (kept?.keys === undefined) generated.push('keys.jwks');
  }
  return generated;
};
