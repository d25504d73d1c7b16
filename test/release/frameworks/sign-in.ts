import { findFreePort } from '@carnet/test-servers';
import { expect } from 'vitest';
import { type RunOptions, runIn, writeFiles } from '../user/folder.ts';
import { type Program, startIn } from '../user/program.ts';
import { createBrowser } from './browser.ts';
import type { QuickStart } from './quick-start.ts';
import { openRelyingParty, redirectUri } from './relying-party.ts';

const user = { email: 'demo@example.com', password: 'carnet-demo' };

const run = async (
  folder: string,
  { files, commands }: QuickStart,
  { node, env: more, port }: RunOptions & { readonly port: number },
): Promise<Program> => {
  writeFiles(folder, files);
  const [serve = [], ...before] = commands.toReversed();
  for (const [command = '', ...args] of before.toReversed()) await runIn(folder, command, args, { node, env: more });
  const env = { ...more, PORT: String(port), NEXT_TELEMETRY_DISABLED: '1' };
  const [command = '', ...args] = serve;
  return startIn(folder, command, args, { node, env, ready: /Sign in: (\S+)\n|Ready in/ });
};

/** A whole sign-in: a wrong password first, then the right one, and the decision at the consent page. */
const signIn = async (issuer: string, button: 'Allow' | 'Deny') => {
  const { url, finish } = await (await openRelyingParty(issuer)).begin();
  const browser = createBrowser(redirectUri);
  const login = await browser.open(url);
  expect(login.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  const again = await browser.submit(login, { ...user, password: 'wrong' }, 'Sign in');
  expect(again.text).toContain('Sign in');
  const consent = await browser.submit(again, user, 'Sign in');
  expect(consent.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(consent.text.replaceAll('<!-- -->', '')).toContain('Allow shop to use: openid, email?');
  const end = await browser.submit(consent, {}, button);
  expect(end.url).toMatch(redirectUri);
  return { login, finish: () => finish(end.url), browser };
};

/** Runs the program of a quick start in a folder with its packages, and signs a user in through it. */
export const testSignIn = async (folder: string, start: QuickStart, options?: RunOptions): Promise<void> => {
  const port = await findFreePort();
  const program = await run(folder, start, { ...options, port });
  const origin = `http://localhost:${port}`;
  try {
    const url = start.url?.replace(/^http:..[^/]+/, origin) ?? program.ready[1];
    expect((await createBrowser(redirectUri).open(String(url))).text).toContain('<h1>Sign in</h1>');
    const { login, finish, browser } = await signIn(origin, 'Allow');
    expect(await finish()).toMatchObject({
      idToken: { iss: origin, sub: 'user-1', aud: 'shop', email: user.email },
      userinfo: { sub: 'user-1', email: user.email },
    });
    // The Back button: the challenge was used, so the flow starts again.
    const restarted = await browser.submit(login, user, 'Sign in');
    expect(restarted.text).toContain('Sign in');
    expect(restarted.url).not.toBe(login.url);
    await expect((await signIn(origin, 'Deny')).finish()).rejects.toMatchObject({ error: 'access_denied' });
    expect((await fetch(`${origin}/nothing`)).status).toBe(404);
  } catch (error) {
    throw new Error(`${String(error)}\n${program.output()}`, { cause: error });
  } finally {
    await program.stop();
  }
};
