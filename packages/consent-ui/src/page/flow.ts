import type { Challenged, Decided, Flow, FlowApi, FlowRequests } from '../api/admin-api.ts';
import type { FormTokens } from '../csrf/form-token.ts';
import { formBody } from '../http/form-body.ts';
import { challengeOf } from './challenge.ts';
import { respondClosed } from './closed-page.tsx';
import { seeOther } from './respond.ts';

/** An open challenge and its request. */
export interface Open<F extends Flow> {
  readonly challenge: string;
  readonly asked: FlowRequests[F];
}

interface Api {
  readonly api: { readonly [F in Flow]: Pick<FlowApi<FlowRequests[F], never>, 'find'> };
}

/** Handles the open request of the challenge in the URL. For an expired or used one it shows a link to start again. */
export const withOpen = async <F extends Flow>(
  flow: F,
  { api }: Api,
  request: Request,
  answer: (open: Open<F>) => Promise<Response>,
): Promise<Response> => {
  const challenge = challengeOf(request, flow);
  const found = await api[flow].find(challenge);
  return found.state === 'open' ? answer({ challenge, asked: found.request }) : respondClosed(flow, found);
};

/** The same for a POST, which must come from a form of this flow. */
export const withOpenForm = async <F extends Flow>(
  flow: F,
  services: Api & { readonly formTokens: Pick<FormTokens, 'check'> },
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

/** Redirects to the URL of the provider. `cookie` is a Set-Cookie value. */
export const respondDecided = async (flow: Challenged, decided: Decided, cookie?: string): Promise<Response> =>
  decided.state === 'decided' ? seeOther(decided.redirectTo, cookie) : respondClosed(flow, decided);
