import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { showError } from './error-page.tsx';
import { showHome } from './home-page.ts';
import { defaultUi } from './ui.ts';

const shown = async (query: Record<string, string>) => {
  const response = await showError({ ui: defaultUi }, new Request(`http://ui/error?${new URLSearchParams(query)}`));
  return { response, html: await response.text() };
};

describe('the error page', () => {
  it('says what happened and what was reported', async () => {
    const { response, html } = await shown({ error: 'access_denied', error_description: 'The person said no' });
    expect(response.status).toBe(400);
    expect(html).toContain('<code>access_denied</code>');
    expect(html).toContain('Access was denied.');
    expect(html).toContain('The person said no');
  });

  it('shows the id of the request, by which the operator finds it in the log', async () => {
    const { html } = await shown({ error: 'invalid_request', request_id: '0199-<b>a' });
    expect(html).toContain('<code id="request-id">0199-&lt;b&gt;a</code>');
  });

  it('leads to the application of the operator, or to the account page', async () => {
    const request = new Request('http://ui/error?error=invalid_request');
    const linkIn = async (response: Promise<Response>) =>
      / id="home" href="([^"]*)"/.exec(await (await response).text())?.[1];
    expect(await linkIn(showError({ ui: defaultUi }, request))).toBe('/account');
    const ui = { ...defaultUi, home: 'https://app.example/' };
    expect(await linkIn(showError({ ui }, request))).toBe('https://app.example/');
    expect(await linkIn(showHome({ ui: defaultUi }, new Request('http://ui/')))).toBe('/account');
  });

  it('reflects no HTML, no control characters and no flood of text', async () => {
    const { html } = await shown({
      error: '<script>alert(1)</script>',
      error_description: `<img src=x>\u0000\u202e${'a'.repeat(5000)}`,
    });
    for (const text of ['<script>alert', '<img', '\u0000', '\u202e']) expect(html).not.toContain(text);
    expect(html).not.toContain('a'.repeat(400));
  });

  it.each(['__proto__', 'constructor'])('takes %s for an error code nobody knows', async (error) => {
    const { html } = await shown({ error });
    expect(html).toContain('could not be completed');
  });

  it('has a policy that allows only the style and the script that it contains', async () => {
    const { response, html } = await shown({});
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = response.headers.get('content-security-policy') ?? '';
    const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? '';
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('form-action');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });
});
