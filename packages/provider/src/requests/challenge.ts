import type { StorageAdapter } from '@carnet/adapter-contract';
import type { DetailTypes } from '../clients/authorization-details.ts';
import type { ClientRecord, OAuth2Client } from '../clients/client-record.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { Clock } from '../clock.ts';
import { CarnetError, GoneError } from '../errors.ts';
import type { Envelope } from '../flow/envelope.ts';
import type { FinishedFlows } from '../flow/finished-flows.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { FlowTokens } from '../flow/flow-tokens.ts';
import type { LogoutTokens } from '../flow/logout-tokens.ts';
import { type OidcContext, oidcContext } from '../flow/oidc-context.ts';
import { authorizationPath, deviceVerificationPath, issuerUrl, restartUrl, urlWith } from '../flow/urls.ts';
import type { UserCodeAlphabet } from '../flow/user-code.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { Audit } from '../telemetry/audit.ts';
import { spaceDelimited, spaceDelimitedAll } from '../text/space-delimited.ts';
import type { Refuse } from '../validation.ts';
import type { RejectRequest } from './arguments.ts';
import { decideRejection } from './decisions.ts';

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

/** The dependencies of all requests. */
export interface RequestsDependencies extends Clock {
  readonly issuer: string;
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly envelope: Envelope;
  readonly tokens: FlowTokens;
  readonly logoutTokens: LogoutTokens;
  readonly finished: FinishedFlows;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
  readonly scopeMatch: ScopeMatch;
  /** The types of `authorization_details`. Empty while the feature is disabled. */
  readonly detailTypes: DetailTypes;
  readonly device: { readonly userCode: UserCodeAlphabet; readonly userCodesPerMinute: number };
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly audit: Audit;
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

/** A page that answers challenges: it opens them, and redirects browsers with its decisions. */
export const createPage = (deps: RequestsDependencies, page: 'login' | 'consent' | 'device') => {
  const { issuer, tokens, finished, refuse } = deps;
  const verifier = `${page}_verifier` as const;
  const deviceUrl = issuerUrl(issuer, deviceVerificationPath);
  const toAuthorization = urlWith(issuerUrl(issuer, authorizationPath), verifier);
  const toDevice = urlWith(deviceUrl, verifier);

  /**
   * Opens a challenge that a browser brought to the page.
   *
   * @throws CarnetError `not_found`; GoneError with the URL at which the browser starts again
   */
  const open = async (challenge: string): Promise<FlowState> => {
    const opened = await tokens.open(`${page}_challenge`, challenge);
    if (opened.status === 'invalid') throw notFound();
    const { state } = opened;
    if (opened.status === 'open' && !finished.has(state.id)) return state;
    const start = page === 'device' ? deviceUrl.href : restartUrl(issuer, state);
    throw new GoneError(start, 'The request has expired or was used. Start again.');
  };

  const present = (challenge: string, flow: FlowState, { metadata }: ClientRecord): Omit<PageRequest, 'skip'> => ({
    challenge,
    client: metadata,
    requestedScopes: spaceDelimited(flow.params.scope),
    requestedAudience: spaceDelimitedAll([flow.params.audience, flow.params.resource]),
    oidcContext: oidcContext(flow.params),
    requestUrl: restartUrl(issuer, flow),
  });

  /** The browser takes a sealed decision to the endpoint where its flow began. */
  const redirect = ({ waiting }: FlowState, sealed: string): Redirect => ({
    redirectTo: (waiting ? toDevice : toAuthorization)(sealed),
  });

  const reject = async (challenge: string, reason?: RejectRequest): Promise<Redirect> => {
    const state = await open(challenge);
    const rejection = decideRejection(page, reason, refuse);
    return redirect(state, await tokens.seal(verifier, { ...state, rejection }));
  };

  return { open, present, redirect, reject };
};
