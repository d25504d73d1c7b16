import { beforeEach, describe, expect, it } from 'vitest';
import { partOfServices, postForm } from '../../test/services.ts';
import type { ConsentRequest } from '../api/wire.ts';
import type { Services } from '../services.ts';
import { showConsent, submitConsent } from './consent.tsx';
import { grantedClaims, requestedClaims } from './granted-claims.ts';

const url = 'http://127.0.0.1:3000/consent?consent_challenge=c1';
const claims = { name: 'Ann', email: 'ann@example.com', email_verified: true, password_hint: 'cat' };

let asked: ConsentRequest;
let decisions: unknown[];
let services: Services;

beforeEach(() => {
  asked = {
    skip: false,
    subject: 'u1',
    client: { client_id: 'shop', client_name: 'Shop' },
    requested_scope: ['openid', 'offline_access', 'email'],
    requested_access_token_audience: ['https://api.example.com'],
  };
  decisions = [];
  const decide = async (_challenge: string, body: unknown) => {
    decisions.push(body);
    return { state: 'decided', redirectTo: 'http://127.0.0.1:4444/oauth2/auth?consent_verifier=v' } as const;
  };
  const consent = {
    find: async () => ({ state: 'open', request: asked }) as const,
    accept: decide,
    reject: decide,
  } satisfies Services['api']['consent'];
  const accounts = {
    settings: async () => ({ scopes: { groups: ['groups'], roles: ['roles'] } }),
    account: { show: async ({ subject }: { subject: string }) => ({ claims: subject === 'u1' ? claims : {} }) },
  } as unknown as Services['accounts'];
  services = partOfServices({ api: { consent } as unknown as Services['api'], accounts });
});

const post = (fields: [string, string][]) => postForm(services, submitConsent, url, fields);

const page = async () => (await showConsent(services, new Request(url))).text();

describe('the claim organization', () => {
  const grant = async (organizations: boolean, context?: object) => {
    asked = { ...asked, requested_scope: ['openid', 'organization'], context };
    const settings = async () => ({ organizations, scopes: { organization: ['organization'] } });
    const show = async () => ({ claims: { organization: 'of the directory' } });
    const find = async () => undefined;
    const accounts = { settings, account: { show }, organizations: { find } } as unknown as Services['accounts'];
    services = { ...services, accounts };
    await post([
      ['decision', 'accept'],
      ['grant_scope', 'organization'],
    ]);
    return (decisions.at(-1) as { session: object }).session;
  };

  it('the organization is that of the login, in ID tokens and access tokens, whatever the directory says', async () => {
    const acme = { organization: 'acme' };
    expect(await grant(true, acme)).toEqual({ id_token: acme, access_token: acme });
    expect(await grant(true)).toEqual({ id_token: {} });
    const own = { organization: 'of the directory' };
    expect(await grant(false, acme)).toEqual({ id_token: own, access_token: own });
  });
});

