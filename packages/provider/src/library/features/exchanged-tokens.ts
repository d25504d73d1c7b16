import type { ExchangedToken } from '../../hooks/hook.ts';
import { openJwt } from '../../keys/open-jwt.ts';
import { spaceDelimited } from '../../text/space-delimited.ts';
import { currentState, rememberFailure } from '../request-state.ts';
import type { FeatureDependencies } from './feature.ts';
import { createOpenAssertion, useOnce } from './jwt-bearer.ts';

const prefix = 'urn:ietf:params:oauth:token-type:';
export const tokenTypes = {
  accessToken: `${prefix}access_token`,
  idToken: `${prefix}id_token`,
  jwt: `${prefix}jwt`,
} as const;

/** A token that was handed in, and what bounds the token that is given for it. */
export interface OpenedToken extends ExchangedToken {
  /** Seconds since 1970. */
  readonly exp: number;
  readonly grantId?: string;
  /** Of use only with a key (RFC 9449, RFC 8705). */
  readonly isBound?: boolean;
  /** The claim `may_act`: who alone may act for the subject (RFC 8693, section 4.4). */
  readonly mayAct?: unknown;
}

/** Opens a token of one of the types, or nothing: not ours, not alive, of another type. */
export type OpenToken = (value: string, clientId: string) => Promise<OpenedToken | undefined>;

const openAccessTokens =
  ({ options, findActiveToken }: FeatureDependencies): OpenToken =>
  async (value) => {
    const token = await rememberFailure(currentState(), () => findActiveToken(value));
    if (token?.use !== 'access_token') return undefined;
    const { client, grant, subject, scope, audience, exp, act, ext, cnf } = token;
    return {
      subject,
      clientId: client.id,
      issuer: options.issuer,
      scopes: spaceDelimited(scope),
      audience,
      exp,
      act,
      grantId: grant?.record.grantId,
      isBound: cnf !== undefined,
      mayAct: ext.may_act,
    };
  };

/** ID tokens of the client itself. What they are exchanged for has no scope, unless the program's own hook gives it some. */
const openIdTokens =
  ({ options, signingKeys, clients, now }: FeatureDependencies): OpenToken =>
  async (value, clientId) => {
    const opened = openJwt(signingKeys, value);
    // Access tokens and logout tokens have a type of their own.
    if (opened === undefined || (opened.typ !== undefined && opened.typ !== 'JWT')) return undefined;
    const { iss, aud, sub, exp, events } = opened.claims;
    const audience = [aud ?? []].flat().map(String);
    const isAlive = typeof exp === 'number' && exp > now() / 1000;
    if (iss !== options.issuer || !isAlive || events !== undefined || typeof sub !== 'string') return undefined;
    if (!audience.includes(clientId)) return undefined;
    // A pairwise subject is what one client knows a person by, and nobody's name to others.
    if ((await clients.find(clientId))?.metadata.subject_type === 'pairwise') return undefined;
    return { subject: sub, clientId, issuer: options.issuer, scopes: [], audience, exp };
  };

const openForeign = (deps: FeatureDependencies): OpenToken => {
  const openAssertion = createOpenAssertion(deps);
  return async (value) => {
    const { assertion, trusted } = await openAssertion(value);
    useOnce(assertion);
    const { subject, issuer, exp, audience, claims } = assertion;
    return { subject, issuer, scopes: trusted.scope, audience, exp, mayAct: claims.may_act };
  };
};

/** How a token of each type is opened. */
export const tokenOpeners = (deps: FeatureDependencies): ReadonlyMap<string, OpenToken> => {
  const [ours, idTokens, foreign] = [openAccessTokens(deps), openIdTokens(deps), openForeign(deps)];
  return new Map([
    [tokenTypes.accessToken, ours],
    [tokenTypes.idToken, idTokens],
    // Ours among them are told by our signature.
    [tokenTypes.jwt, async (value, clientId) => (await ours(value, clientId)) ?? foreign(value, clientId)],
  ]);
};
