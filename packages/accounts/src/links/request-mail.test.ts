import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { requestMail } from './request-mail.ts';

const request = { login: 'ada', linkBase: 'https://login.example.com/' };
const link = { withToken: () => '', returnTo: undefined };
const attempt = { retryAfterSeconds: undefined, giveBack: async () => {} };
const dependencies = {
  requests: { begin: async () => attempt },
  allowedLinks: { of: () => link },
  directories: { lookupKey: (login: string) => login },
};

it('answers a quick lookup, such as one in a cache, as late as a slow one', async () => {
  const events: string[] = [];
  const ask = (name: string, lookupMs: number) =>
    requestMail(dependencies, request, () => setTimeout(lookupMs)).then(() => events.push(name));
  const mark = (ms: number) => setTimeout(ms).then(() => events.push(`${ms} ms`));
  // Timers fire in the order of their ends, on a busy machine, too.
  await Promise.all([mark(240), ask('a quick lookup', 0), ask('a slow lookup', 100), mark(300)]);
  expect(events).toEqual(['240 ms', 'a quick lookup', 'a slow lookup', '300 ms']);
});

it('reports a failure of the lookup', async () => {
  const failing = requestMail(dependencies, request, () => Promise.reject(new Error('an outage')));
  await expect(failing).rejects.toThrow('an outage');
});
