import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { authorizationUrl, begin, decideAll, headless, introspect, redeem } from '../login.ts';

const supportedAcrValues = ['urn:carnet:1fa', 'urn:carnet:2fa', 'phr'];

describe('step-up (RFC 9470) in a remembered session', () => {
  const instance = startBeforeTests({ config: { oidc: { supportedAcrValues } } });
  const client = registerBeforeTests(instance, 'bank');

  const signIn = async (browser: ReturnType<typeof createBrowser>, url: string, acr: string) => {
    const challenge = await begin(browser, url);
    const { body: request } = await headless(instance, 'GET', `login?login_challenge=${challenge}`);
    const login = { subject: 'alice', remember: true, ...(request.skip ? {} : { acr, amr: ['pwd'] }) };
    const end = await browser.get(await decideAll(instance, browser, challenge, { login }));
    const { body } = await redeem(instance, client, locationOf(end).searchParams.get('code') ?? '');
    return { skipped: request.skip, tokens: body };
  };

  test('asks the user again if the session is below every supported class that the client requests', async () => {
    const browser = createBrowser();
    await signIn(browser, authorizationUrl(instance, client), 'urn:carnet:1fa');
    const same = await signIn(browser, authorizationUrl(instance, client, { acr_values: 'urn:carnet:1fa' }), '');
    expect(same.skipped).toBe(true);
    const unknown = await signIn(browser, authorizationUrl(instance, client, { acr_values: 'urn:elsewhere' }), '');
    expect(unknown.skipped).toBe(true);
    const up = authorizationUrl(instance, client, { acr_values: 'phr urn:carnet:2fa' });
    const raised = await signIn(browser, up, 'urn:carnet:2fa');
    expect(raised.skipped).toBe(false);
    expect(await introspect(instance, raised.tokens.access_token)).toMatchObject({ acr: 'urn:carnet:2fa' });
    const after = await signIn(browser, up, '');
    expect(after.skipped).toBe(true);
    const lower = await signIn(browser, authorizationUrl(instance, client, { acr_values: 'urn:carnet:1fa' }), '');
    expect(lower.skipped).toBe(true);
  });

  test('answers prompt=none with login_required', async () => {
    const browser = createBrowser();
    await signIn(browser, authorizationUrl(instance, client), 'urn:carnet:1fa');
    const params = { acr_values: 'phr', prompt: 'none' };
    const refused = locationOf(await browser.get(authorizationUrl(instance, client, params)));
    expect(refused.searchParams.get('error')).toBe('login_required');
  });

  test('the discovery document announces step-up', async () => {
    const document = await fetch(`${instance.issuer}/.well-known/openid-configuration`);
    expect(await document.json()).toMatchObject({ acr_values_supported: supportedAcrValues });
  });
});
