import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { Endpoints } from '../targets/target.ts';
import { hiddenFields } from './browser.ts';
import { type Client, redirectUri } from './register-client.ts';

const codeVerifier = randomBytes(32).toString('base64url');
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');

/** The login name and the password that a user types. */
export interface Typed {
  readonly login: string;
  readonly password: string;
}

/** A browser with cookies by name, and an address of its own. */
const openBrowser = () => {
  const cookies = new Map<string, string>();
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const send = async (url: string, form?: URLSearchParams): Promise<Response> => {
    const headers = {
      'x-forwarded-for': address,
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    };
    const response = await fetch(url, { headers, redirect: 'manual', ...(form && { method: 'POST', body: form }) });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    send,
    async follow(url: string): Promise<string> {
      const response = await send(url);
      await response.arrayBuffer();
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${new URL(url).pathname} answered ${response.status}, not a redirect`);
      return new URL(location, url).href;
    },
  };
};

type Browser = ReturnType<typeof openBrowser>;

const authorizationUrl = ({ publicUrl }: Endpoints, client: Client): string =>
  `${publicUrl}/oauth2/auth?${new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid offline_access',
    redirect_uri: redirectUri,
    state: randomBytes(16).toString('base64url'),
    nonce: randomBytes(16).toString('base64url'),
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  })}`;

/** Opens the sign-in page and submits its form. */
const submit = async (browser: Browser, url: string, { login, password }: Typed): Promise<Response> => {
  const page = await (await browser.send(url)).text();
  const typed = [
    ['email', login],
    ['password', password],
    ['grant_scope', 'offline_access'],
    ['decision', 'accept'],
  ];
  const form = new URLSearchParams([...hiddenFields(page), ...typed]);
  return browser.send(url, form);
};

/** Submits the form of a page; returns the URL to which the answer redirects. @throws Error for any other answer */
const submitTo = async (browser: Browser, url: string, typed: Typed): Promise<string> => {
  const accepted = await submit(browser, url, typed);
  await accepted.arrayBuffer();
  if (accepted.status !== 303) throw new Error(`the form of ${typed.login} got ${accepted.status}`);
  return accepted.headers.get('location') ?? '';
};

/**
 * A login with a password through the sign-in pages, from the authorization request to the tokens. The user consents, unless
 * the client skips the consent page.
 *
 * @throws Error for any answer but the right one
 */
export const logInWithPassword = async (target: Endpoints, client: Client, typed: Typed): Promise<void> => {
  const browser = openBrowser();
  let url = await submitTo(browser, await browser.follow(authorizationUrl(target, client)), typed);
  while (!url.startsWith(redirectUri)) {
    const isForm = new URL(url).searchParams.has('consent_challenge');
    url = isForm ? await submitTo(browser, url, typed) : await browser.follow(url);
  }
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: new URL(url).searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    client_id: client.id,
  });
  const response = await fetch(`${target.publicUrl}/oauth2/token`, { method: 'POST', body });
  const tokens = (await response.json()) as { refresh_token?: string };
  if (tokens.refresh_token === undefined) throw new Error(`the token endpoint answered ${JSON.stringify(tokens)}`);
};

/** A wrong password through the sign-in page. @throws Error if it is not refused */
export const tryWrongPassword = async (target: Endpoints, client: Client, login: string): Promise<void> => {
  const browser = openBrowser();
  const url = await browser.follow(authorizationUrl(target, client));
  const refused = await submit(browser, url, { login, password: randomBytes(12).toString('base64url') });
  await refused.arrayBuffer();
  if (refused.status !== 401) throw new Error(`a wrong password got ${refused.status}, not 401`);
};
