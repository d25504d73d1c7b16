import type { OAuth2Client } from '@carnet/provider';
import type { JSONWebKeySet } from 'jose';
import type { CheckId } from '../../messages/refusals/en.ts';
import { readDiscovery } from '../../server/documents.ts';
import { type CheckResult, failedAt, undecidedFrom } from './checks.ts';
import { type Diagnosing, findRegistered } from './diagnosing.ts';
import { isInTime, timeValues } from './jwt-times.ts';
import { audiencesOf, type PastedJwt, textIn } from './read-jwt.ts';
import { type ComparedValues, withValues } from './shown-values.ts';
import { isSigned, signatureProblem } from './signature.ts';

const order: readonly CheckId[] = [
  ...(['format', 'client', 'method', 'algorithm', 'issuer', 'assertionId', 'tokenAudience'] as const),
  ...(['times', 'keySource', 'key', 'signature', 'assertionUse'] as const),
];

/** The keys of a client, or why they are not known. Neither if they were not fetched. */
interface Found {
  readonly keys?: JSONWebKeySet;
  readonly problem?: string;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The client decides about the content: the members of the keys may be anything. */
const isKeySet = (value: unknown): value is JSONWebKeySet =>
  isObject(value) && 'keys' in value && Array.isArray(value.keys) && value.keys.every(isObject);

/** The registered keys, or those at `jwks_uri`: as the server, which fetches them by the same guarded client. */
const keysOf = async ({ server }: Diagnosing, { jwks, jwks_uri: url }: OAuth2Client): Promise<Found> => {
  if (isKeySet(jwks)) return { keys: jwks };
  if (url === undefined) return { keys: { keys: [] } };
  if (server.fetchClientKeys === undefined) return {};
  const found = await server.fetchClientKeys(url);
  if (found.type === 'problem') return { problem: found.reason };
  return isKeySet(found.content) ? { keys: found.content } : { problem: 'jwks' };
};

interface Assertion extends Found {
  readonly jwt: PastedJwt;
  readonly client: OAuth2Client | undefined;
  /** The audiences that the server accepts. */
  readonly accepted: readonly unknown[];
  readonly nowMs: number;
}

/** The first check before the signature that fails. */
const failureBefore = ({ jwt, client, accepted, nowMs }: Assertion): CheckId | undefined => {
  const { claims, header } = jwt;
  if (client === undefined) return 'client';
  if (client.token_endpoint_auth_method !== 'private_key_jwt') return 'method';
  const alg = client.token_endpoint_auth_signing_alg;
  if (!isSigned(jwt) || (alg && alg !== header.alg)) return 'algorithm';
  if (claims.iss !== client.client_id) return 'issuer';
  if (!textIn(claims.jti)) return 'assertionId';
  if (!audiencesOf(claims).some((each) => accepted.includes(each))) return 'tokenAudience';
  return isInTime(claims, nowMs / 1_000) ? undefined : 'times';
};

const valuesOf = (assertion: Assertion): ComparedValues => {
  const { jwt, client, keys, problem, accepted, nowMs } = assertion;
  const { header, claims } = jwt;
  return {
    client: { given: [claims.sub], expected: [client?.client_id] },
    method: { given: ['private_key_jwt'], expected: [client?.token_endpoint_auth_method] },
    algorithm: { given: [header.alg], expected: [client?.token_endpoint_auth_signing_alg] },
    issuer: { given: [claims.iss], expected: [client?.client_id] },
    tokenAudience: { given: audiencesOf(claims), expected: accepted },
    times: timeValues(claims, nowMs),
    keySource: { given: [client?.jwks_uri], expected: [problem] },
    key: { given: [header.kid], expected: keys?.keys.map(({ kid }) => kid) },
  };
};

const checksOf = async (assertion: Assertion): Promise<readonly CheckResult[]> => {
  const { jwt, keys, problem } = assertion;
  const failed = failureBefore(assertion);
  if (failed !== undefined) return failedAt(order, failed);
  if (problem !== undefined) return failedAt(order, 'keySource');
  if (keys === undefined) return undecidedFrom(order, 'keySource');
  const ofSignature = await signatureProblem(jwt, keys);
  // Only a request with the assertion shows whether it was used, and would use it.
  return ofSignature === undefined ? undecidedFrom(order, 'assertionUse') : failedAt(order, ofSignature);
};

/** Checks an assertion with which a client authenticates (RFC 7523), without using it. */
export const diagnoseAssertion = async (diagnosing: Diagnosing, jwt: PastedJwt): Promise<readonly CheckResult[]> => {
  const { server, now } = diagnosing;
  const client = await findRegistered(diagnosing, textIn(jwt.claims.sub));
  const endpoints = Object.entries((await readDiscovery(diagnosing)) ?? {})
    .filter(([name]) => name === 'issuer' || name.endsWith('_endpoint'))
    .map(([, value]) => value);
  const before = { jwt, client, accepted: [...new Set([server.issuer, ...endpoints])], nowMs: now() };
  // The keys of a client are fetched only if everything else is right.
  const isRight = client !== undefined && failureBefore(before) === undefined;
  const assertion = { ...before, ...(isRight && (await keysOf(diagnosing, client))) };
  return withValues(await checksOf(assertion), valuesOf(assertion));
};
