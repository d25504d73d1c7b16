import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { askLogin, authorizationUrl } from '../login.ts';
import { answer, answerIn } from './answers.ts';

const hourMs = 3_600_000;

/** Requests that say how old a login may be. */
describe('OpenID Connect Core 1.0', () => {
  const browser = createBrowser();
  const instance = startBeforeTests({ now: () => Date.now() });
  const client = registerBeforeTests(instance, 'client');

  beforeAll(async () => {
    await answer(instance, client, {}, { browser, login: { remember: true }, consent: { remember: true } });
    // An hour later, by every clock.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hourMs });
  });
  afterAll(async () => {
    vi.useRealTimers();
  });

  const isSkipped = async (max_age: string) =>
    (await askLogin(instance, client, { browser, params: { max_age } })).skip;

  test('3.1.2.1 a login that is older than max_age is asked for again, a younger one is not', async () => {
    expect(await isSkipped('3000')).toBe(false);
    expect(await isSkipped('4000')).toBe(true);
  });

  test('3.1.2.1 with prompt=none it is login_required', async () => {
    const url = authorizationUrl(instance, client, { max_age: '3000', prompt: 'none' });
    expect((await answerIn(await browser.get(url))).params.error).toBe('login_required');
  });
});
