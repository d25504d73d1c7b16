import type { Challenged, Decided, Flow, FlowApi, FlowRequests } from '../api/admin-api.ts';
import type { FormTokens } from '../csrf/form-token.ts';
import { formBody } from '../http/form-body.ts';
import { challengeOf } from './challenge.ts';
import { respondClosed } from './closed-page.tsx';
import { seeOther } from './respond.ts';
import type { Ui } from './ui.ts';
import { type View, viewOf } from './view.ts';

/** An open challenge and its request. */
export interface Open<F extends Flow> {
  readonly challenge: string;
  readonly asked: FlowRequests[F];
  readonly view: View;
}

interface Dependencies {
  readonly ui: Ui;
  readonly api: { readonly [F in Flow]: Pick<FlowApi<FlowRequests[F], never>, 'find'> };
}

/** Handles the open request of the challenge in the URL. For an expired or used one it shows a link to start again. */
export const withOpen = async <F extends Flow>(
  flow: F,
  services: Dependencies,
  request: Request,
  answer: (open: Open<F>) => Promise<Response>,
): Promise<Response> => {
  const challenge = challengeOf(request, flow);
  const found = await services.api[flow].find(challenge);
  if (found.state !== 'open') return respondClosed(viewOf(services, request), flow, found);
  return answer({ challenge, asked: found.request, view: viewOf(services, request, found.request) });
};

/** The same for a POST, which must come from a form of this flow. */
export const withOpenForm = async <F extends Flow>(
  flow: F,
  services: Dependencies & { readonly formTokens: Pick<FormTokens, 'check'> },
  request: Request,
  answer: (open: Open<F>, form: URLSearchParams) => Promise<Response>,
): Promise<Response> => {
  const form = await formBody(request);
  return withOpen(flow, services, request, (open) => {
    // Checked after the challenge: the cookie of a finished flow is gone, and an old tab must show that the flow is
    // finished.
    services.formTokens.check(request, open.challenge, form);
    return answer(open, form);
  });
};

/** Redirects to the URL of the provider. `cookies` are Set-Cookie values. */
export const respondDecided = async (
  view: View,
  flow: Challenged,
  decided: Decided,
  ...cookies: readonly (string | undefined)[]
): Promise<Response> =>
  decided.state === 'decided' ? seeOther(decided.redirectTo, ...cookies) : respondClosed(view, flow, decided);
