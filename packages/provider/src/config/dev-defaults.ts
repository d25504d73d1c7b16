import { randomBytes } from 'node:crypto';
import { generateKeys } from '../keys/generate-keys.ts';
import type { Draft } from './schema.ts';

const pages = ['login', 'consent', 'logout', 'error'] as const;

/** The values that dev mode generates and that a restart reuses. */
export interface DevSecrets {
  readonly secrets?: { readonly system: string[] };
  readonly keys?: { readonly jwks: NonNullable<Draft['keys']['jwks']> };
}

/** The values that dev mode keeps from one run to the next. */
export interface DevMode {
  /** The URL of the default store. */
  readonly store: string;
  /** The values that an earlier run generated. @throws ConfigError if they are not valid */
  readonly readSecrets: () => DevSecrets | undefined;
}

/** Sets the keys that are missing in dev mode, and returns the names of those that were generated at random. */
export const fillDevDefaults = (draft: Draft, isInvalid: (key: string) => boolean, devMode?: DevMode): string[] => {
  const generated: string[] = [];
  const kept = devMode?.readSecrets();
  draft.storage.migrate ??= true;
  draft.public.host ??= '127.0.0.1';
  if (!isInvalid('issuer')) draft.issuer ??= `http://127.0.0.1:${draft.public.port || 4444}`;
  if (!isInvalid('storage.default')) draft.storage.default ??= devMode?.store ?? 'memory:';
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