describe('the consent page', () => {
  it('says who asks, who is asked, and offers every scope', async () => {
    const html = await page();
    for (const text of ['Shop', 'Ann', 'ann@example.com']) expect(html).toContain(text);
    for (const id of ['openid', 'offline_access', 'email', 'remember', 'accept', 'reject'])
      expect(html).toContain(`id="${id}"`);
    for (const scope of ['offline_access', 'email'])
      expect(html).toMatch(new RegExp(`<input[^>]*checked=""[^>]*value="${scope}"`));
  });

  it('shows no names of scopes that have a text, and nothing that looks disabled', async () => {
    asked = { ...asked, requested_scope: ['openid', 'offline_access', 'email', 'orders'] };
    const html = await page();
    expect(html).not.toMatch(/>(?:openid|offline_access|email)</);
    expect(html).toContain('>orders<');
    expect(html).not.toContain('disabled');
  });

  it.each([
    ['https://cdn.example/shop.png?size=2', 'https://cdn.example'],
    ['http://127.0.0.1:5555/logo.svg', 'http://127.0.0.1:5555'],
  ])('shows the logo %s of the client, from its host only', async (logo_uri, host) => {
    asked = { ...asked, client: { client_id: 'shop', logo_uri } };
    const response = await showConsent(services, new Request(url));
    expect(response.headers.get('content-security-policy')).toContain(`img-src 'self' ${host};`);
    const picture = `<img class="client-logo" src="${logo_uri}" alt="" referrerPolicy="no-referrer"/>`;
    expect(await response.text()).toContain(picture);
  });

  it.each([
    'http://cdn.example/shop.png',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'https:',
    '',
    'https://a;sandbox/',
    'https://a,b/',
    'https://*/x',
    'https://*.example/x',
    "https://'unsafe-inline'/",
    'blob:https://cdn.example/1',
  ])('shows no logo at %j', async (logo_uri) => {
    asked = { ...asked, client: { client_id: 'shop', logo_uri } };
    const response = await showConsent(services, new Request(url));
    expect(response.headers.get('content-security-policy')).toContain("img-src 'self';");
    expect(await response.text()).not.toContain('client-logo"');
  });

  it('shows no http logo of this machine on pages that are served elsewhere', async () => {
    services = { ...services, settings: { ...services.settings, uiUrl: new URL('https://login.example') } };
    asked = { ...asked, client: { client_id: 'shop', logo_uri: 'http://127.0.0.1:5555/logo.svg' } };
    const response = await showConsent(services, new Request(url));
    expect(response.headers.get('content-security-policy')).toContain("img-src 'self';");
  });

  it('shows no logo where the operator turned them off', async () => {
    services = { ...services, ui: { ...services.ui, clientLogos: false } };
    asked = { ...asked, client: { client_id: 'shop', logo_uri: 'https://cdn.example/shop.png' } };
    expect(await page()).not.toContain('cdn.example');
  });

  it('leaves the scopes to be ticked if it is set up so', async () => {
    services = { ...services, settings: { ...services.settings, consentTicked: false } };
    expect(await page()).not.toMatch(/checked=""|disabled=""/);
  });

  it('shows the subject of a person whom the directory does not know', async () => {
    asked = { ...asked, subject: 'somebody-else' };
    expect(await page()).toContain('somebody-else');
  });

  it('shows where the browser returns to, and no host of a document for a client without one', async () => {
    asked = { ...asked, request_url: 'https://id.example/oauth2/auth?redirect_uri=https%3A%2F%2Fshop.example%2Fcb' };
    const html = await page();
    expect(html).toContain('<strong dir="auto">shop.example</strong>');
    expect(html).not.toContain('Published by');
  });

  it('shows the host of the metadata document of a client, whatever name the document gives it', async () => {
    const client = { client_id: 'https://evil.example:8443/claude.ai/client.json', client_name: 'Claude' };
    asked = { ...asked, client, request_url: 'https://id.example/oauth2/auth?redirect_uri=com.app%3A%2Fcb' };
    const html = await page();
    expect(html).toContain('<strong dir="auto">evil.example:8443</strong>');
    expect(html).toContain('an app on this device');
    expect(html).not.toContain('local-caution');
  });

  it.each(['http://127.0.0.1:1234/cb', 'http://localhost/cb', 'http://[::1]:9/cb'])(
    'warns of a client with a document that is answered at %s',
    async (redirect) => {
      const client = { client_id: 'https://app.example/client.json', client_name: 'App' };
      const query = new URLSearchParams({ redirect_uri: redirect });
      asked = { ...asked, client, request_url: `https://id.example/oauth2/auth?${query}` };
      expect(await page()).toContain('local-caution');
    },
  );

  it('links to web pages of the client only', async () => {
    asked = {
      ...asked,
      client: { client_id: 'shop', policy_uri: 'https://shop.example/privacy', tos_uri: 'javascript:alert(1)' },
    };
    const html = await page();
    expect(html).toContain('href="https://shop.example/privacy"');
    expect(html).not.toContain('javascript:');
  });

  it.each([{ skip: true }, { client: { client_id: 'own', skip_consent: true } }])(
    'the consent page is not shown with %j',
    async (change) => {
      asked = { ...asked, ...change };
      expect((await showConsent(services, new Request(url))).status).toBe(303);
      expect(decisions).toMatchObject([{ grant_scope: ['openid', 'offline_access', 'email'], remember: false }]);
    },
  );
});

describe('the consent for a device', () => {
  const request_url = 'https://id.example/oauth2/device/verify?client_id=shop';

  it('shows the code, the client, the time and the address of the device', async () => {
    const requested_at = new Date(Date.now() - 3 * 60_000).toISOString();
    const device = { requested_at, address: '203.0.113.9', user_code: 'BCDFGHJK' };
    asked = { ...asked, request_url, context: { device } };
    const html = await page();
    const [facts = ''] = /<dl[^>]*id="device-facts">.*?<\/dl>/.exec(html) ?? [];
    for (const text of ['BCDF-GHJK', 'Shop', '3 minutes ago', '203.0.113.9']) expect(facts).toContain(text);
    expect(html).toContain('device-caution');
  });

  it.each([undefined, {}, { device: 'tv' }, { device: { requested_at: 'soon' } }])(
    'does without them if the provider sends %j',
    async (context) => {
      asked = { ...asked, request_url, context };
      const html = await page();
      expect(html).toContain('device-caution');
      expect(html).not.toContain('device-facts');
    },
  );

  it('shows no device for a request of another kind', async () => {
    asked = { ...asked, context: { device: { requested_at: new Date().toISOString(), address: '203.0.113.9' } } };
    expect(await page()).not.toContain('203.0.113.9');
  });
});

