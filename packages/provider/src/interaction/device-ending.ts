import type { ClientRecord } from '../clients/client-record.ts';
import { grantTypes } from '../clients/grant-types.ts';
import type { Envelope } from '../flow/envelope.ts';
import { type FlowState, isDecided } from '../flow/flow-state.ts';
import { decisionRecord } from '../flow/polled-requests.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import type { CommitVisit } from './commit.ts';
import { type CompletionDependencies, conclude } from './completion.ts';
import { pages } from './pages.ts';
import type { Ending } from './step.ts';

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
