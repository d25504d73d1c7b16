import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { permissionsOf } from '../../clients/client-permissions.ts';
import { grantTypes } from '../../clients/grant-types.ts';
import { assertScopes } from '../../clients/registered.ts';
import { type ScopeMatch, scopeMatches } from '../../clients/scope-match.ts';
import { answerDirectGrant } from '../../grants/direct-grants.ts';
import type { Actor, TokenExchangeRequest } from '../../hooks/hook.ts';
import { spaceDelimited } from '../../text/space-delimited.ts';
import { recordOf } from '../clients.ts';
import { currentState } from '../request-state.ts';
import { type OpenedToken, type OpenToken, tokenOpeners, tokenTypes } from './exchanged-tokens.ts';
import type { Feature, FeatureDependencies } from './feature.ts';

const parameters = [
  'subject_token',
  'subject_token_type',
  'actor_token',
  'actor_token_type',
  'requested_token_type',
  'resource',
  'scope',
] as const;

type Params = Readonly<Partial<Record<(typeof parameters)[number], string>>>;

interface Exchange extends FeatureDependencies {
  readonly provider: Provider;
  readonly openers: ReadonlyMap<string, OpenToken>;
  readonly scopeMatch: ScopeMatch;
}

/** What is wrong with either token, or with who hands it in, is `invalid_request` (RFC 8693, section 2.2.2). */
const refuse = (problem: string): Error => new errors.InvalidRequest(problem);

interface HandedIn {
  readonly what: 'subject_token' | 'actor_token';
  readonly params: Params;
  readonly clientId: string;
}

const open = async ({ what, params, clientId }: HandedIn, { openers }: Exchange): Promise<OpenedToken> => {
  const value = params[what];
  const type = params[`${what}_type`];
  if (!value || !type) throw refuse(`${what} and ${what}_type must be given together`);
  const opener = openers.get(type);
  if (opener === undefined) throw refuse(`${what}_type is not supported`);
  const token = await opener(value, clientId).catch((error: unknown) => {
    if (error instanceof errors.InvalidGrant) throw refuse(`${what}: ${error.error_description}`);
    throw error;
  });
  if (token === undefined) throw refuse(`${what} is not a live token of that type`);
  return token;
};

/** Issued to the client or for it; what a trusted issuer has made was made for us, to be exchanged. */
const isFor = ({ clientId, audience }: OpenedToken, client: string): boolean =>
  clientId === undefined || clientId === client || audience.includes(client);

/** Of actors in `act`: a chain is written out in every token of it. */
const maxActors = 10;

const lengthOf = (actor: Actor | undefined): number => (actor === undefined ? 0 : 1 + lengthOf(actor.act));

/** A name is one issuer's: one that `may_act` says of nobody else's is the token's own issuer's, or ours. */
const isNamedIn = (mayAct: unknown, subject: OpenedToken, actor: OpenedToken, ours: string): boolean => {
  if (typeof mayAct !== 'object' || mayAct === null) return false;
  const { sub, iss } = mayAct as { readonly sub?: unknown; readonly iss?: unknown };
  const issuers: readonly unknown[] = iss === undefined ? [subject.issuer, ours] : [iss];
  return sub === actor.subject && issuers.includes(actor.issuer);
};

const actorOf = (subject: OpenedToken, actor: OpenedToken | undefined, ours: string): Actor | undefined => {
  if (actor === undefined) {
    if (subject.mayAct !== undefined)
      throw refuse('the subject_token is for a named actor, and there is no actor_token');
    return subject.act;
  }
  if (subject.mayAct !== undefined && !isNamedIn(subject.mayAct, subject, actor, ours))
    throw refuse('the subject_token is for another actor');
  if (lengthOf(subject.act) >= maxActors) throw refuse(`the subject_token has ${maxActors} actors already`);
  return { sub: actor.subject, ...(subject.act ? { act: subject.act } : {}) };
};

