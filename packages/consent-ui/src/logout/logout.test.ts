import { beforeEach, describe, expect, it } from 'vitest';
import { partOfServices, postForm } from '../../test/services.ts';
import type { Asked } from '../api/admin-api.ts';
import type { LogoutRequest } from '../api/wire.ts';
import type { Services } from '../services.ts';
import { showLogout, submitLogout } from './logout.tsx';

const url = 'http://127.0.0.1:3000/logout?logout_challenge=c1';

const asks: LogoutRequest = { subject: 'u1', client: { client_id: 'shop', client_name: 'Shop' } };

let asked: Asked<LogoutRequest>;
let decisions: string[];
let services: Services;

beforeEach(() => {
  asked = { state: 'open', request: asks };
  decisions = [];
  const logout = {
    find: async () => asked,
    accept: async () => {
      decisions.push('accept');
      const redirectTo = 'http://127.0.0.1:4444/oauth2/sessions/logout?logout_verifier=v';
      return { state: 'decided', redirectTo } as const;
    },
    reject: async () => void decisions.push('reject'),
  } satisfies Services['api']['logout'];
  services = partOfServices({ api: { logout } as unknown as Services['api'] });
});

const post = (decision: string) => postForm(services, submitLogout, url, [['decision', decision]]);

describe('logout', () => {
  it('asks first', async () => {
    const html = await (await showLogout(services, new Request(url))).text();
    expect(html).toContain('id="accept"');
    expect(html).toContain('id="reject"');
    expect(decisions).toEqual([]);
  });

  it.each([{ client: null }, { client: undefined }])('can be asked for by nobody in particular: %j', async (change) => {
    asked = { state: 'open', request: { ...asks, ...change } };
    expect((await showLogout(services, new Request(url))).status).toBe(200);
  });

  it('goes on when confirmed', async () => {
    const response = await post('accept');
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toContain('logout_verifier=v');
    expect(decisions).toEqual(['accept']);
  });

  it('leaves everything as it is when declined', async () => {
    const response = await post('reject');
    expect(await response.text()).toContain('You are still signed in');
    expect(decisions).toEqual(['reject']);
  });

  it('no other request confirms the logout', async () => {
    await expect(post('yes')).rejects.toMatchObject({ code: 'invalid_form' });
    expect(decisions).toEqual([]);
  });

  const own = { client_id: 'own', skip_logout_consent: true };

  it('the page does not ask when one of the operator’s own clients has proved to ask', async () => {
    asked = { state: 'open', request: { ...asks, rp_initiated: true, client: own } };
    expect((await showLogout(services, new Request(url))).status).toBe(303);
    expect(decisions).toEqual(['accept']);
  });

  it.each([
    ['a link names such a client and proves nothing', { rp_initiated: false, client: own }],
    ['nobody says whether it is proved', { client: own }],
    ['another client has proved to ask', { rp_initiated: true, client: { client_id: 'shop' } }],
  ])('the page asks when %s', async (_when, change) => {
    asked = { state: 'open', request: { ...asks, ...change } };
    expect((await showLogout(services, new Request(url))).status).toBe(200);
    expect(decisions).toEqual([]);
  });

  it('says that it has expired, not that a sign-in has, and offers to sign out again', async () => {
    const restartAt = 'http://127.0.0.1:4444/oauth2/sessions/logout';
    asked = { state: 'expired', restartAt };
    for (const response of [await showLogout(services, new Request(url)), await post('accept')]) {
      const html = await response.text();
      expect(response.status).toBe(410);
      expect(html).toContain('This sign-out has expired');
      expect(html).toMatch(new RegExp(`id="start-again" href="${restartAt}"[^>]*>Sign out again<`));
      expect(html).not.toContain('sign-in');
    }
    expect(decisions).toEqual([]);
  });

  it('says where to sign out when it has expired and there is no way to ask again', async () => {
    asked = { state: 'expired', restartAt: undefined };
    const html = await (await showLogout(services, new Request(url))).text();
    expect(html).toContain('sign out from there');
    expect(html).not.toContain('start-again');
  });
});
