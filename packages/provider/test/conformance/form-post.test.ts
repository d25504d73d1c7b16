import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { listen } from '@carnet/test-servers/listen';
import { describe, expect, test } from 'vitest';
import { createBrowser } from '../browser.ts';
import { redirectUri, registerClient } from '../clients.ts';
import { authorizationUrl, redeem, reject } from '../login.ts';
import { walk } from '../walk.ts';
import { answer, answerIn, answeringBeforeTests, ask, claimsOf, halfHash } from './answers.ts';

const response_mode = 'form_post';
const types = ['code', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token'];

describe('OAuth 2.0 Form Post Response Mode', () => {
  const { instance, client } = answeringBeforeTests();

  test.each(types)('2 %s: every parameter of the answer is a field of the form', async (response_type) => {
    const { mode, status, params } = await answer(instance, client, { response_type, response_mode, state: 'a"<b>&' });
    expect([mode, status, params.state]).toEqual(['form_post', 200, 'a"<b>&']);
    for (const word of response_type.split(' ')) {
      expect(params[word === 'token' ? 'access_token' : word]).toBeTruthy();
    }
    if (params.id_token && params.code) {
      expect((await claimsOf(instance, client, params.id_token)).c_hash).toBe(halfHash(params.code));
    }
    if (params.code) expect((await redeem(instance, client, params.code)).status).toBe(200);
  });

  test('2 the page posts itself to the redirect_uri, as a form', async () => {
    const flow = await walk(instance, client, { params: { response_mode, state: '<c>' } });
    const response = await flow.browser.get(flow.consentUrl);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    const page = await response.text();
    expect(page).toContain(`<form method="post" action="${redirectUri}">`);
    expect(page).not.toContain('<c>');
    expect(page).toContain('.submit()');
    expect(page).toMatch(/<noscript>.*<button[^>]*type="submit"/s);
  });

  test.each(['form_post', 'form_post.jwt'])('2 a %s page may run its own script and nothing else', async (mode) => {
    const flow = await walk(instance, client, { params: { response_mode: mode } });
    const answered = await flow.browser.get(flow.consentUrl);
    const url = authorizationUrl(instance, client, { response_mode: mode, prompt: 'none' });
    const refused = await createBrowser().get(url);
    for (const response of [answered, refused]) {
      const script = /<script>([\s\S]*)<\/script>/.exec(await response.text())?.[1] ?? '';
      const policy = response.headers
        .get('content-security-policy')
        ?.split(';')
        .map((directive) => directive.trim());
      // Without form-action: browsers apply it to the redirects of the client as well.
      expect(policy).toEqual([
        "default-src 'none'",
        `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]);
    }
  });

  test('2 what the form sends is application/x-www-form-urlencoded and arrives whole', async () => {
    const received: { type?: string; body: string }[] = [];
    const { origin, close } = await listen(async (req, res) => {
      received.push({ type: req.headers['content-type'], body: await text(req) });
      res.end();
    });
    const uri = `${origin}/callback`;
    const app = await registerClient(instance, 'receiving', { redirect_uris: [uri] });
    const flow = await walk(instance, app, { params: { response_mode, redirect_uri: uri, state: 'ä "x"' } });
    const page = (await (await flow.browser.get(flow.consentUrl)).text()).replaceAll(uri, redirectUri);
    const { params } = await answerIn(new Response(page));
    await fetch(uri, { method: 'POST', body: new URLSearchParams(params) });
    expect(received[0]?.type).toMatch(/^application\/x-www-form-urlencoded/);
    expect(new URLSearchParams(received[0]?.body).get('state')).toBe('ä "x"');
    await close();
  });

  test('2 an error is posted as well', async () => {
    const { mode, params } = await ask(instance, client, { response_mode, prompt: 'none', state: 'mine' });
    expect(mode).toBe('form_post');
    expect(params).toMatchObject({ error: 'login_required', state: 'mine', iss: instance.issuer });
  });

  test.each(['login', 'consent'] as const)(
    '2 so is a rejection of the %s app, and nothing is issued with it',
    async (what) => {
      const flow = await walk(instance, client, { params: { response_mode, response_type: 'code token' } });
      instance.calls.reset();
      const end = await reject(instance, what, flow[`${what}Challenge`]);
      const { params } = await answerIn(await flow.browser.get(end));
      expect(Object.keys(params).toSorted()).toEqual(['error', 'iss', 'state']);
      expect(instance.calls.commits).toEqual([]);
    },
  );

  test('4 the page is not cached, not framed, and names nothing in its URL', async () => {
    const flow = await walk(instance, client, { params: { response_mode } });
    const { headers } = await flow.browser.get(flow.consentUrl);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('location')).toBeNull();
  });
});