/** The scopes that are given: what is asked for, or all there is, within the subject token, unless the hook says more. */
const scopesOf = async (request: TokenExchangeRequest, client: object, { hooks, scopeMatch }: Exchange) => {
  const answer = await hooks?.tokenExchange?.(request);
  if (answer && 'denied' in answer) throw new errors.AccessDenied('a hook has denied the token');
  const { clientId, subject, actor, scopes } = request;
  if (answer) {
    assertScopes(recordOf(client), answer.scopes, scopeMatch);
    return answer.scopes;
  }
  for (const token of actor ? [subject, actor] : [subject])
    if (!isFor(token as OpenedToken, clientId)) throw refuse('a token was neither issued to this client nor for it');
  const held = new Set(subject.scopes);
  const beyond = scopes.find((scope) => !scopeMatch(held, scope));
  if (beyond !== undefined) throw new errors.InvalidScope('the subject_token does not have this scope', beyond);
  assertScopes(recordOf(client), scopes, scopeMatch);
  const registered = permissionsOf(recordOf(client)).scopes;
  return scopes.length > 0 ? scopes : subject.scopes.filter((scope) => scopeMatch(registered, scope));
};

const assertTarget = (client: object, audience: readonly string[]): void => {
  const registered = permissionsOf(recordOf(client)).audience;
  if (audience.some((one) => !registered.has(one)))
    throw new errors.InvalidTarget('the client is not registered for this audience');
};

const issuedType = (params: Params, client: object, exchange: Exchange): string => {
  const { requested_token_type: requested = tokenTypes.accessToken } = params;
  const form = recordOf(client).metadata.access_token_strategy ?? exchange.options.accessTokenStrategy;
  if (requested === tokenTypes.accessToken || (requested === tokenTypes.jwt && form === 'jwt')) return requested;
  throw refuse('requested_token_type is not supported for this client');
};

/** What a token is worth is what the other one was, or less: no more scope, no longer a life, and it dies with its grant. */
const answer = async (ctx: KoaContextWithOIDC, exchange: Exchange): Promise<void> => {
  const { client } = ctx.oidc;
  const params = ctx.oidc.params as Params;
  if (client === undefined || client.clientAuthMethod === 'none')
    throw refuse('only a client that authenticates may exchange tokens');
  const { clientId } = client;
  const issuedTokenType = issuedType(params, client, exchange);
  const { audience: named } = (ctx.oidc as unknown as { body?: Record<string, unknown> }).body ?? {};
  const audience = [named ?? []].flat().flatMap(spaceDelimited);
  assertTarget(client, audience);
  const subject = await open({ what: 'subject_token', params, clientId }, exchange);
  const actor =
    params.actor_token === undefined && params.actor_token_type === undefined
      ? undefined
      : await open({ what: 'actor_token', params, clientId }, exchange);
  const request = { clientId, subject, actor, scopes: spaceDelimited(params.scope), audience };
  const scopes = await scopesOf(request, client, exchange);
  currentState().act = actorOf(subject, actor, exchange.options.issuer);
  await answerDirectGrant(exchange.provider, ctx, {
    grantType: grantTypes.tokenExchange,
    subject: subject.subject,
    scopes,
    grantId: subject.grantId,
    mustBeBound: subject.isBound,
    maxSeconds: Math.max(1, Math.floor(subject.exp - exchange.now() / 1000)),
    issuedTokenType,
  });
};

/** Access tokens for other tokens (RFC 8693): of our own, or of trusted issuers. Clients need the grant type. */
export const tokenExchange: Feature = {
  name: 'tokenExchange',
  create: (deps) => ({
    grantTypes: [grantTypes.tokenExchange],
    install: (provider) => {
      const scopeMatch = scopeMatches[deps.options.scopeStrategy];
      const exchange = { ...deps, provider, openers: tokenOpeners(deps), scopeMatch };
      provider.registerGrantType(
        grantTypes.tokenExchange,
        (ctx) => answer(ctx as KoaContextWithOIDC, exchange),
        [...parameters],
        ['resource'],
      );
    },
  }),
};
