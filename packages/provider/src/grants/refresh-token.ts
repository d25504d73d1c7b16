import type { FoundRecord } from '@carnet/adapter-contract';
import { z } from 'zod';
import type { ClientRecord } from '../clients/client-record.ts';
import { invalidGrant, invalidRequest, invalidScope } from '../oauth-error.ts';
import { members, payloadReader, strings } from '../storage/payload.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { boundShape } from '../tokens/access-token.ts';
import { effectiveGrant, readGrant } from '../tokens/grant-details.ts';
import { authenticationOf, authenticationShape } from '../tokens/id-token.ts';
import { findLaterToken, isProvable, successorValue, tokenKeys } from '../tokens/token-value.ts';
import { bindingOf } from './binding.ts';
import type { Grant, TokenRequest } from './grant.ts';
import type { UserGrant } from './grant-record.ts';
import { commitReuse, commitRotation, findReuse } from './refresh-reuse.ts';
import { refuseReuse, revokedMeanwhile } from './request-store.ts';
import type { NextRefreshToken, UserGrantDependencies } from './user-tokens.ts';

const grantType = 'refresh_token';

const refreshTokenPayload = z.object({
  ...boundShape,
  ...authenticationShape,
  /** Seconds since 1970. */
  exp: z.number(),
  gty: z.string().optional(),
  scope: z.string().optional(),
  claims: z.object({ userinfo: members.optional(), id_token: members.optional() }).optional(),
  resource: z.union([z.string(), strings]).optional(),
  rotations: z.number().optional(),
  /** Seconds since 1970: when the first refresh token of the grant was issued. */
  iiat: z.number(),
  successorSecret: z.string().optional(),
});

type RefreshTokenPayload = Readonly<z.output<typeof refreshTokenPayload>>;

const readRefreshToken = payloadReader(refreshTokenPayload);

/** A refresh token of the client with its grant, both alive. */
interface OpenedToken {
  readonly record: FoundRecord;
  readonly payload: RefreshTokenPayload;
  readonly grant: UserGrant;
}

/** The value of `gty` for the tokens of a refresh: the grant types that led to them, space-delimited. */
const historyOf = (gty = grantType): string => (gty.endsWith(grantType) ? gty : `${gty} ${grantType}`);

/** @throws {OAuthError} `invalid_scope` for a scope that the refresh token does not have (RFC 6749, section 6) */
const scopesFor = ({ parameters }: TokenRequest, { scope }: RefreshTokenPayload): readonly string[] => {
  const held = spaceDelimited(scope);
  const requested = parameters.get('scope');
  if (requested === undefined) return held;
  const scopes = spaceDelimited(requested);
  const missing = scopes.filter((one) => !held.includes(one));
  if (missing.length === 0) return scopes;
  const noun = missing.length === 1 ? 'scope' : 'scopes';
  throw invalidScope(`refresh token missing requested ${noun}`, missing.join(' '));
};

/** @throws {OAuthError} `invalid_grant` unless token and grant are the client's, of one user, and alive */
const open = (
  client: ClientRecord,
  [token, grant]: readonly (FoundRecord | undefined)[],
  { scopeMatch, now }: Pick<UserGrantDependencies, 'scopeMatch' | 'now'>,
): OpenedToken => {
  const isOwn = token?.clientId === client.id && grant?.clientId === client.id && grant.subject === token.subject;
  if (!isOwn) throw invalidGrant();
  const payload = readRefreshToken(token);
  const isAlive = payload.exp > Math.floor(now() / 1000) && (grant.expiresAt?.getTime() ?? 0) > now();
  const granted = readGrant(grant);
  const effective = isAlive ? effectiveGrant(granted, client, scopeMatch) : undefined;
  if (effective === undefined) throw invalidGrant();
  const { claims, resource, scope = '' } = payload;
  return {
    record: token,
    payload,
    grant: {
      grantType,
      gty: historyOf(payload.gty),
      scope,
      authentication: authenticationOf(payload),
      claims,
      resources: resource === undefined ? undefined : [resource].flat(),
      record: grant,
      isStored: true,
      payload: granted,
      effective,
    },
  };
};

/** The refresh token grant (RFC 6749, section 6). */
export const createRefreshTokenGrant = (deps: UserGrantDependencies): Grant => {
  const { options, issueUserTokens, keyRing, now } = deps;
  // FAPI 2.0 forbids that a use replaces the token (section 5.3.2.1, 9), and FAPI 1.0 tokens are bound as well.
  const rotates = !options.features.fapi.enabled;

  return {
    parameters: ['refresh_token', 'scope', 'resource'],
    async issue(request) {
      const { record: client, parameters, store, auditContext } = request;
      const value = parameters.get('refresh_token');
      if (value === undefined) throw invalidRequest("missing required parameter 'refresh_token'");
      const keys = tokenKeys(value);
      if (keys?.kind !== grantType || keys.grant === undefined) throw invalidGrant();
      const [own, stored] = await store.read([keys.token, keys.grant]);
      const found = own ?? (await findLaterToken(value, stored, keyRing, store.read));
      const { record: token, payload, grant } = open(client, [found, stored], deps);
      const bound = bindingOf(request, payload);
      const scopes = scopesFor(request, payload);
      auditContext.subject = token.subject ?? undefined;
      // A token whose record is gone was rotated long ago.
      if (own === undefined) return refuseReuse(store, deps, token.grantId);
      const { rotations = 0, successorSecret: secretName, iiat, jkt, 'x5t#S256': thumbprint } = payload;
      const next: NextRefreshToken = {
        // The successor is derived, so that a further use of the token in its grace period returns the same successor.
        value: successorValue({ grantId: token.grantId ?? '', value, secretName }, keyRing),
        rotations: rotations + 1,
        iiat,
        bound: { jkt, 'x5t#S256': thumbprint },
      };
      const isUsed = token.consumedAt !== null;
      const reuse = isUsed ? await findReuse(store, deps, { token, successor: next.value }) : undefined;
      const refresh = rotates && !isUsed ? next : undefined;
      const iat = Math.floor(now() / 1000);
      const { response, writes } = await issueUserTokens(request, grant, { bound, scopes, refresh, iat });
      if (reuse) await commitReuse(store, deps, reuse, writes);
      else if (rotates) await commitRotation(store, deps, { token, isProvable: isProvable(payload, keyRing) }, writes);
      else {
        const stopped = await store.commit(writes);
        if (stopped) throw revokedMeanwhile(stopped);
      }
      return { ...response, refresh_token: rotates ? next.value : value };
    },
  };
};