describe('a consent', () => {
  it('grants the scopes that are ticked, with the claims that they cover', async () => {
    const response = await post([
      ['grant_scope', 'openid'],
      ['grant_scope', 'email'],
      ['remember', '1'],
      ['decision', 'accept'],
    ]);
    expect(response.status).toBe(303);
    expect(decisions).toEqual([
      {
        grant_scope: ['openid', 'email'],
        grant_access_token_audience: ['https://api.example.com'],
        session: { id_token: { email: 'ann@example.com', email_verified: true } },
        remember: true,
        remember_for: 60,
      },
    ]);
  });

  it('never grants more than was asked for', async () => {
    await post([
      ['grant_scope', 'openid'],
      ['grant_scope', 'admin'],
      ['grant_scope', 'profile'],
      ['decision', 'accept'],
    ]);
    expect(decisions).toMatchObject([{ grant_scope: ['openid'], session: { id_token: {} } }]);
  });

  it('always says who it is: openid comes with whatever is allowed', async () => {
    await post([
      ['grant_scope', 'email'],
      ['decision', 'accept'],
    ]);
    expect(decisions).toMatchObject([{ grant_scope: ['openid', 'email'] }]);
  });

  it('a form with two decisions neither gives nor denies consent', async () => {
    const twice: [string, string][] = [
      ['decision', 'accept'],
      ['decision', 'reject'],
    ];
    await expect(post(twice)).rejects.toMatchObject({ code: 'invalid_form' });
    expect(decisions).toEqual([]);
  });

  it('gives the standard claims that the claims parameter asks for and the user has, after the page has named them', async () => {
    const requested = {
      userinfo: { name: { essential: true }, password_hint: null },
      id_token: { email: null, phone_number: null },
    };
    const query = new URLSearchParams({ claims: JSON.stringify(requested) });
    asked = { ...asked, requested_scope: ['openid'], request_url: `http://127.0.0.1:4444/oauth2/auth?${query}` };
    expect(await page()).toMatch(/id="requested-claims"[\s\S]*name, email address, phone number/);
    await post([['decision', 'accept']]);
    expect(decisions).toMatchObject([{ session: { id_token: { name: 'Ann', email: 'ann@example.com' } } }]);
    expect(JSON.stringify(decisions)).not.toContain('cat');
  });

  it('a remembered consent gives no claim that the user was not asked for', async () => {
    const query = new URLSearchParams({ claims: '{"userinfo":{"name":null}}' });
    asked = { ...asked, skip: true, requested_scope: ['openid'], request_url: `http://127.0.0.1/oauth2/auth?${query}` };
    await showConsent(services, new Request(url));
    expect(decisions).toMatchObject([{ session: { id_token: {} } }]);
  });

  it.each(['{', 'null', '[]', '{"userinfo":null}', '{"id_token":"name"}'])(
    'ignores an unreadable claims parameter: %s',
    async (text) => {
      asked = { ...asked, request_url: `http://127.0.0.1/oauth2/auth?${new URLSearchParams({ claims: text })}` };
      expect(await page()).not.toContain('requested-claims');
    },
  );

  it('can be denied', async () => {
    await post([['decision', 'reject']]);
    expect(decisions).toMatchObject([{ error: 'access_denied' }]);
  });

  it('a form without a decision gives no consent', async () => {
    await expect(post([['grant_scope', 'openid']])).rejects.toMatchObject({ code: 'invalid_form' });
    expect(decisions).toEqual([]);
  });
});

describe('granted claims', () => {
  it('are those of the scopes, and no others', () => {
    const none = { idToken: {}, accessToken: {} };
    expect(grantedClaims(claims, ['openid', 'profile', 'constructor'])).toEqual({ ...none, idToken: { name: 'Ann' } });
    expect(grantedClaims(claims, [])).toEqual(none);
  });

  it('of a scope of the operator are in access tokens as well', () => {
    const own = { staff: ['groups', 'department'] };
    const user = { ...claims, groups: ['a', 'b'] };
    expect(grantedClaims(user, ['openid', 'email', 'staff'], { own })).toEqual({
      idToken: { email: 'ann@example.com', email_verified: true, groups: ['a', 'b'] },
      accessToken: { groups: ['a', 'b'] },
    });
    expect(grantedClaims(user, ['openid'], { own })).toEqual({ idToken: {}, accessToken: {} });
  });

  it('can be requested by name if they are standard, or of a scope that the client is registered for', () => {
    const parameter = JSON.stringify({ id_token: { groups: null, email: null, password_hint: null } });
    const requestUrl = `https://id.example/oauth2/auth?${new URLSearchParams({ claims: parameter })}`;
    const own = { staff: ['groups'] };
    expect(requestedClaims(requestUrl, own, ['openid', 'staff'])).toEqual(['groups', 'email']);
    expect(requestedClaims(requestUrl, own, ['openid'])).toEqual(['email']);
  });
});
