import type { Challenged, Closed, Decided, Flow, FlowApi, FlowRequests } from '../api/admin-api.ts';
import { type BrandedOrganization, organizationBrand } from '../brand/organization-brand.ts';
import { formBody } from '../http/form-body.ts';
import { organizationIn } from '../organizations/requested.ts';
import { Problem } from '../problem.ts';
import type { Operation, Services } from '../services.ts';
import { challengeOf } from './challenge.ts';
import { seeOther } from './respond.ts';
import { respondNotice } from './respond-notice.tsx';
import { type View, viewOf } from './view.ts';

/** A request of a browser with an open challenge, and the request of the provider that the challenge names. */
export interface Open<F extends Flow> {
  readonly services: Services;
  readonly request: Request;
  readonly challenge: string;
  readonly asked: FlowRequests[F];
  readonly view: View;
  /** The organization of the request, or that of the login for its consent: its name, if there are organizations. */
  readonly organization: string | undefined;
}

type Finders = { readonly [F in Flow]: Pick<FlowApi<FlowRequests[F], never>, 'find'> };

/** The page for a challenge that has expired or was used, with a link to start again. */
const respondClosed = (view: View, flow: Challenged, closed: Closed): Promise<Response> => {
  if (closed.state === 'unknown') throw new Problem('invalid_link');
  const { reason, signIn, signOut } = view.text.expired;
  const { title, label, withLink, withoutLink } = flow === 'logout' ? signOut : signIn;
  const action = closed.restartAt ? { id: 'start-again', label, href: closed.restartAt } : undefined;
  const elsewhere = flow === 'device' ? signIn.withoutLinkOnDevice : withoutLink;
  return respondNotice(view, { title, text: `${reason} ${action ? withLink : elsewhere}`, action }, { status: 410 });
};

const brandedView = ({ settings }: Services, view: View, organization: BrandedOrganization): View => ({
  ...view,
  brand: organizationBrand(view.brand, organization, settings.uiUrl),
});

const respondOpen = async <F extends Flow>(
  flow: F,
  services: Services,
  request: Request,
  answer: (open: Open<F>) => Promise<Response>,
): Promise<Response> => {
  const challenge = challengeOf(request, flow);
  const apis: Finders = services.api;
  const found = await apis[flow].find(challenge);
  if (found.state !== 'open') return respondClosed(viewOf(services, request), flow, found);
  const view = viewOf(services, request, found.request);
  const opened = { services, request, challenge, asked: found.request, view };
  const name = await organizationIn(services, flow, found.request);
  if (name === undefined) return answer({ ...opened, organization: undefined });
  const organization = await services.accounts.organizations.find({
    organization: name,
    clientId: found.request.client?.client_id,
  });
  if (organization === undefined && flow === 'login')
    return rejectLogin(opened, 'invalid_request', 'The organization is unknown.');
  return answer({
    ...opened,
    view: organization ? brandedView(services, view, organization) : view,
    organization: name,
  });
};

/** Handles the open request of the challenge in the URL. For an expired or used one it shows a link to start again. */
export const withOpen =
  <F extends Flow>(flow: F, answer: (open: Open<F>) => Promise<Response>): Operation =>
  (services, request) =>
    respondOpen(flow, services, request, answer);

/** The same for a POST, which must come from a form of this flow. */
export const withOpenForm =
  <F extends Flow>(flow: F, answer: (open: Open<F>, form: URLSearchParams) => Promise<Response>): Operation =>
  async (services, request) => {
    const form = await formBody(request);
    return respondOpen(flow, services, request, (open) => {
      // Checked after the challenge: the cookie of a finished flow is gone, and an old tab must show that the flow is
      // finished.
      services.formTokens.check(request, open.challenge, form);
      return answer(open, form);
    });
  };

/** Refuses a login. The client gets the error. */
export const rejectLogin = async (
  { services, challenge, view }: Pick<Open<'login'>, 'services' | 'challenge' | 'view'>,
  error: string,
  description: string,
): Promise<Response> => {
  const rejected = await services.api.login.reject(challenge, { error, error_description: description });
  return respondDecided(view, 'login', rejected, services.formTokens.clear(challenge));
};

/** Redirects to the URL of the provider. `cookies` are Set-Cookie values. */
export const respondDecided = async (
  view: View,
  flow: Challenged,
  decided: Decided,
  ...cookies: readonly (string | undefined)[]
): Promise<Response> =>
  decided.state === 'decided' ? seeOther(decided.redirectTo, ...cookies) : respondClosed(view, flow, decided);
