import { expect, onTestFinished } from 'vitest';
import { createBrowser } from '../packages/provider/test/browser.ts';
import { registerClient } from '../packages/provider/test/clients.ts';
import { type Instance, type StartOptions, start } from '../packages/provider/test/harness.ts';
import { login, refresh } from '../packages/provider/test/login.ts';

/** Starts a provider in an application, for the length of a test. */
export const startMounted = async (options: StartOptions): Promise<Instance> => {
  const instance = await start(options);
  onTestFinished(() => instance.stop());
  return instance;
};

/** A user logs in and the client gets tokens, twice. */
export const worksIn = async (instance: Instance): Promise<void> => {
  const client = await registerClient(instance, 'of-the-application');
  const tokens = await login(instance, client, { browser: createBrowser() });
  expect((await refresh(instance, client, tokens.refresh_token)).status).toBe(200);
};

/** The application's own route gets the body that its parser has read. */
export const leavesBodiesIn = async ({ issuer }: Instance): Promise<void> => {
  const echoed = await fetch(`${issuer}/echo?x=1`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
  expect(await echoed.json()).toEqual({ url: '/echo?x=1', body: { a: 'b' } });
};
