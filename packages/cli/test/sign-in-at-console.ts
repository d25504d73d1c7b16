import type { createBrowser } from '../../console/test/browser.ts';

/** The origin of the pages, which no server has. */
export const pages = 'http://localhost:3000';

/** Sends a request of a browser to a server. */
export const onSockets = (request: Request): Promise<Response> => fetch(request, { redirect: 'manual' });

interface Signing {
  /** The URL of the admin API of the issuer. */
  readonly api: string;
  readonly subject: string;
  readonly groups: readonly string[];
}

/** Signs in at a console by the admin API of its issuer. Returns the page of the console. */
export const signInAt = async (
  browser: ReturnType<typeof createBrowser>,
  start: string,
  { api, subject, groups }: Signing,
) => {
  const isPage = (url: URL): boolean => url.origin === pages;
  let found = await browser.follow(new URL(start), isPage);
  for (const kind of ['login', 'consent'] as const) {
    const challenge = found.url.searchParams.get(`${kind}_challenge`);
    // The consent of the console is skipped by the pages, which still accept it.
    if (challenge === null) continue;
    const query = `?${kind}_challenge=${encodeURIComponent(challenge)}`;
    const path = `${api}/admin/oauth2/auth/requests/${kind}`;
    const request = (await (await fetch(`${path}${query}`)).json()) as { requested_scope: string[] };
    const body = {
      login: { subject },
      consent: { grant_scope: request.requested_scope, session: { id_token: { groups, name: subject } } },
    }[kind];
    const answer = await fetch(`${path}/accept${query}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { redirect_to: next } = (await answer.json()) as { redirect_to: string };
    found = await browser.follow(new URL(next), isPage);
  }
  return { status: found.response.status, url: found.url.href, html: await found.response.text() };
};
