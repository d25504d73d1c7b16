import {
  type CryptoKey,
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
} from 'jose';
import type { CheckId } from '../../messages/refusals/en.ts';
import { readDiscovery, readKeys } from '../../server/documents.ts';
import { allPassed, type CheckResult, type Diagnosis, failedAt } from './checks.ts';
import { type Diagnosing, knowsClient } from './diagnose-request.ts';

/** A JWT that is not verified yet. */
export interface PastedJwt {
  readonly text: string;
  readonly header: {
    readonly alg?: string | undefined;
    readonly kid?: string | undefined;
    readonly typ?: string | undefined;
  };
  readonly claims: JWTPayload;
}

const isText = (value: unknown): value is string => typeof value === 'string';

export const textIn = (value: unknown): string | undefined => (isText(value) ? value : undefined);

/** Undefined for a text that is no signed JWT. Members of another type than their RFC names are left out. */
export const readJwt = (text: string): PastedJwt | undefined => {
  try {
    const { alg, kid, typ } = decodeProtectedHeader(text);
    const claims = decodeJwt(text);
    const header = { alg: textIn(alg), kid: textIn(kid), typ: textIn(typ) };
    return { text, header, claims: { ...claims, aud: [claims.aud ?? []].flat().filter(isText) } };
  } catch {
    return undefined;
  }
};

/** The difference of clocks that is accepted, in seconds. */
const skewSeconds = 30;

const isInTime = ({ exp, nbf, iat }: JWTPayload, nowSeconds: number): boolean =>
  typeof exp === 'number' &&
  exp > nowSeconds - skewSeconds &&
  [nbf, iat].every((at) => at === undefined || (typeof at === 'number' && at <= nowSeconds + skewSeconds));

const isSigned = ({ header: { alg = 'none' } }: PastedJwt): boolean => alg !== 'none' && !alg.startsWith('HS');

const isSignedBy = (text: string, key: CryptoKey): Promise<boolean> =>
  compactVerify(text, key).then(
    () => true,
    () => false,
  );

/** Without `kid`, several keys fit, and each is tried. */
const isSignedByAny = async (text: string, keys: AsyncIterable<CryptoKey>): Promise<boolean> => {
  for await (const key of keys) if (await isSignedBy(text, key)) return true;
  return false;
};

/** Whether one of the keys has made the signature. The claims are not checked. */
const signatureProblem = async ({ text }: PastedJwt, keys: JSONWebKeySet): Promise<'key' | 'signature' | undefined> => {
  try {
    await compactVerify(text, createLocalJWKSet(keys));
    return undefined;
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys)
      return (await isSignedByAny(text, error)) ? undefined : 'signature';
    return error instanceof errors.JWKSNoMatchingKey ? 'key' : 'signature';
  }
};

const audiencesOf = ({ aud }: JWTPayload): readonly string[] => [aud ?? []].flat();

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

type Kind = 'accessToken' | 'idToken' | 'logoutToken' | 'clientAssertion';

/** The kind of a JWT, by its type and its claims. */
export const kindOfJwt = ({ header: { typ }, claims }: PastedJwt): Kind | 'request' => {
  if (typ === 'logout+jwt' || claims.events !== undefined) return 'logoutToken';
  if (typ === 'at+jwt' || (claims.client_id !== undefined && claims.scp !== undefined)) return 'accessToken';
  if (claims.response_type !== undefined || claims.redirect_uri !== undefined || typ === 'oauth-authz-req+jwt')
    return 'request';
  return claims.iss !== undefined && claims.iss === claims.sub ? 'clientAssertion' : 'idToken';
};

const orderOf: Readonly<Record<'accessToken' | 'idToken' | 'logoutToken', readonly CheckId[]>> = {
  accessToken: ['format', 'algorithm', 'key', 'signature', 'issuer', 'times', 'tokenClient', 'active'],
  idToken: ['format', 'algorithm', 'key', 'signature', 'issuer', 'tokenAudience', 'times', 'typeRules'],
  logoutToken: ['format', 'algorithm', 'key', 'signature', 'issuer', 'tokenAudience', 'times', 'typeRules'],
};

const hasTypeRules = ({ claims }: PastedJwt, kind: 'idToken' | 'logoutToken'): boolean => {
  if (kind === 'idToken') return typeof claims.sub === 'string';
  const events = claims.events as Readonly<Record<string, unknown>> | null | undefined;
  const isEvent = typeof events === 'object' && events !== null && logoutEvent in events;
  return isEvent && claims.nonce === undefined && (claims.sid !== undefined || claims.sub !== undefined);
};

