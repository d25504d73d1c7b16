import { describe, expect, it } from 'vitest';
import { otherAccountUrl } from './other-account.ts';

const issuer = new URL('https://id.example/tenant');
const start = 'https://id.example/tenant/oauth2/auth';

describe('another account', () => {
  it('starts the same request again, with a sign-in and without a hint', () => {
    const url = new URL(
      otherAccountUrl(`${start}?client_id=shop&state=s&prompt=consent&login_hint=ann&id_token_hint=x`, issuer) ?? '',
    );
    expect(Object.fromEntries(url.searchParams)).toEqual({ client_id: 'shop', state: 's', prompt: 'login' });
  });

  it.each([
    undefined,
    '',
    'no url',
    `${start}?client_id=shop&request_uri=urn:x`,
    `${start}?client_id=shop&request=eyJ`,
    'https://id.example/tenant/oauth2/device/verify?user_code=x',
    'https://evil.example/tenant/oauth2/auth?client_id=shop',
    'https://id.example/other/oauth2/auth?client_id=shop',
    'http://id.example/tenant/oauth2/auth?client_id=shop',
  ])('the consent page offers no other account for %s', (requestUrl) => {
    expect(otherAccountUrl(requestUrl, issuer)).toBeUndefined();
  });
});
