import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { grantTypes } from '../../clients/grant-types.ts';
import { assertScopes } from '../../clients/registered.ts';
import { type ScopeMatch, scopeMatches } from '../../clients/scope-match.ts';
import { replayMarginSeconds } from '../../flow/redemptions.ts';
import { answerDirectGrant } from '../../grants/direct-grants.ts';
import { invalidGrant } from '../../grants/invalid-grant.ts';
import { recordId } from '../../storage/record-id.ts';
import { spaceDelimited } from '../../text/space-delimited.ts';
import {
  AssertionError,
  nameAssertion,
  type TrustedAssertion,
  type VerifiedAssertion,
  verifyByOneOf,
} from '../../trust/assertion.ts';
import { createAssertionKeys } from '../../trust/assertion-keys.ts';
import { grantAudiences } from '../client-endpoints.ts';
import { recordOf } from '../clients.ts';
import { currentState, rememberFailure } from '../request-state.ts';
import type { Feature, FeatureDependencies } from './feature.ts';

/** Opens an assertion of a trusted issuer. Throws InvalidGrant for any other. */
export type OpenAssertion = (jwt: string) => Promise<TrustedAssertion>;

export const createOpenAssertion = ({ options, adapter, now }: FeatureDependencies): OpenAssertion => {
  const { maxAssertionSeconds, iatOptional, jtiOptional } = options.features.jwtBearer;
  const keysFor = createAssertionKeys({ adapter, now });
  const rules = { audience: grantAudiences(options), maxSeconds: maxAssertionSeconds, iatOptional, jtiOptional };
  return async (jwt) => {
    const state = currentState();
    try {
      const issuers = await rememberFailure(state, () => keysFor(nameAssertion(jwt), state.uow.read));
      return await verifyByOneOf(jwt, issuers, { ...rules, now: now() });
    } catch (error) {
      if (error instanceof AssertionError) throw invalidGrant(error.message, error);
      throw error;
    }
  };
};

/**
 * An assertion with an id counts once (RFC 7523, section 3): a claim in the commit of the tokens, so that of any number
 * of parallel uses one is answered, and a request that fails uses nothing up.
 */
export const useOnce = ({ issuer, jti, exp }: VerifiedAssertion): void => {
  if (jti === undefined) return;
  const state = currentState();
  const id = recordId(JSON.stringify(['assertion', issuer, jti]));
  const { assertionMarks = [] } = state;
  if (assertionMarks.includes(id)) throw invalidGrant('assertions must only be used once');
  state.assertionMarks = [...assertionMarks, id];
  const expiresAt = new Date((exp + replayMarginSeconds) * 1000);
  state.uow.write({ type: 'claim', record: { kind: 'replay', id, payload: '{}', expiresAt } });
};

interface Exchange {
  readonly provider: Provider;
  readonly openAssertion: OpenAssertion;
  readonly scopeMatch: ScopeMatch;
}

const exchange = async (ctx: KoaContextWithOIDC, { provider, openAssertion, scopeMatch }: Exchange): Promise<void> => {
  const { client, params } = ctx.oidc;
  const jwt = params?.assertion;
  if (typeof jwt !== 'string' || client === undefined)
    throw new errors.InvalidRequest("missing required parameter 'assertion'");
  const { assertion, trusted } = await openAssertion(jwt);
  const scopes = spaceDelimited(params?.scope);
  assertScopes(recordOf(client), scopes, scopeMatch);
  const held = new Set(trusted.scope);
  const beyond = scopes.find((scope) => !scopeMatch(held, scope));
  if (beyond !== undefined)
    throw new errors.InvalidScope('the issuer of the assertion is not trusted with this scope', beyond);
  useOnce(assertion);
  await answerDirectGrant(provider, ctx, { grantType: grantTypes.jwtBearer, subject: assertion.subject, scopes });
};

/** Access tokens for the assertions of trusted issuers (RFC 7523, section 2.1). Neither refresh nor ID tokens. */
export const jwtBearer: Feature = {
  name: 'jwtBearer',
  create: (deps) => ({
    grantTypes: [grantTypes.jwtBearer],
    install: (provider) => {
      const scopeMatch = scopeMatches[deps.options.scopeStrategy];
      const parts = { provider, openAssertion: createOpenAssertion(deps), scopeMatch };
      provider.registerGrantType(
        grantTypes.jwtBearer,
        (ctx) => exchange(ctx as KoaContextWithOIDC, parts),
        ['assertion', 'scope', 'resource'],
        ['resource'],
      );
    },
  }),
};
