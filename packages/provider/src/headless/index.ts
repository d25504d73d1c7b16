import type { DetailTypes } from '../clients/authorization-details.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import { CarnetError } from '../errors.ts';
import type { Envelope } from '../flow/envelope.ts';
import type { FinishedFlows } from '../flow/finished-flows.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { FlowTokens } from '../flow/flow-tokens.ts';
import type { LogoutTokens } from '../flow/logout-tokens.ts';
import { authorizationPath, deviceVerificationPath, issuerUrl, restartUrl, urlWith } from '../flow/urls.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/types.ts';
import { type BackchannelOptions, backchannelRoutes } from './backchannel.ts';
import { challengeOf, openChallenge, parseBody } from './challenge.ts';
import { decideConsent, decideDetails, decideLogin, decideRejection } from './decisions.ts';
import { headlessDescriptions as about } from './descriptions.ts';
import { type DeviceOptions, deviceRoutes } from './device.ts';
import { logoutRoutes } from './logout.ts';
import { askedBy, consentRequest, loginRequest } from './requests.ts';
import { acceptConsentBody, acceptLoginBody, rejectBody } from './wire.ts';

export interface HeadlessDependencies {
  /** Of `authorization_details`; none while they are off. */
  readonly detailTypes: DetailTypes;
  readonly issuer: string;
  readonly tokens: FlowTokens;
  readonly envelope: Envelope;
  readonly logoutTokens: LogoutTokens;
  readonly finished: FinishedFlows;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly scopeMatch: ScopeMatch;
  /** Absent: nobody is asked on their own device. */
  readonly backchannel: BackchannelOptions | undefined;
  /** Absent: there is no device flow. */
  readonly device: DeviceOptions | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const ok = (body: object): HttpResponse => ({ status: 200, body });
const prefix = '/admin/oauth2/auth/requests';

/** The headless login, consent and logout API: what a login app of any make asks, and answers. Nothing is stored. */
export const headlessRoutes = (deps: HeadlessDependencies): Route[] => {
  const { issuer, tokens, clients, scopeMatch } = deps;
  const endpoint = issuerUrl(issuer, authorizationPath);
  const deviceEndpoint = issuerUrl(issuer, deviceVerificationPath);
  const backTo = {
    login_verifier: urlWith(endpoint, 'login_verifier'),
    consent_verifier: urlWith(endpoint, 'consent_verifier'),
  };
  const backToDevice = {
    login_verifier: urlWith(deviceEndpoint, 'login_verifier'),
    consent_verifier: urlWith(deviceEndpoint, 'consent_verifier'),
  };
  const seconds = () => Math.floor(deps.now() / 1000);

  const clientOf = async ({ params }: FlowState): Promise<ClientRecord> => {
    const client = await clients.find(params.client_id ?? '');
    if (client === undefined) throw new CarnetError('not_found', '');
    return client;
  };

  const open = (request: HttpRequest, what: 'login' | 'consent') =>
    openChallenge(deps, `${what}_challenge`, challengeOf(request, `${what}_challenge`));

  /** Where the browser takes the decision: it stands only in this URL, and counts only in the browser that began. */
  const goOn = async (purpose: keyof typeof backTo, state: FlowState): Promise<HttpResponse> => {
    const back = state.waiting ? backToDevice : backTo;
    return ok({ redirect_to: back[purpose](await tokens.seal(purpose, state)) });
  };

  const reject = (what: 'login' | 'consent') => async (request: HttpRequest) => {
    const state = await open(request, what);
    return goOn(`${what}_verifier`, {
      ...state,
      rejection: decideRejection(what, parseBody(rejectBody, await request.json())),
    });
  };

  const getLogin = async (request: HttpRequest): Promise<HttpResponse> => {
    const state = await open(request, 'login');
    const client = await clientOf(state);
    return askedBy(client, loginRequest(issuer, challengeOf(request, 'login_challenge'), state));
  };

  const acceptLogin = async (request: HttpRequest): Promise<HttpResponse> => {
    const state = await open(request, 'login');
    const login = decideLogin(state, parseBody(acceptLoginBody, await request.json()), seconds());
    // Begun as one person and answered as another (D16): the request starts again, and the second person logs in.
    if (state.skipLogin && state.session?.subject !== login.subject) {
      return ok({ redirect_to: restartUrl(issuer, state, { prompt: 'login' }) });
    }
    return goOn('login_verifier', { ...state, login });
  };

  const getConsent = async (request: HttpRequest): Promise<HttpResponse> => {
    const state = await open(request, 'consent');
    const client = await clientOf(state);
    return askedBy(client, consentRequest(issuer, challengeOf(request, 'consent_challenge'), state));
  };

  const acceptConsent = async (request: HttpRequest): Promise<HttpResponse> => {
    const state = await open(request, 'consent');
    const body = parseBody(acceptConsentBody, await request.json());
    const client = await clientOf(state);
    const consent = {
      ...decideConsent({ client, scopeMatch }, body, seconds()),
      ...decideDetails({ client, types: deps.detailTypes }, state, body),
    };
    return goOn('consent_verifier', { ...state, consent });
  };

  return [
    { method: 'GET', path: `${prefix}/login`, description: about.getLogin, handle: getLogin },
    { method: 'PUT', path: `${prefix}/login/accept`, description: about.acceptLogin, handle: acceptLogin },
    { method: 'PUT', path: `${prefix}/login/reject`, description: about.rejectLogin, handle: reject('login') },
    { method: 'GET', path: `${prefix}/consent`, description: about.getConsent, handle: getConsent },
    { method: 'PUT', path: `${prefix}/consent/accept`, description: about.acceptConsent, handle: acceptConsent },
    { method: 'PUT', path: `${prefix}/consent/reject`, description: about.rejectConsent, handle: reject('consent') },
    ...logoutRoutes(deps),
    ...(deps.backchannel ? backchannelRoutes({ ...deps, ...deps.backchannel }) : []),
    ...(deps.device ? deviceRoutes({ ...deps, ...deps.device }) : []),
  ];
};
