import type { JSONWebKeySet, JWTPayload } from 'jose';
import type { CheckId } from '../../messages/refusals/en.ts';
import { readDiscovery, readKeys } from '../../server/documents.ts';
import { allPassed, type CheckResult, type Diagnosis, failedAt } from './checks.ts';
import { diagnoseAssertion } from './diagnose-assertion.ts';
import { type Diagnosing, findRegistered } from './diagnosing.ts';
import { isInTime, timeIn, timeValues } from './jwt-times.ts';
import { audiencesOf, type PastedJwt, textIn } from './read-jwt.ts';
import { type ComparedValues, shownValues, withValues } from './shown-values.ts';
import { isSigned, signatureProblem } from './signature.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

type Kind = 'accessToken' | 'idToken' | 'logoutToken' | 'clientAssertion';
/** A token that this issuer signs. */
type TokenKind = Exclude<Kind, 'clientAssertion'>;

/** The kind of a JWT, by its type and its claims. */
export const kindOfJwt = ({ header: { typ }, claims }: PastedJwt): Kind | 'request' => {
  if (typ === 'logout+jwt' || claims.events !== undefined) return 'logoutToken';
  if (typ === 'at+jwt' || (claims.client_id !== undefined && claims.scp !== undefined)) return 'accessToken';
  if (claims.response_type !== undefined || claims.redirect_uri !== undefined || typ === 'oauth-authz-req+jwt')
    return 'request';
  return claims.iss !== undefined && claims.iss === claims.sub ? 'clientAssertion' : 'idToken';
};

const orderOf: Readonly<Record<TokenKind, readonly CheckId[]>> = {
  accessToken: ['format', 'algorithm', 'key', 'signature', 'issuer', 'times', 'tokenClient', 'active'],
  idToken: ['format', 'algorithm', 'key', 'signature', 'issuer', 'tokenAudience', 'times', 'typeRules'],
  logoutToken: ['format', 'algorithm', 'key', 'signature', 'issuer', 'tokenAudience', 'times', 'typeRules'],
};

const eventsIn = ({ events }: JWTPayload): readonly string[] =>
  typeof events === 'object' && events !== null ? Object.keys(events) : [];

const hasTypeRules = ({ claims }: PastedJwt, kind: 'idToken' | 'logoutToken'): boolean => {
  if (kind === 'idToken') return typeof claims.sub === 'string';
  const isEvent = eventsIn(claims).includes(logoutEvent);
  return isEvent && claims.nonce === undefined && (claims.sid !== undefined || claims.sub !== undefined);
};

/** A token, and the keys and the issuer that it is compared with. */
interface Token {
  readonly jwt: PastedJwt;
  readonly kind: TokenKind;
  readonly issuer: string;
  readonly keys: JSONWebKeySet;
}

/** The first check that a token of this issuer fails. */
const failureOf = async (diagnosing: Diagnosing, { jwt, kind, issuer, keys }: Token): Promise<CheckId | undefined> => {
  const { claims, text } = jwt;
  if (!isSigned(jwt)) return 'algorithm';
  const problem = await signatureProblem(jwt, keys);
  if (problem !== undefined) return problem;
  if (claims.iss !== issuer) return 'issuer';
  const inTime = isInTime(claims, diagnosing.now() / 1_000);
  if (kind === 'accessToken') {
    if (!inTime) return 'times';
    if ((await findRegistered(diagnosing, textIn(claims.client_id))) === undefined) return 'tokenClient';
    return (await diagnosing.server.tokens.introspect(text)).active ? undefined : 'active';
  }
  if ((await findRegistered(diagnosing, audiencesOf(claims)[0])) === undefined) return 'tokenAudience';
  if (!inTime) return 'times';
  return hasTypeRules(jwt, kind) ? undefined : 'typeRules';
};

const present = (claims: JWTPayload, names: readonly string[]): readonly string[] =>
  names.filter((name) => claims[name] !== undefined);

const valuesOf = ({ jwt: { header, claims }, kind, issuer, keys: { keys } }: Token, nowMs: number): ComparedValues => ({
  algorithm: { given: [header.alg], expected: [...new Set(keys.map(({ alg }) => alg))] },
  key: { given: [header.kid], expected: keys.map(({ kid }) => kid) },
  issuer: { given: [claims.iss], expected: [issuer] },
  times: timeValues(claims, nowMs),
  tokenAudience: { given: audiencesOf(claims) },
  tokenClient: { given: [claims.client_id] },
  typeRules:
    kind === 'logoutToken'
      ? { given: [...eventsIn(claims), ...present(claims, ['sid', 'sub', 'nonce'])], expected: [logoutEvent] }
      : { given: present(claims, ['sub']), expected: ['sub'] },
});

const diagnoseToken = async (
  diagnosing: Diagnosing,
  jwt: PastedJwt,
  kind: TokenKind,
): Promise<readonly CheckResult[]> => {
  const discovery = (await readDiscovery(diagnosing)) ?? {};
  const keys = await readKeys(diagnosing, discovery);
  const token = { jwt, kind, issuer: discovery.issuer ?? diagnosing.server.issuer, keys };
  const failed = await failureOf(diagnosing, token);
  const order = orderOf[kind];
  const checks = failed === undefined ? allPassed(order) : failedAt(order, failed);
  return withValues(checks, valuesOf(token, diagnosing.now()));
};

/** The members that say what a token is for. */
const contentOf = ({ header, claims }: PastedJwt): readonly (readonly [string, string])[] =>
  Object.entries({
    ...{ alg: header.alg, kid: header.kid, typ: header.typ, iss: claims.iss, aud: audiencesOf(claims).join(' ') },
    ...{ exp: timeIn(claims.exp), iat: timeIn(claims.iat), nbf: timeIn(claims.nbf), scope: claims.scope },
  }).flatMap(([name, value]) => shownValues([value]).map((text) => [name, text] as const));

/** Checks a signed JWT as the server, a client or a resource server does. */
export const diagnoseJwt = async (diagnosing: Diagnosing, jwt: PastedJwt, kind: Kind): Promise<Diagnosis> => {
  const { claims } = jwt;
  const isAssertion = kind === 'clientAssertion';
  const clientId =
    kind === 'accessToken' ? textIn(claims.client_id) : isAssertion ? textIn(claims.sub) : audiencesOf(claims)[0];
  const subject = isAssertion || claims.sub === clientId ? undefined : textIn(claims.sub);
  const checks = isAssertion ? await diagnoseAssertion(diagnosing, jwt) : await diagnoseToken(diagnosing, jwt, kind);
  return { kind, clientId, subject, content: contentOf(jwt), checks };
};
