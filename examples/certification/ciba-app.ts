// What FAPI-CIBA needs beside Carnet: the app that asks the user, and a resource.
//   USERS_FILE=users.json node examples/certification/ciba-app.ts
// - POST /backchannel: Carnet announces a request (URLS_BACKCHANNEL_AUTHENTICATION).
// - GET /decide?action=allow|deny: answers all requests that wait. Only the suite may reach it: see README.md.
// - GET /resource: the resource of the suite, which returns x-fapi-interaction-id.
import { randomUUID, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

const {
  PORT = '3001',
  CARNET_ADMIN_URL = 'http://127.0.0.1:4445',
  CARNET_ADMIN_TOKEN,
  DECIDE_TOKEN,
  USERS_FILE = 'users.json',
} = process.env;

interface User {
  readonly subject: string;
  readonly email: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

const users = JSON.parse(readFileSync(USERS_FILE, 'utf8')) as readonly User[];
const headers: Record<string, string> = CARNET_ADMIN_TOKEN ? { authorization: `Bearer ${CARNET_ADMIN_TOKEN}` } : {};

const askAdmin = async (method: string, path: string, body?: object): Promise<Response> => {
  const response = await fetch(`${CARNET_ADMIN_URL}${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
};

interface Waiting {
  readonly user: User;
  readonly scope: readonly string[];
}

/** The requests that wait for the user, by their challenge. */
const waiting = new Map<string, Waiting>();
const pathOf = (challenge: string, step = '') =>
  `/admin/oauth2/auth/requests/backchannel${step}?backchannel_challenge=${encodeURIComponent(challenge)}`;

/** 404: the hint identifies no user. */
const announce = async (req: IncomingMessage): Promise<number> => {
  const { backchannel_challenge: challenge } = (await json(req)) as { readonly backchannel_challenge: string };
  const request = (await (await askAdmin('GET', pathOf(challenge))).json()) as {
    readonly login_hint?: string;
    readonly id_token_hint_claims?: { readonly sub?: string };
    readonly requested_scope: readonly string[];
  };
  const hints = [request.login_hint, request.id_token_hint_claims?.sub];
  const user = users.find(({ email, subject }) => hints.includes(email) || hints.includes(subject));
  if (user === undefined) return 404;
  waiting.set(challenge, { user, scope: request.requested_scope });
  return 204;
};

const decide = async (action: string | null): Promise<void> => {
  for (const [challenge, { user, scope }] of [...waiting]) {
    waiting.delete(challenge);
    if (action === 'allow') {
      const accepted = { subject: user.subject, grant_scope: scope, session: { id_token: user.claims } };
      await askAdmin('PUT', pathOf(challenge, '/accept'), accepted);
    } else await askAdmin('PUT', pathOf(challenge, '/reject'), { error_description: 'The user denied the request.' });
  }
};

/** The SHA-256 thumbprint of the certificate that the proxy forwards (RFC 8705, section 3.1). */
const thumbprintOf = (header: unknown): string | undefined => {
  if (typeof header !== 'string' || header === '') return undefined;
  const { fingerprint256 } = new X509Certificate(decodeURIComponent(header));
  return Buffer.from(fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
};

/** Whether the token is active and, if it is bound to a certificate, sent with that certificate. */
const isAuthorized = async (req: IncomingMessage): Promise<boolean> => {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(req.headers.authorization ?? '') ?? [];
  const body = new URLSearchParams({ token });
  const response = await fetch(`${CARNET_ADMIN_URL}/admin/oauth2/introspect`, { method: 'POST', headers, body });
  const { active, cnf } = (await response.json()) as {
    readonly active: boolean;
    readonly cnf?: Readonly<Record<string, string>>;
  };
  const bound = cnf?.['x5t#S256'];
  return active && (bound === undefined || bound === thumbprintOf(req.headers['x-client-certificate']));
};

const answerResource = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
  // FAPI 1.0 Baseline, section 6.2.1, 11.
  res.setHeader('x-fapi-interaction-id', req.headers['x-fapi-interaction-id'] ?? randomUUID());
  res.setHeader('content-type', 'application/json; charset=utf-8');
  const isAllowed = await isAuthorized(req);
  if (!isAllowed) res.setHeader('www-authenticate', 'Bearer error="invalid_token"');
  res.writeHead(isAllowed ? 200 : 401).end(isAllowed ? '{"accounts":[]}' : '{"error":"invalid_token"}');
};

const answer = async (req: IncomingMessage, res: ServerResponse): Promise<unknown> => {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://app');
  if (pathname === '/resource') return answerResource(req, res);
  if (pathname === '/backchannel' && req.method === 'POST') return res.writeHead(await announce(req)).end();
  if (pathname !== '/decide' || DECIDE_TOKEN === undefined || searchParams.get('token') !== DECIDE_TOKEN)
    return res.writeHead(404).end();
  await decide(searchParams.get('action'));
  return res.writeHead(204).end();
};

createServer((req, res) => {
  answer(req, res).catch((error: unknown) => {
    console.error(error);
    if (!res.headersSent) res.writeHead(500);
    res.end();
  });
}).listen(Number(PORT), '127.0.0.1', () => console.log(`The app listens on http://127.0.0.1:${PORT}`));
