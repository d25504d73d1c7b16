import { expect, it } from 'vitest';
import { partOfServices } from '../../test/services.ts';
import { signedIn } from '../../test/stand-in-providers.ts';
import { rememberSignIn } from '../chooser/remember-sign-in.ts';
import { providerOfSession } from './provider-session.ts';

const services = partOfServices({});
const url = 'http://127.0.0.1:3000/login?login_challenge=c1';
const asked = { subject: 'u1', session_id: 's1' };

/** The next request of a browser that has signed in with `corp`, as its form tells, and as the accounts API states. */
const nextRequest = (stated: { readonly provider?: string }): Request => {
  const cookies = rememberSignIn(
    { services, request: new Request(url), asked },
    { ...signedIn, ...stated },
    { remember: true, provider: 'corp' },
  );
  const cookie = cookies.map((line) => line?.split(';')[0]).join('; ');
  return new Request(url, { headers: { cookie } });
};

it('the session of a sign-in with a provider is one of this provider, and no other session is', () => {
  const request = nextRequest({ provider: 'corp' });
  expect(providerOfSession(services, request, asked)).toBe('corp');
  expect(providerOfSession(services, request, { ...asked, session_id: 's2' })).toBeUndefined();
  expect(providerOfSession(services, request, { ...asked, subject: 'u2' })).toBeUndefined();
  expect(providerOfSession(services, new Request(url), asked)).toBeUndefined();
});

it('a form that names a provider does not make a session one of this provider', () => {
  expect(providerOfSession(services, nextRequest({}), asked)).toBeUndefined();
  expect(providerOfSession(services, nextRequest({ provider: 'partner' }), asked)).toBeUndefined();
});
