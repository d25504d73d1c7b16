import type { OidcProviderOptions, UpstreamAnswer, UpstreamResult } from '@carnet/accounts';
import { authorizationCodeGrant, type Configuration, fetchUserInfo } from 'openid-client';
import type { Preset, RawClaims } from '../presets/preset.ts';
import { textOf } from '../presets/preset.ts';
import { readClaims } from './claims.ts';
import { hasNonce, secretsOf } from './request.ts';

interface Provider {
  readonly options: OidcProviderOptions;
  readonly preset: Preset;
}

const failed = (reason: string): UpstreamResult => ({ outcome: 'failed', reason });

/** More than this is no profile. The sign-up carries the claims through the browser. */
const mostBytes = 8_192;
const longestSubject = 255;

/** In UTF-8, halves of surrogate pairs become one character: two subjects would be equal. */
const isStorable = (subject: string): boolean =>
  subject.length <= longestSubject && !subject.includes('\0') && subject.isWellFormed();

/** `new URL` with the parameters of the answer: openid-client reads them from it. */
const answerUrl = ({ callback, parameters }: UpstreamAnswer): URL => {
  const url = new URL(callback);
  url.search = parameters.toString();
  return url;
};

interface Redeemed {
  readonly raw: RawClaims;
  /** That of the ID token: userinfo is not signed. */
  readonly authTime: number | undefined;
}

const timeOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;

/** Redeems the code, and verifies the ID token. */
const redeem = async (
  { options, preset }: Provider,
  configuration: Configuration,
  answer: UpstreamAnswer,
): Promise<Redeemed> => {
  const { verifier, nonce } = secretsOf(answer.secret);
  const tokens = await authorizationCodeGrant(configuration, answerUrl(answer), {
    expectedState: answer.state,
    pkceCodeVerifier: verifier,
    ...(preset.isOpenId && { idTokenExpected: true }),
    ...(hasNonce(preset) && { expectedNonce: nonce }),
    ...(preset.reauthenticates && answer.maxAge !== undefined && { maxAge: answer.maxAge }),
  });
  const claims = tokens.claims();
  if (claims === undefined)
    return { raw: (await preset.readUser?.(configuration, tokens.access_token, options)) ?? {}, authTime: undefined };
  const authTime = timeOf(claims.auth_time);
  const hasEndpoint = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const stated = { ...preset.claimsInAnswer?.(answer.parameters), ...claims };
  if (!options.userinfo || !preset.hasUserinfo || !hasEndpoint) return { raw: stated, authTime };
  // The signed claims decide where both have one.
  return { raw: { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...stated }, authTime };
};

/** The clock of the provider may be behind by this. */
const skewMs = 30_000;

const isFresh = ({ preset }: Provider, { authTime }: Redeemed, { maxAge, loginAfter }: UpstreamAnswer): boolean => {
  if (!preset.reauthenticates) return maxAge === undefined && loginAfter === undefined;
  return loginAfter === undefined || (authTime !== undefined && authTime * 1_000 >= loginAfter - skewMs);
};

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string').slice(0, 20) : [];

/** Verifies the answer to a sign-in. @throws an error of openid-client */
export const verifyAnswer = async (
  provider: Provider,
  configuration: Configuration,
  answer: UpstreamAnswer,
): Promise<UpstreamResult> => {
  const { options, preset } = provider;
  const redeemed = await redeem(provider, configuration, answer);
  const { raw, authTime } = redeemed;
  const subject = preset.subjectOf(raw);
  if (subject === undefined || !isStorable(subject)) return failed('no_subject');
  if (preset.isAllowed !== undefined && !preset.isAllowed(raw, options))
    return { outcome: 'denied', reason: 'foreign_tenant' };
  const read = readClaims(options, raw, preset);
  if (Buffer.byteLength(JSON.stringify(read.claims)) > mostBytes) return failed('claims_too_large');
  const [acr, amr] = [textOf(raw.acr), textsOf(raw.amr)];
  const freshness = { isFresh: isFresh(provider, redeemed, answer), authTime };
  return { outcome: 'verified', user: { subject, ...read, acr, amr, ...freshness } };
};