/** The first check that a token of this issuer fails. */
const failureOf = async (
  diagnosing: Diagnosing,
  jwt: PastedJwt,
  kind: 'accessToken' | 'idToken' | 'logoutToken',
): Promise<CheckId | undefined> => {
  const { server, now } = diagnosing;
  const { claims } = jwt;
  if (!isSigned(jwt)) return 'algorithm';
  const discovery = (await readDiscovery(diagnosing)) ?? {};
  const problem = await signatureProblem(jwt, await readKeys(diagnosing, discovery));
  if (problem !== undefined) return problem;
  if (claims.iss !== (discovery.issuer ?? server.issuer)) return 'issuer';
  const inTime = isInTime(claims, now() / 1_000);
  if (kind === 'accessToken') {
    if (!inTime) return 'times';
    if (!(await knowsClient(diagnosing, textIn(claims.client_id) ?? ''))) return 'tokenClient';
    return (await server.tokens.introspect(jwt.text)).active ? undefined : 'active';
  }
  const [audience = ''] = audiencesOf(claims);
  if (!(await knowsClient(diagnosing, audience))) return 'tokenAudience';
  if (!inTime) return 'times';
  return hasTypeRules(jwt, kind) ? undefined : 'typeRules';
};

const timeIn = (value: unknown): string | undefined =>
  typeof value === 'number' && Math.abs(value) < 8.64e12 ? new Date(value * 1_000).toISOString() : undefined;

/** The members that say what a token is for. */
const contentOf = ({ header, claims }: PastedJwt): readonly (readonly [string, string])[] =>
  Object.entries({
    ...{
      alg: header.alg,
      kid: header.kid,
      typ: header.typ,
      iss: textIn(claims.iss),
      aud: audiencesOf(claims).join(' '),
    },
    ...{ exp: timeIn(claims.exp), iat: timeIn(claims.iat), nbf: timeIn(claims.nbf), scope: textIn(claims.scope) },
  }).filter((entry): entry is [string, string] => Boolean(entry[1]));

const assertionOrder: readonly CheckId[] = [
  ...(['format', 'client', 'method', 'algorithm', 'issuer', 'assertionId', 'tokenAudience'] as const),
  ...(['times', 'key', 'signature', 'assertionUse'] as const),
];

/** The first check that a client assertion fails, or the first one that cannot be decided here. */
const assertionFailure = async (diagnosing: Diagnosing, jwt: PastedJwt) => {
  const { server, now } = diagnosing;
  const { claims, header } = jwt;
  const id = textIn(claims.sub) ?? '';
  if (!(await knowsClient(diagnosing, id))) return { failed: 'client' } as const;
  const client = await server.clients.get(id);
  if (client.token_endpoint_auth_method !== 'private_key_jwt') return { failed: 'method' } as const;
  const alg = client.token_endpoint_auth_signing_alg;
  if (!isSigned(jwt) || (alg && alg !== header.alg)) return { failed: 'algorithm' } as const;
  if (claims.iss !== id) return { failed: 'issuer' } as const;
  if (!textIn(claims.jti)) return { failed: 'assertionId' } as const;
  const accepted = Object.entries((await readDiscovery(diagnosing)) ?? {})
    .filter(([name]) => name === 'issuer' || name.endsWith('_endpoint'))
    .map(([, value]) => value);
  if (!audiencesOf(claims).some((each) => each === server.issuer || accepted.includes(each)))
    return { failed: 'tokenAudience' } as const;
  if (!isInTime(claims, now() / 1_000)) return { failed: 'times' } as const;
  // The keys at `jwks_uri` are not fetched: the page sends no request to other servers.
  if (client.jwks === undefined) return { undecidedFrom: 'key' } as const;
  const problem = await signatureProblem(jwt, client.jwks as JSONWebKeySet);
  return problem === undefined ? ({ undecidedFrom: 'assertionUse' } as const) : ({ failed: problem } as const);
};

const assertionChecks = async (diagnosing: Diagnosing, jwt: PastedJwt): Promise<readonly CheckResult[]> => {
  const { failed, undecidedFrom } = {
    failed: undefined,
    undecidedFrom: undefined,
    ...(await assertionFailure(diagnosing, jwt)),
  };
  if (failed !== undefined) return failedAt(assertionOrder, failed);
  const at = assertionOrder.indexOf(undecidedFrom ?? 'assertionUse');
  return assertionOrder.map((id, index) => ({ id, result: index < at ? 'passed' : 'unknown' }));
};

/** Checks a signed JWT as the server, a client or a resource server does. */
export const diagnoseJwt = async (diagnosing: Diagnosing, jwt: PastedJwt, kind: Kind): Promise<Diagnosis> => {
  const { claims } = jwt;
  const isAssertion = kind === 'clientAssertion';
  const clientId =
    kind === 'accessToken' ? textIn(claims.client_id) : isAssertion ? textIn(claims.sub) : audiencesOf(claims)[0];
  const subject = isAssertion || claims.sub === clientId ? undefined : textIn(claims.sub);
  const about = { kind, clientId, subject, content: contentOf(jwt) };
  if (isAssertion) return { ...about, checks: await assertionChecks(diagnosing, jwt) };
  const failed = await failureOf(diagnosing, jwt, kind);
  return { ...about, checks: failed === undefined ? allPassed(orderOf[kind]) : failedAt(orderOf[kind], failed) };
};
