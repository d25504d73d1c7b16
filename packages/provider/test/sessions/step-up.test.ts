import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { discovery } from '../call.ts';
import { askLogin, authorizationUrl, decideAll, errorAt, introspect, redeem } from '../login.ts';

const supportedAcrValues = ['urn:carnet:1fa', 'urn:carnet:2fa', 'phr'];

describe('step-up (RFC 9470) in a remembered session', () => {
  const instance = startBeforeTests({ config: { oidc: { supportedAcrValues } } });
  const client = registerBeforeTests(instance, 'bank');

  const signIn = async (browser: ReturnType<typeof createBrowser>, acr: string, params = {}) => {
    const request = await askLogin(instance, client, { browser, params });
    const login = { subject: 'alice', remember: true, ...(request.skip ? {} : { acr, amr: ['pwd'] }) };
    const end = await browser.get(await decideAll(instance, browser, String(request.challenge), { login }));
    return { skipped: request.skip, tokens: (await redeem(instance, client, locationOf(end))).body };
  };

  test('asks the user again if the session is below every supported class that the client requests', async () => {
    const browser = createBrowser();
    await signIn(browser, 'urn:carnet:1fa');
    expect((await signIn(browser, '', { acr_values: 'urn:carnet:1fa' })).skipped).toBe(true);
    expect((await signIn(browser, '', { acr_values: 'urn:elsewhere' })).skipped).toBe(true);
    const up = { acr_values: 'phr urn:carnet:2fa' };
    const raised = await signIn(browser, 'urn:carnet:2fa', up);
    expect(raised.skipped).toBe(false);
    expect(await introspect(instance, raised.tokens.access_token)).toMatchObject({ acr: 'urn:carnet:2fa' });
    expect((await signIn(browser, '', up)).skipped).toBe(true);
    expect((await signIn(browser, '', { acr_values: 'urn:carnet:1fa' })).skipped).toBe(true);
  });

  test('answers prompt=none with login_required', async () => {
    const browser = createBrowser();
    await signIn(browser, 'urn:carnet:1fa');
    const params = { acr_values: 'phr', prompt: 'none' };
    expect(await errorAt(authorizationUrl(instance, client, params), browser)).toBe('login_required');
  });

  test('the discovery document announces step-up', async () => {
    expect(await discovery(instance)).toMatchObject({ acr_values_supported: supportedAcrValues });
  });
});
