import { randomUUID } from 'node:crypto';
import { CarnetError, type ClientMetadata, type OAuth2Client } from '@carnet/provider';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { PageContext } from '../../../page/route.ts';
import { clientIndexOf } from '../client-index.ts';

/**
 * A trial is a client of its own, and never the client that the operator tries: a redirect URI of the console at a client of
 * an app would send codes of the app's users here, and stay there if the trial does not end. The copy has the console as
 * its only redirect URI, is public with PKCE, so that nothing needs the secret of the client, and lives for ten minutes.
 */
const prefix = 'console-try-';
const lifetimeMs = 600_000;
const maxRemovedAtOnce = 20;

/** The values that bind the response to the trial. They are kept with the copy, so that any process can finish the trial. */
export interface Trial {
  /** The id of the copy. */
  readonly clientId: string;
  /** The id of the client that is tried. */
  readonly triedId: string;
  /** Its name, or its id if it has none. */
  readonly name: string;
  readonly algorithm: string | undefined;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface Kept extends Omit<Trial, 'clientId' | 'name' | 'algorithm'> {
  readonly operator: string;
}

export const trialRedirectUri = ({ url, link }: Pick<PageContext, 'url' | 'link'>): string =>
  `${url.origin}${link('/try/callback')}`;

const isLifespan = (name: string): boolean => name.endsWith('_lifespan');

/**
 * The members that the copy has in common with the client. A member that is not listed, such as a logout URL, would act on
 * the app, or need its keys.
 */
const copied: ReadonlySet<string> = new Set([
  ...['client_name', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'scope', 'audience', 'skip_consent'],
  ...['access_token_strategy', 'access_token_type', 'id_token_signed_response_alg', 'default_max_age'],
  ...['default_acr_values', 'require_auth_time'],
]);

const copyOf = (client: OAuth2Client): ClientMetadata =>
  Object.fromEntries(Object.entries(client).filter(([name]) => copied.has(name) || isLifespan(name)));

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && 'operator' in value && 'state' in value;

/** Removes the copies of trials that were not finished. */
const removeOld = async ({ server: { clients }, now }: PageContext): Promise<void> => {
  const index = clientIndexOf({ clients, now });
  const trials = await index.withPrefix(prefix);
  const old = trials.filter(({ updatedAt }) => Date.parse(updatedAt) + lifetimeMs < now());
  for (const { id } of old.slice(0, maxRemovedAtOnce)) {
    index.remove(id);
    await clients.delete(id).catch((error: unknown) => {
      // Another process was faster.
      if (!(error instanceof CarnetError && error.code === 'not_found')) throw error;
    });
  }
};

/** A trial that is not finished leaves no client behind. If this process ends before, the next trial removes the copy. */
const removeLater = ({ server: { clients }, now }: PageContext, clientId: string): void => {
  const remove = async (): Promise<void> => {
    await clients.delete(clientId);
    clientIndexOf({ clients, now }).remove(clientId);
  };
  // A failure is that of a finished trial, or of a store that does not answer.
  setTimeout(() => void remove().catch(() => undefined), lifetimeMs).unref();
};

/** Registers the copy. */
export const createTrial = async (context: PageContext, client: OAuth2Client): Promise<Trial> => {
  const { server, operator, now } = context;
  await removeOld(context);
  const clientId = `${prefix}${randomUUID()}`;
  const kept: Kept = {
    operator: operator.subject,
    triedId: client.client_id,
    state: `${clientId}.${randomState()}`,
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
  };
  const hasRefresh = client.grant_types.includes('refresh_token');
  const created = await server.clients.create({
    ...copyOf(client),
    client_id: clientId,
    redirect_uris: [trialRedirectUri(context)],
    grant_types: ['authorization_code', ...(hasRefresh ? ['refresh_token'] : [])],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    metadata: { console_trial: kept },
  });
  clientIndexOf({ clients: server.clients, now }).put(created);
  removeLater(context, clientId);
  return {
    clientId,
    name: client.client_name || client.client_id,
    algorithm: client.id_token_signed_response_alg,
    ...kept,
  };
};

/** The trial that a response belongs to. Undefined if there is none, it is too old, or another operator has started it. */
export const findTrial = async ({ server, operator, now }: PageContext, state: string): Promise<Trial | undefined> => {
  const clientId = state.split('.')[0] ?? '';
  if (!clientId.startsWith(prefix)) return undefined;
  const found = await server.clients.get(clientId).catch((error: unknown) => {
    if (error instanceof CarnetError && error.code === 'not_found') return undefined;
    throw error;
  });
  const kept: unknown = found?.metadata.console_trial;
  if (found === undefined || !isKept(kept)) return undefined;
  // The one step that binds the response to who began: a link of another user's trial shows nothing.
  if (kept.operator !== operator.subject || kept.state !== state) return undefined;
  if (Date.parse(found.created_at) + lifetimeMs < now()) return undefined;
  const name = found.client_name || kept.triedId;
  return { ...kept, clientId, name, algorithm: found.id_token_signed_response_alg };
};

/** Deletes the copy. Its tokens and grants are invalid from then on. */
export const endTrial = async ({ server, now }: PageContext, { clientId }: Trial): Promise<void> => {
  await server.clients.delete(clientId);
  clientIndexOf({ clients: server.clients, now }).remove(clientId);
};
