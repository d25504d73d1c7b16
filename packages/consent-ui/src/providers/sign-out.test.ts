import { AccountsError } from '@carnet/accounts/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { partOfServices, postForm } from '../../test/services.ts';
import { createStandInProviders } from '../../test/stand-in-providers.ts';
import type { LogoutRequest } from '../api/wire.ts';
import { submitLogout } from '../logout/logout.tsx';
import type { Services } from '../services.ts';
import { providerSession } from './provider-session.ts';
import { showSignedOut } from './sign-out.ts';

const url = 'http://127.0.0.1:3000/logout?logout_challenge=c1';
const signedOut = 'http://127.0.0.1:3000/login/provider/corp/signed-out';
const verifierUrl = 'http://127.0.0.1:4444/oauth2/sessions/logout?logout_verifier=v';

let asked: LogoutRequest;
let steps: string[];
let services: Services;
const providers = createStandInProviders();

beforeEach(() => {
  asked = { subject: 'u1', sid: 's1' };
  steps = [];
  const logout = {
    find: async () => ({ state: 'open', request: asked }) as const,
    accept: async (challenge: string) => {
      steps.push(`accept ${challenge}`);
      return { state: 'decided', redirectTo: verifierUrl } as const;
    },
    reject: async () => {},
  } satisfies Services['api']['logout'];
  services = partOfServices({
    api: { logout } as unknown as Services['api'],
    accounts: { providers: { ...providers } } as unknown as Services['accounts'],
    sessionsApi: { endSession: async (sid: string) => void steps.push(`end ${sid}`) } as Services['sessionsApi'],
  });
});

const cookieIn = (lines: readonly string[], name: string): string =>
  lines.find((line) => line.startsWith(name))?.split(';')[0] ?? '';

const signedInAt = (provider: string, subject = 'u1') =>
  providerSession(services).set({ subject, provider, loginHint: 'ada@example.com' }).split(';')[0];

const signOut = (cookie = signedInAt('corp')) =>
  postForm(services, submitLogout, url, [['decision', 'accept']], cookie);

describe('a sign-out of a user who has signed in with a provider', () => {
  it('the session ends first, and the browser continues at the provider, and returns to the client', async () => {
    const response = await signOut();
    const location = new URL(response.headers.get('location') ?? '');
    expect(location.origin).toBe('https://corp.example');
    expect(Object.fromEntries(location.searchParams)).toEqual({
      post_logout_redirect_uri: signedOut,
      logout_hint: 'ada@example.com',
    });
    expect(steps).toEqual(['end s1']);
    const lines = response.headers.getSetCookie();
    expect(lines.join()).toMatch(/carnet_signed_in_at=; [^,]*Max-Age=0/);
    const cookie = cookieIn(lines, 'carnet_sign_out');
    const back = await showSignedOut(services, new Request(signedOut, { headers: { cookie } }));
    expect(back.headers.get('location')).toBe(verifierUrl);
    expect(back.headers.getSetCookie().join()).toMatch(/carnet_sign_out=; [^,]*Max-Age=0/);
    expect(steps).toEqual(['end s1', 'accept c1']);
  });

  it.each([
    ['the provider has no sign-out', () => signedInAt('google')],
    ['another user has signed in there', () => signedInAt('corp', 'u2')],
    ['the user has not signed in with a provider', () => ''],
    ['the cookie was changed', () => 'carnet_signed_in_at=x'],
  ])('nothing is sent to the provider if %s', async (_title, cookie) => {
    expect((await signOut(cookie())).headers.get('location')).toBe(verifierUrl);
    expect(steps).toEqual(['accept c1']);
  });

  it('the session ends if the provider does not answer', async () => {
    const failed = async () => {
      throw new AccountsError('unavailable', 'The provider corp does not answer (timeout).');
    };
    Object.assign(services.accounts.providers, { signOut: failed });
    expect((await signOut()).headers.get('location')).toBe(verifierUrl);
    expect(steps).toEqual(['accept c1']);
  });

  it('nothing is sent to the provider if the session cannot be ended', async () => {
    Object.assign(services.sessionsApi, {
      endSession: async () => {
        throw new Error('unavailable');
      },
    });
    await expect(signOut()).rejects.toThrow('unavailable');
    expect(steps).toEqual([]);
  });

  it('the page after the provider accepts no sign-out that this browser has not confirmed', async () => {
    const cookie = cookieIn((await signOut()).headers.getSetCookie(), 'carnet_sign_out');
    for (const [address, sent] of [
      [signedOut, ''],
      [signedOut.replace('corp', 'google'), cookie],
      [signedOut, 'carnet_sign_out=x'],
    ] as const) {
      const request = new Request(address, { headers: { cookie: sent } });
      await expect(showSignedOut(services, request)).rejects.toMatchObject({ code: 'invalid_link' });
    }
    expect(steps).toEqual(['end s1']);
  });
});
