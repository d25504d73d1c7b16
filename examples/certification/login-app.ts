import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoginApp {
  readonly origin: string;
  close(): void;
}

/** What the person is, whoever asks. */
export const person = { subject: 'alice', claims: { name: 'Alice', email: 'alice@app.test' } };

/** A login app that says yes: it asks what is wanted, and grants all of it to the same person each time. */
export const startLoginApp = async (adminApi: string): Promise<LoginApp> => {
  const decide = async (what: 'login' | 'consent', challenge: string): Promise<string> => {
    const url = `${adminApi}/admin/oauth2/auth/requests/${what}`;
    const query = `${what}_challenge=${encodeURIComponent(challenge)}`;
    const request = (await (await fetch(`${url}?${query}`)).json()) as { readonly requested_scope: string[] };
    const body =
      what === 'login'
        ? { subject: person.subject }
        : { grant_scope: request.requested_scope, session: { id_token: person.claims } };
    const accepted = await fetch(`${url}/accept?${query}`, { method: 'PUT', body: JSON.stringify(body) });
    return ((await accepted.json()) as { readonly redirect_to: string }).redirect_to;
  };

  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://login');
    const what = pathname === '/login' ? 'login' : 'consent';
    const location = await decide(what, searchParams.get(`${what}_challenge`) ?? '');
    res.writeHead(303, { location }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
};
