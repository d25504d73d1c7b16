import { expect, it } from 'vitest';
import { requestMail } from './request-mail.ts';

const request = { login: 'ada', link_base: 'https://login.example.com/' };
const link = { withToken: () => '', returnTo: undefined };
const attempt = { retryAfterSeconds: undefined, giveBack: async () => {} };
const dependencies = {
  requests: { begin: async () => attempt },
  allowedLinks: { of: () => link },
  directories: { lookupKey: (login: string) => login },
};

it('answers a quick lookup, such as one in a cache, as late as a slow one', async () => {
  const durationOf = async (lookupMs: number): Promise<number> => {
    const begin = performance.now();
    await requestMail(dependencies, request, () => new Promise((resolve) => setTimeout(resolve, lookupMs)));
    return performance.now() - begin;
  };
  const [quick, slow] = await Promise.all([durationOf(0), durationOf(100)]);
  expect(quick).toBeGreaterThanOrEqual(245);
  expect(Math.abs(slow - quick)).toBeLessThan(50);
});

it('reports a failure of the lookup', async () => {
  const failing = requestMail(dependencies, request, () => Promise.reject(new Error('an outage')));
  await expect(failing).rejects.toThrow('an outage');
});
