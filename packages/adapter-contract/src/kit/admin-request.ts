/** A running server, as a client of its admin API sees it. */
export interface AdminServer {
  /** Without `/admin`. */
  readonly url: URL;
  readonly token?: string | undefined;
  /** Sent with each request, for a proxy. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs: number;
}

export interface AdminRequest {
  readonly method: string;
  /** Below `/admin`, such as `/clients`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Sends one request to the admin API and returns its response, whatever its status.
 *
 * @throws the error of `fetch` if there is no response in time
 */
export const requestAdmin = (
  { url, token, headers: given, timeoutMs }: AdminServer,
  { method, path, query = {}, json, form, headers: own }: AdminRequest,
): Promise<Response> => {
  const target = new URL(`${url.href.replace(/\/+$/, '')}/admin${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) target.searchParams.set(name, value);
  const headers = new Headers({ accept: 'application/json', ...given, ...own });
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (json !== undefined) headers.set('content-type', 'application/json');
  return fetch(target, {
    method,
    headers,
    body: form === undefined ? JSON.stringify(json) : new URLSearchParams(form),
    // The token and a password must not follow a redirect to another host.
    redirect: 'error',
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
  });
};
