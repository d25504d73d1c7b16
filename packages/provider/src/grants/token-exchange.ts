import { assertScopes, isRegisteredAudience, permissionsOf } from '../clients/client-permissions.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import { grantTypes } from '../clients/grant-types.ts';
import type { Actor, ExchangedToken, TokenExchangeRequest } from '../hooks/hook.ts';
import { accessDenied, invalidRequest, invalidScope, invalidTarget, OAuthError } from '../oauth-error.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { AssertionGrantDependencies } from './assertions.ts';
import { createTokenOpeners, type OpenedToken, tokenTypes } from './exchanged-tokens.ts';
import type { Grant, TokenParameters, TokenRequest } from './grant.ts';
import { issueSingleToken, onlyResource } from './single-token.ts';

const grantType = grantTypes.tokenExchange;

/** An invalid token, or a token that the client must not exchange, is `invalid_request` (RFC 8693, section 2.2.2). */
const refuse = invalidRequest;

/** Issued to the client or for it. An assertion of a trusted issuer was made to be exchanged here. */
const isFor = ({ clientId, audience }: ExchangedToken, client: string): boolean =>
  clientId === undefined || clientId === client || audience.includes(client);

/** The length of `act`, whose whole chain is in every token. */
const maxActors = 10;

const lengthOf = (actor: Actor | undefined): number => (actor === undefined ? 0 : 1 + lengthOf(actor.act));

/** Subjects are compared together with their issuer. `may_act` without `iss` names the token's issuer, or ours. */
const isNamedIn = (mayAct: unknown, subject: OpenedToken, actor: OpenedToken, ours: string): boolean => {
  if (typeof mayAct !== 'object' || mayAct === null) return false;
  const { sub, iss } = mayAct as { readonly sub?: unknown; readonly iss?: unknown };
  const issuers: readonly unknown[] = iss === undefined ? [subject.issuer, ours] : [iss];
  return sub === actor.subject && issuers.includes(actor.issuer);
};

const actorOf = (subject: OpenedToken, actor: OpenedToken | undefined, ours: string): Actor | undefined => {
  if (actor === undefined) {
    if (subject.mayAct !== undefined)
      throw refuse('the subject_token requires an actor (may_act): send an actor_token');
    return subject.act;
  }
  if (subject.mayAct !== undefined && !isNamedIn(subject.mayAct, subject, actor, ours))
    throw refuse('the subject_token does not allow this actor (may_act)');
  if (lengthOf(subject.act) >= maxActors) throw refuse(`the subject_token has ${maxActors} actors already`);
  return { sub: actor.subject, ...(subject.act ? { act: subject.act } : {}) };
};

/**
 * The scopes of the new token: the requested ones or all, within those of the subject token, unless the hook decides.
 */
const scopesOf = async (
  request: TokenExchangeRequest,
  client: ClientRecord,
  { hooks, scopeMatch }: AssertionGrantDependencies,
): Promise<readonly string[]> => {
  const answer = await hooks?.tokenExchange?.(request);
  if (answer && 'denied' in answer) throw accessDenied('a hook has denied the token');
  const { clientId, subject, actor, scopes } = request;
  if (answer) {
    assertScopes(client, answer.scopes, scopeMatch);
    return answer.scopes;
  }
  for (const token of actor ? [subject, actor] : [subject])
    if (!isFor(token, clientId)) throw refuse('a token was neither issued to this client nor for it');
  const held = new Set(subject.scopes);
  const beyond = scopes.find((scope) => !scopeMatch(held, scope));
  if (beyond !== undefined) throw invalidScope('the subject_token does not have this scope', beyond);
  assertScopes(client, scopes, scopeMatch);
  const registered = permissionsOf(client).scopes;
  return scopes.length > 0 ? scopes : subject.scopes.filter((scope) => scopeMatch(registered, scope));
};

const issuedType = (parameters: TokenParameters, client: ClientRecord, deps: AssertionGrantDependencies): string => {
  const requested = parameters.get('requested_token_type') ?? tokenTypes.accessToken;
  const form = client.metadata.access_token_strategy ?? deps.options.accessTokenStrategy;
  if (requested === tokenTypes.accessToken || (requested === tokenTypes.jwt && form === 'jwt')) return requested;
  throw refuse('requested_token_type is not supported for this client');
};

/** @throws {OAuthError} if one assertion is both tokens: an assertion is used once (RFC 7523, section 3) */
const claimsOf = (subject: OpenedToken, actor: OpenedToken | undefined) => {
  if (subject.claim && subject.claim.record.id === actor?.claim?.record.id)
    throw refuse('actor_token: assertions must only be used once');
  return [subject.claim, actor?.claim].filter((claim) => claim !== undefined);
};

const hasActor = ({ parameters }: TokenRequest): boolean =>
  parameters.get('actor_token') !== undefined || parameters.get('actor_token_type') !== undefined;

const names = spaceDelimited(
  'subject_token subject_token_type actor_token actor_token_type requested_token_type resource audience scope',
);

/** Access tokens for other tokens (RFC 8693): our own, or assertions of trusted issuers. */
export const createTokenExchangeGrant = (deps: AssertionGrantDependencies): Grant => {
  const openers = createTokenOpeners(deps);

  const open = async (name: 'subject_token' | 'actor_token', request: TokenRequest): Promise<OpenedToken> => {
    const { parameters } = request;
    const value = parameters.get(name);
    const type = parameters.get(`${name}_type`);
    if (value === undefined || type === undefined) throw refuse(`${name} and ${name}_type must be given together`);
    const opener = openers.get(type);
    if (opener === undefined) throw refuse(`${name}_type is not supported`);
    const token = await opener(value, request).catch((error: unknown) => {
      if (error instanceof OAuthError && error.error === 'invalid_grant')
        throw refuse(`${name}: ${error.error_description}`);
      throw error;
    });
    if (token === undefined) throw refuse(`${name} is not an active token of that type`);
    return token;
  };

  return {
    parameters: names,
    /**
     * The new token has no further scope and no longer lifetime than the subject token, and becomes invalid with its
     * grant.
     */
    async issue(request) {
      const { client, record, parameters } = request;
      if (client.clientAuthMethod === 'none') throw refuse('only a client that authenticates may exchange tokens');
      const issuedTokenType = issuedType(parameters, record, deps);
      const audience = parameters.all('audience').flatMap(spaceDelimited);
      if (!isRegisteredAudience(record, audience))
        throw invalidTarget('the client is not registered for this audience');
      const subject = await open('subject_token', request);
      const actor = hasActor(request) ? await open('actor_token', request) : undefined;
      const assertions = claimsOf(subject, actor);
      const scopes = spaceDelimited(parameters.get('scope'));
      const granted = await scopesOf({ clientId: record.id, subject, actor, scopes, audience }, record, deps);
      const act = actorOf(subject, actor, deps.options.issuer);
      const resource = onlyResource(request, deps);
      const token = {
        grantType,
        subject: subject.subject,
        scopes: resource?.scopesOf(granted) ?? granted,
        resource,
        grantId: subject.grantId,
        act,
        mustBeBound: subject.isBound,
        maxSeconds: Math.max(1, Math.floor(subject.exp - deps.now() / 1000)),
        issuedTokenType,
        assertions,
      };
      return issueSingleToken(request, token, deps);
    },
  };
};
