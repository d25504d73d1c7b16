import type { ClientRecord } from '../clients/client-record.ts';
import { grantTypes } from '../clients/grant-types.ts';
import { type ScopeStrategy, scopeMatches } from '../clients/scope-match.ts';
import type { Envelope } from '../flow/envelope.ts';
import { type DecidedFlow, type FlowState, isDecided } from '../flow/flow-state.ts';
import { decisionRecord } from '../flow/polled-requests.ts';
import { grantPayload } from '../grants/grant-record.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import { effectiveGrant } from '../tokens/grant-details.ts';
import { authorizationResponse, errorResponse } from './authorization-response.ts';
import type { CommitVisit } from './commit.ts';
import { type CompletionDependencies, conclude } from './completion.ts';
import { pages } from './pages.ts';
import { noScopeGranted } from './policy.ts';
import { sealCode } from './seal-code.ts';
import type { Ending } from './step.ts';

export interface CodeEndingDependencies extends CompletionDependencies, Pick<Ending, 'receiverOf'> {
  readonly options: CompletionDependencies['options'] & {
    readonly issuer: string;
    readonly scopeStrategy: ScopeStrategy;
    readonly ttl: { readonly authCode: number };
    readonly features: { readonly fapi: { readonly enabled: boolean } };
  };
  readonly envelope: Envelope;
  readonly commit: CommitVisit;
}

/** Flows of the authorization endpoint that end with a code for the client, or with an error. */
export const createCodeEnding = (deps: CodeEndingDependencies): Ending => {
  const { options, commit } = deps;
  const matches = scopeMatches[options.scopeStrategy];

  /** Whether the client is still registered for any of the granted scopes. */
  const isEffective = (flow: DecidedFlow, client: ClientRecord): boolean => {
    const grant = effectiveGrant(grantPayload(flow), client, matches);
    return grant !== undefined && (grant.scope !== '' || flow.params.authorization_details !== undefined);
  };

  return {
    isPolled: false,
    receiverOf: deps.receiverOf,
    async finish(flow, client, browser) {
      if (flow.rejection || !isDecided(flow) || !isEffective(flow, client)) {
        const { rejection = noScopeGranted } = flow;
        const afterCommit = await conclude({ ...flow, rejection }, browser, { succeeded: false }, deps);
        const response = errorResponse(flow.params, rejection, options.issuer);
        return commit(browser, response, { flow, isUnderWay: false, afterCommit });
      }
      const { value: code, record } = sealCode(flow, deps);
      if (record) browser.uow.write({ type: 'put', record });
      const afterCommit = await conclude(flow, browser, { succeeded: true }, deps);
      // FAPI 2.0 has no such parameter: there only the token response has `scope`.
      const scope = options.features.fapi.enabled ? undefined : flow.consent.scopes.join(' ');
      const { state } = flow.params;
      const response = authorizationResponse(flow.params, { code, state, iss: options.issuer, scope });
      return commit(browser, response, { flow, isUnderWay: false, afterCommit });
    },
  };
};

export interface DeviceEndingDependencies extends CompletionDependencies {
  readonly options: CompletionDependencies['options'] & {
    readonly urls: { readonly error?: string; readonly device: { readonly success?: string } };
  };
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly envelope: Envelope;
  readonly commit: CommitVisit;
}

/** Flows that begin with a user code and end with a decision, for which the device polls (RFC 8628, section 3.3). */
export const createDeviceEnding = (deps: DeviceEndingDependencies): Ending => {
  const { clients, envelope, commit } = deps;
  const { urls } = deps.options;

  const pageAfter = ({ params, rejection }: FlowState): HttpResponse => {
    const page = rejection ? urls.error : urls.device.success;
    if (page === undefined) return rejection ? pages.deviceRefused() : pages.deviceLetIn();
    const url = new URL(page);
    if (rejection) url.searchParams.set('error', 'access_denied');
    if (rejection?.description) url.searchParams.set('error_description', rejection.description);
    if (!rejection) url.searchParams.set('client_id', params.client_id ?? '');
    return redirect(302, url.href);
  };

  return {
    isPolled: true,
    async receiverOf({ client_id: id = '' }) {
      const client = await clients.find(id);
      return client?.metadata.grant_types.includes(grantTypes.deviceCode) ? client : undefined;
    },
    async finish(flow, _client, browser) {
      const { waiting } = flow;
      if (waiting === undefined) return pages.invalidLink();
      const succeeded = flow.rejection === undefined && isDecided(flow);
      // The claim accepts only the first flow that decides this device, in any number of browsers.
      const answer = { type: 'claim', record: decisionRecord(envelope, { ...flow, waiting }) } as const;
      const afterCommit = await conclude(flow, browser, { succeeded, answer }, deps);
      return commit(browser, pageAfter(flow), { flow, isUnderWay: false, afterCommit });
    },
  };
};
