import type { z } from 'zod';
import { type AdminApiOptions, parsed, refused, requestAdmin } from './admin-request.ts';
import { redirectTarget } from './redirect-target.ts';
import * as wire from './wire.ts';

/** The content of each request. */
export interface FlowRequests {
  readonly login: wire.LoginRequest;
  readonly consent: wire.ConsentRequest;
  readonly logout: wire.LogoutRequest;
}

export type Flow = keyof FlowRequests;
/** The flows with a challenge. A device has no request to read before its code is known. */
export type Challenged = Flow | 'device';

/** A challenge that has expired or was used. `restartAt` starts the same request again. */
export type Closed =
  | { readonly state: 'expired'; readonly restartAt: string | undefined }
  | { readonly state: 'unknown' };
export type Asked<Request> = { readonly state: 'open'; readonly request: Request } | Closed;
/** `redirectTo` is under the issuer: the redirect guard has checked it. */
export type Decided = { readonly state: 'decided'; readonly redirectTo: string } | Closed;

/**
 * Gets and decides requests.
 *
 * @throws Problem `api_unavailable` if the provider does not answer, `api_refused` if it refuses this UI or its response is not
 * valid, `foreign_redirect` if the redirect URL is not under the issuer
 */
export interface FlowApi<Request, Acceptance> {
  find(challenge: string): Promise<Asked<Request>>;
  accept(challenge: string, acceptance: Acceptance): Promise<Decided>;
  reject(challenge: string, rejection: wire.Rejection): Promise<Decided>;
}

/**
 * `wrong`: no device has this code, or it has expired. `tooMany`: the limit is reached, and even a correct code is
 * refused.
 */
export type UserCodeDecided = Decided | { readonly state: 'wrong' } | { readonly state: 'tooMany' };

export interface AdminApi {
  readonly device: { accept(challenge: string, userCode: string): Promise<UserCodeDecided> };
  readonly login: FlowApi<FlowRequests['login'], wire.LoginAcceptance>;
  readonly consent: FlowApi<FlowRequests['consent'], wire.ConsentAcceptance>;
  readonly logout: Pick<FlowApi<FlowRequests['logout'], Record<string, never>>, 'find' | 'accept'> & {
    /** Rejects the logout. The session stays. */
    reject(challenge: string): Promise<void>;
  };
}

const call = (
  options: AdminApiOptions,
  flow: Challenged,
  challenge: string,
  change?: { readonly action: string; readonly body: unknown },
): Promise<Response> =>
  requestAdmin(options, {
    method: change ? 'PUT' : 'GET',
    path: `/oauth2/auth/requests/${flow}${change ? `/${change.action}` : ''}`,
    query: { [`${flow}_challenge`]: challenge },
    json: change?.body,
  });

const isClosed = (response: Response): boolean => response.status === 404 || response.status === 410;

const closed = async (issuer: URL, response: Response): Promise<Closed> => {
  const body = wire.redirect.safeParse(await response.json().catch(() => undefined));
  if (response.status === 404) return { state: 'unknown' };
  return { state: 'expired', restartAt: body.success ? redirectTarget(issuer, body.data.redirect_to) : undefined };
};

const decided = async (issuer: URL, response: Response): Promise<Decided> => {
  if (isClosed(response)) return closed(issuer, response);
  const { redirect_to } = await parsed(response, wire.redirect);
  return { state: 'decided', redirectTo: redirectTarget(issuer, redirect_to) };
};

const flowApi = <Request, Acceptance>(
  options: AdminApiOptions,
  flow: Flow,
  schema: z.ZodType<Request>,
): FlowApi<Request, Acceptance> => {
  const decide = async (challenge: string, action: string, body: unknown): Promise<Decided> =>
    decided(options.issuer, await call(options, flow, challenge, { action, body }));
  return {
    find: async (challenge) => {
      const response = await call(options, flow, challenge);
      if (isClosed(response)) return closed(options.issuer, response);
      return { state: 'open', request: await parsed(response, schema) };
    },
    accept: (challenge, acceptance) => decide(challenge, 'accept', acceptance),
    reject: (challenge, rejection) => decide(challenge, 'reject', rejection),
  };
};

const acceptUserCode =
  (options: AdminApiOptions): AdminApi['device']['accept'] =>
  async (challenge, userCode) => {
    const change = { action: 'accept', body: { user_code: userCode } };
    const response = await call(options, 'device', challenge, change);
    if (response.status === 429) return { state: 'tooMany' };
    return response.status === 400 ? { state: 'wrong' } : decided(options.issuer, response);
  };

/** A client of the provider's headless login and consent API (the same as Ory Hydra's). */
export const createAdminApi = (options: AdminApiOptions): AdminApi => {
  const logout = flowApi(options, 'logout', wire.logoutRequest);
  return {
    device: { accept: acceptUserCode(options) },
    login: flowApi(options, 'login', wire.loginRequest),
    consent: flowApi(options, 'consent', wire.consentRequest),
    logout: {
      ...logout,
      reject: async (challenge) => {
        const response = await call(options, 'logout', challenge, { action: 'reject', body: {} });
        if (!response.ok && !isClosed(response)) throw refused(response);
      },
    },
  };
};
