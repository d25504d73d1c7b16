//@if own
import { adminPort } from './settings.ts';

// Reads and decides the login and consent requests for which Carnet redirects browsers to this program, by the admin API.

interface Redirect {
  readonly redirectTo: string;
}

interface PageRequest {
  readonly client: {
    readonly client_id: string;
    readonly client_name: string;
    readonly redirect_uris?: readonly string[];
  };
  readonly requestedScopes: readonly string[];
  readonly requestedAudience: readonly string[];
  readonly skip: boolean;
  readonly subject: string;
  /** The authorization request as a URL. */
  readonly requestUrl: string;
}

interface Rejection {
  readonly error: string;
}

interface Consent {
  readonly grantScopes: readonly string[];
  readonly grantAudience: readonly string[];
  readonly claims: { readonly idToken: object };
  readonly remember: boolean;
}

/** The challenge is not valid. With `redirectTo`: it has expired or was used, and the flow can begin again there. */
class RequestError extends Error {
  readonly status: number;
  readonly redirectTo: string | undefined;

  constructor(path: string, status: number, redirectTo: string | undefined) {
    super(`The admin API answered ${path} with ${status}.`);
    this.status = status;
    this.redirectTo = redirectTo;
  }
}

const call = async (kind: 'login' | 'consent', action: string, challenge: string, body?: object) => {
  const path = `/admin/oauth2/auth/requests/${kind}${action}`;
  const query = new URLSearchParams({ [`${kind}_challenge`]: challenge });
  const response = await fetch(`http://127.0.0.1:${adminPort}${path}?${query}`, {
    method: body ? 'PUT' : 'GET',
    headers: { authorization: `Bearer ${process.env.ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new RequestError(path, response.status, answer.redirect_to);
  return answer;
};

const get = async (kind: 'login' | 'consent', challenge: string): Promise<PageRequest> => {
  const answer = await call(kind, '', challenge);
  return {
    client: answer.client,
    requestedScopes: answer.requested_scope,
    requestedAudience: answer.requested_access_token_audience,
    skip: answer.skip,
    subject: answer.subject,
    requestUrl: answer.request_url,
  };
};

const decide = async (
  kind: 'login' | 'consent',
  action: string,
  challenge: string,
  body: object,
): Promise<Redirect> => ({
  redirectTo: (await call(kind, action, challenge, body)).redirect_to,
});

export const login = {
  get: (challenge: string) => get('login', challenge),
  accept: (challenge: string, { subject, remember }: { readonly subject: string; readonly remember?: boolean }) =>
    decide('login', '/accept', challenge, { subject, remember }),
};

export const consent = {
  get: (challenge: string) => get('consent', challenge),
  accept: (challenge: string, { grantScopes, grantAudience, claims, remember }: Consent) =>
    decide('consent', '/accept', challenge, {
      grant_scope: grantScopes,
      grant_access_token_audience: grantAudience,
      session: { id_token: claims.idToken },
      remember,
    }),
  reject: (challenge: string, rejection: Rejection) => decide('consent', '/reject', challenge, rejection),
};
//@end
