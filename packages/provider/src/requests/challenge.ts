import type { ClientRecord, OAuth2Client } from '../clients/client-record.ts';
import { CarnetError, GoneError } from '../errors.ts';
import type { FinishedFlows } from '../flow/finished-flows.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { FlowTokens } from '../flow/flow-tokens.ts';
import { type OidcContext, oidcContext } from '../flow/oidc-context.ts';
import { authorizationPath, deviceVerificationPath, issuerUrl, restartUrl, urlWith } from '../flow/urls.ts';
import { spaceDelimited, spaceDelimitedAll } from '../text/space-delimited.ts';
import type { Refuse } from '../validation.ts';

/** The requests for login and consent pages. */
export interface PageRequest {
  readonly challenge: string;
  readonly client: OAuth2Client;
  readonly requestedScopes: readonly string[];
  /** The `audience` and `resource` parameters of the client. */
  readonly requestedAudience: readonly string[];
  /** Whether to accept without a page: a remembered login or consent covers the request. */
  readonly skip: boolean;
  readonly oidcContext: OidcContext;
  /** The authorization request as a URL: a browser that opens it starts again. */
  readonly requestUrl: string;
}

/** The decision travels in this URL alone, and is valid only in the browser that began the flow. */
export interface Redirect {
  /** Redirect the browser to this URL. */
  readonly redirectTo: string;
}

export interface ChallengeDependencies {
  readonly issuer: string;
  readonly tokens: FlowTokens;
  readonly finished: FinishedFlows;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly refuse: Refuse;
}

/** The error for every challenge that is not valid. It has no reason, which would only help an attacker. */
export const notFound = (): CarnetError => new CarnetError('not_found', '');

export const clientIdOf = ({ params }: FlowState): string => params.client_id ?? '';

/** @throws CarnetError `not_found` when the client is deleted */
export const existing = (client: ClientRecord | undefined): ClientRecord => {
  if (client === undefined) throw notFound();
  return client;
};

/**
 * Opens a challenge that a browser brought to a page.
 *
 * @throws CarnetError `not_found`; GoneError with the URL at which the browser starts again
 */
export const openChallenge = async (
  { issuer, tokens, finished }: Pick<ChallengeDependencies, 'issuer' | 'tokens' | 'finished'>,
  page: 'login' | 'consent' | 'device',
  challenge: string,
): Promise<FlowState> => {
  const opened = await tokens.open(`${page}_challenge`, challenge);
  if (opened.status === 'invalid') throw notFound();
  const { state } = opened;
  if (opened.status === 'open' && !finished.has(state.id)) return state;
  const start = page === 'device' ? issuerUrl(issuer, deviceVerificationPath).href : restartUrl(issuer, state);
  throw new GoneError(start, 'The request has expired or was used. Start again.');
};

export const pageRequest = (
  issuer: string,
  challenge: string,
  flow: FlowState,
  { metadata }: ClientRecord,
): Omit<PageRequest, 'skip'> => ({
  challenge,
  client: metadata,
  requestedScopes: spaceDelimited(flow.params.scope),
  requestedAudience: spaceDelimitedAll([flow.params.audience, flow.params.resource]),
  oidcContext: oidcContext(flow.params),
  requestUrl: restartUrl(issuer, flow),
});

/** Where the browser takes a sealed decision: to the endpoint where its flow began. */
export const createRedirects = (issuer: string, verifier: 'login_verifier' | 'consent_verifier') => {
  const toAuthorization = urlWith(issuerUrl(issuer, authorizationPath), verifier);
  const toDevice = urlWith(issuerUrl(issuer, deviceVerificationPath), verifier);
  return ({ waiting }: FlowState, sealed: string): Redirect => ({
    redirectTo: (waiting ? toDevice : toAuthorization)(sealed),
  });
};
