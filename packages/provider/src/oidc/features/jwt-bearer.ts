import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { scopeMatches } from '../../clients/scope-match.ts';
import { replayMarginSeconds } from '../../flow/redemptions.ts';
import { words } from '../../flow/words.ts';
import { recordId } from '../../storage/record-id.ts';
import { AssertionError, nameAssertion, type VerifiedAssertion, verifyAssertion } from '../../trust/assertion.ts';
import { findTrustedIssuer, type TrustedIssuer } from '../../trust/trusted-issuers.ts';
import { grantAudiences } from '../client-endpoints.ts';
import { answerDirectGrant } from '../direct-grants.ts';
import { invalidGrant } from '../invalid-grant.ts';
import { assertScopes } from '../registered.ts';
import { currentState } from '../request-state.ts';
import type { Feature, FeatureDependencies } from './feature.ts';

const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** What an administrator trusts, in so many words. */
export interface TrustedAssertion {
  readonly assertion: VerifiedAssertion;
  readonly trusted: TrustedIssuer;
}

/**
 * Opens an assertion of an issuer that is trusted, at the cost of one read.
 * @throws InvalidGrant for any other
 */
export const openAssertion = async (
  jwt: string,
  { options, now }: Pick<FeatureDependencies, 'options' | 'now'>,
): Promise<TrustedAssertion> => {
  const { maxAssertionSeconds, iatOptional, jtiOptional } = options.features.jwtBearer;
  try {
    const trusted = await findTrustedIssuer(currentState().uow.read, nameAssertion(jwt));
    if (trusted === undefined) throw new AssertionError('the issuer of the assertion is not trusted with that key');
    const assertion = await verifyAssertion(jwt, trusted, {
      audience: grantAudiences(options),
      maxSeconds: maxAssertionSeconds,
      iatOptional,
      jtiOptional,
      now: now(),
    });
    return { assertion, trusted };
  } catch (error) {
    if (error instanceof AssertionError) throw invalidGrant(error.message, error);
    throw error;
  }
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

const exchange = async (ctx: KoaContextWithOIDC, provider: Provider, deps: FeatureDependencies): Promise<void> => {
  const { client, params } = ctx.oidc;
  const jwt = params?.assertion;
  if (typeof jwt !== 'string' || client === undefined)
    throw new errors.InvalidRequest("missing required parameter 'assertion'");
  const scopeMatch = scopeMatches[deps.options.scopeStrategy];
  const { assertion, trusted } = await openAssertion(jwt, deps);
  const scopes = words(params?.scope);
  assertScopes(client, scopes, scopeMatch);
  const held = new Set(trusted.scope);
  const beyond = scopes.find((scope) => !scopeMatch(held, scope));
  if (beyond !== undefined)
    throw new errors.InvalidScope('the issuer of the assertion is not trusted with this scope', beyond);
  useOnce(assertion);
  await answerDirectGrant(provider, ctx, { grantType: jwtBearerGrant, subject: assertion.subject, scopes });
};

/** Access tokens for the assertions of trusted issuers (RFC 7523, section 2.1). Neither refresh nor ID tokens. */
export const jwtBearer: Feature = {
  name: 'jwtBearer',
  create: (deps) => ({
    grantTypes: [jwtBearerGrant],
    install: (provider) => {
      provider.registerGrantType(
        jwtBearerGrant,
        (ctx) => exchange(ctx as KoaContextWithOIDC, provider, deps),
        ['assertion', 'scope', 'resource'],
        ['resource'],
      );
    },
  }),
};
