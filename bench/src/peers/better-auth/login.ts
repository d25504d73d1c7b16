import type { Target } from '../../targets/target.ts';
import { type Cookies, post, visit } from '../../users/browser.ts';
import { openHttpPool } from '../../users/http-pool.ts';
import { openCodeFlow } from '../code-flow.ts';
import { type PeerLogin, passwordsAtOnce, peerLogin } from '../peer.ts';
import { peerUsers, takeTurns } from '../users.ts';
import { cheapUsers } from './users.ts';

const queryOf = (url: string): string => url.slice(url.indexOf('?') + 1);

/** As the client library of a page does, each request sends the query of its page as `oauth_query`. */
const openLogins = ({ publicUrl, settings }: Target, users: typeof peerUsers): (() => Promise<unknown>) => {
  const pool = openHttpPool(publicUrl, passwordsAtOnce);
  const baseUrl = `${publicUrl}/api/auth`;
  const flow = openCodeFlow({
    baseUrl,
    authorizationPath: '/oauth2/authorize',
    tokenPath: '/oauth2/token',
    clientId: String(settings.client),
    scope: 'openid offline_access',
    connections: passwordsAtOnce,
  });
  const headers = { 'content-type': 'application/json', origin: publicUrl };
  const nextUser = takeTurns(users);
  /** @returns the URL to which the answer sends the browser */
  const send = async (cookies: Cookies, path: string, body: object): Promise<string> => {
    const answer = await post(pool, cookies, `${baseUrl}${path}`, {
      headers,
      body: JSON.stringify(body),
      expected: 200,
    });
    return (JSON.parse(answer.body) as { url: string }).url;
  };
  return async () => {
    const cookies: Cookies = new Map();
    const { url, state } = flow.begin();
    const { email, password } = nextUser();
    const loginPage = await visit(pool, cookies, url);
    const signIn = { email, password, oauth_query: queryOf(loginPage) };
    const consentPage = await send(cookies, '/sign-in/email', signIn);
    const redirect = await send(cookies, '/oauth2/consent', { accept: true, oauth_query: queryOf(consentPage) });
    return flow.redeem(redirect, state);
  };
};

const loginOf = (name: string, password: string, users: typeof peerUsers): PeerLogin =>
  peerLogin({
    name: `better-auth${name}`,
    title: 'better-auth, sign-in and consent by its API',
    password,
    connections: passwordsAtOnce,
    open: async (target) => openLogins(target, users),
  });

export const betterAuthLogins: readonly PeerLogin[] = [
  loginOf('-delivered', 'scrypt, N=16384,r=16,p=1', peerUsers),
  loginOf('-cheap-hash', 'SHA-256', cheapUsers),
];
