import { grantTypes } from '../clients/grant-types.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { decisionRecord } from '../flow/polled-requests.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import type { CommitVisit } from './commit.ts';
import { conclude } from './completion.ts';
import { errorPageUrl, pages } from './pages.ts';
import type { Ending, FlowDependencies } from './step.ts';

/** Flows that begin with a user code and end with a decision, for which the device polls (RFC 8628, section 3.3). */
export const createDeviceEnding = (deps: FlowDependencies, commit: CommitVisit): Ending => {
  const { clients, envelope } = deps;
  const { error: errorPage, device } = deps.options.urls;

  const pageAfter = ({ params, rejection }: FlowState): HttpResponse => {
    if (rejection) {
      const { description } = rejection;
      if (errorPage === undefined) return pages.deviceRefused();
      return redirect(302, errorPageUrl(errorPage, { error: 'access_denied', description }));
    }
    if (device.success === undefined) return pages.deviceLetIn();
    const url = new URL(device.success);
    url.searchParams.set('client_id', params.client_id ?? '');
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
      // The claim accepts only the first flow that decides this device, in any number of browsers.
      const answer = { type: 'claim', record: decisionRecord(envelope, { ...flow, waiting }) } as const;
      const ended = await conclude(flow, browser, deps, answer);
      return commit({ flow, browser, isUnderWay: false, ended }, pageAfter(flow));
    },
  };
};
