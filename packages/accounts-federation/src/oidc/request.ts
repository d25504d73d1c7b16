import { createHash } from 'node:crypto';
import type { OidcProviderOptions, UpstreamRequest } from '@carnet/accounts';
import {
  buildAuthorizationUrl,
  buildAuthorizationUrlWithPAR,
  type Configuration,
  calculatePKCECodeChallenge,
} from 'openid-client';
import type { Preset } from '../presets/preset.ts';

const derive = (secret: string, purpose: 'pkce' | 'nonce'): string =>
  createHash('sha256').update(`carnet ${purpose} ${secret}`).digest('base64url');

/**
 * PKCE verifier and nonce of a sign-in. Safe against codes and ID tokens of another browser because both follow from the secret
 * that only the browser has, which began: nothing about them is in a URL or in a store, but their hashes.
 */
export const secretsOf = (secret: string): { readonly verifier: string; readonly nonce: string } => ({
  verifier: derive(secret, 'pkce'),
  nonce: derive(secret, 'nonce'),
});

const known = (values: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** The classes that the provider knows. Others would have no effect, or end in an error. */
const acrValuesOf = (configuration: Configuration, wanted: readonly string[] = []): string | undefined => {
  const { acr_values_supported: supported = [] } = configuration.serverMetadata();
  const values = wanted.filter((value) => supported.includes(value));
  return values.length > 0 ? values.join(' ') : undefined;
};

/**
 * `max_age` where the request has none: a year. With `max_age`, the provider must send `auth_time` (OpenID Connect Core, section
 * 3.1.2.1): when the user authenticated, which also proves the new sign-in of `prompt=login`.
 */
const longestAge = 31_536_000;

export const hasNonce = ({ isOpenId, hasNonce: has = true }: Preset): boolean => isOpenId && has;

/** The values that the provider knows: it may refuse the whole request for another one. */
const promptOf = ({ prompts }: Preset, prompt = ''): string | undefined =>
  prompt
    .split(' ')
    .filter((value) => prompts === undefined || prompts.includes(value))
    .join(' ') || undefined;

/** The URL of the authorization request, pushed (RFC 9126) where the provider offers it. */
export const buildRequest = async (
  { options, preset }: { readonly options: OidcProviderOptions; readonly preset: Preset },
  configuration: Configuration,
  { callback, state, secret, loginHint, uiLocales, prompt, maxAge, acrValues }: UpstreamRequest,
): Promise<string> => {
  const { verifier, nonce } = secretsOf(secret);
  const scopes = options.scopes.length > 0 ? options.scopes : preset.scopes;
  const parameters = known({
    redirect_uri: callback,
    scope: scopes.join(' '),
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    nonce: hasNonce(preset) ? nonce : undefined,
    prompt: promptOf(preset, prompt),
    ...(preset.loginHint !== undefined && { [preset.loginHint]: loginHint }),
    ui_locales: preset.takesLocales ? uiLocales : undefined,
    max_age: preset.reauthenticates ? String(maxAge ?? longestAge) : undefined,
    acr_values: acrValuesOf(configuration, acrValues),
    ...preset.parametersOf?.(options),
  });
  const isPushed = configuration.serverMetadata().pushed_authorization_request_endpoint !== undefined;
  const url = isPushed
    ? await buildAuthorizationUrlWithPAR(configuration, parameters)
    : buildAuthorizationUrl(configuration, parameters);
  return url.href;
};
