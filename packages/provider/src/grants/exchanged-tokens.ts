import type { ExchangedToken } from '../hooks/hook.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { openIdToken } from '../tokens/id-token.ts';
import type { AssertionGrantDependencies, OpenedAssertion } from './assertions.ts';
import type { TokenRequest } from './grant.ts';

const prefix = 'urn:ietf:params:oauth:token-type:';
/** RFC 8693, section 3. */
export const tokenTypes = {
  accessToken: `${prefix}access_token`,
  idToken: `${prefix}id_token`,
  jwt: `${prefix}jwt`,
} as const;

/** A verified subject or actor token, and its limits for the new token. */
export interface OpenedToken extends ExchangedToken, Partial<Pick<OpenedAssertion, 'claim'>> {
  /** Seconds since 1970. */
  readonly exp: number;
  readonly grantId?: string;
  /** It is usable only with a key (RFC 9449, RFC 8705). */
  readonly isBound?: boolean;
  /** The claim `may_act`: who alone may act for the subject (RFC 8693, section 4.4). */
  readonly mayAct?: unknown;
}

/**
 * Opens a token of one type. Undefined for a token that is not active, or of another type.
 *
 * @throws {OAuthError} `invalid_grant` for an assertion that is not valid
 */
export type OpenToken = (value: string, request: TokenRequest) => Promise<OpenedToken | undefined>;

/** How a token of each type is opened. */
export const createTokenOpeners = (deps: AssertionGrantDependencies): ReadonlyMap<string, OpenToken> => {
  const { findActiveToken, signingKeys, openAssertion, now } = deps;
  const { issuer } = deps.options;

  const ofAccessToken: OpenToken = async (value) => {
    const token = await findActiveToken(value);
    if (token?.use !== 'access_token') return undefined;
    const { client, grant, subject, scope, audience, exp, act, ext, cnf } = token;
    return {
      subject,
      clientId: client.id,
      issuer,
      scopes: spaceDelimited(scope),
      audience,
      exp,
      act,
      grantId: grant?.record.grantId,
      isBound: cnf !== undefined,
      mayAct: ext.may_act,
    };
  };

  /** ID tokens of the client itself. The token that is issued has no scope, unless the token exchange hook gives it some. */
  const ofIdToken: OpenToken = async (value, { record: client }) => {
    const opened = openIdToken({ keys: signingKeys, issuer }, value);
    if (opened === undefined) return undefined;
    const { exp, events } = opened.claims;
    const audience = opened.audience.map(String);
    const isAlive = typeof exp === 'number' && exp > now() / 1000;
    if (!isAlive || events !== undefined || !audience.includes(client.id)) return undefined;
    // One client knows the user by a pairwise subject, which means nothing to other clients.
    if (client.metadata.subject_type === 'pairwise') return undefined;
    return { subject: opened.subject, clientId: client.id, issuer, scopes: [], audience, exp };
  };

  const ofAssertion: OpenToken = async (value, { store }) => {
    const { assertion, trusted, claim } = await openAssertion(value, store);
    const { subject, issuer: from, exp, audience, claims } = assertion;
    return { subject, issuer: from, scopes: trusted.scope, audience, exp, mayAct: claims.may_act, claim };
  };

  return new Map([
    [tokenTypes.accessToken, ofAccessToken],
    [tokenTypes.idToken, ofIdToken],
    // A JWT that our keys do not verify must be an assertion of a trusted issuer.
    [tokenTypes.jwt, async (value, request) => (await ofAccessToken(value, request)) ?? ofAssertion(value, request)],
  ]);
};
