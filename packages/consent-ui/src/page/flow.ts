import type { Challenged, Decided, Flow, FlowApi, FlowRequests } from '../api/admin-api.ts';
import type { FormTokens } from '../csrf/form-token.ts';
import { formBody } from '../http/form-body.ts';
import { challengeOf } from './challenge.ts';
import { respondClosed } from './closed-page.tsx';
import { seeOther } from './respond.ts';

/** A challenge that waits for the person's answer, and what it asks. */
export interface Open<F extends Flow> {
  readonly challenge: string;
  readonly asked: FlowRequests[F];
}

interface Api {
  readonly api: { readonly [F in Flow]: Pick<FlowApi<FlowRequests[F], never>, 'find'> };
}

/** Answers what the challenge in the page's address asks; one that is over, with a way to begin again. */
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

/** The same for a post, which has to come from a form of this flow. */
export const withOpenForm = async <F extends Flow>(
  flow: F,
  services: Api & { readonly formTokens: Pick<FormTokens, 'check'> },
  request: Request,
  answer: (open: Open<F>, form: URLSearchParams) => Promise<Response>,
): Promise<Response> => {
  const form = await formBody(request);
  return withOpen(flow, services, request, (open) => {
    // Not before: its cookie is gone when the flow is over, and an old tab is to hear of that and not of cookies.
    services.formTokens.check(request, open.challenge, form);
    return answer(open, form);
  });
};

/** On to where the provider says; `cookie` is a Set-Cookie value. */
export const respondDecided = async (flow: Challenged, decided: Decided, cookie?: string): Promise<Response> =>
  decided.state === 'decided' ? seeOther(decided.redirectTo, cookie) : respondClosed(flow, decided);
