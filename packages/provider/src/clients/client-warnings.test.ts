import { expect, it } from 'vitest';
import { warningsOf } from './client-warnings.ts';

const plain = {
  redirect_uris: ['https://app.example/cb?x=*', 'com.example.app:/*', 'https://app.example/*', 'http://127.0.0.1/cb'],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit'],
};

it('returns no warning for a client whose whole registration takes effect', () => {
  expect(warningsOf(plain)).toEqual([]);
});

it.each(['https://*.app.example/', 'https://*/', 'HTTPS://app.*:8443/cb', 'myapp://*.host/cb', 'https://u@*.host?x'])(
  'names a redirect URI with a wildcard in its host: %s',
  (uri) => {
    const warnings = warningsOf({
      ...plain,
      redirect_uris: ['https://app.example/', uri],
      post_logout_redirect_uris: [uri],
    });
    expect(warnings).toEqual([
      expect.stringMatching(/^redirect_uris\.1 has a "\*" in its host/),
      expect.stringMatching(/^post_logout_redirect_uris\.0 has a "\*" in its host/),
    ]);
  },
);

it('names a grant type that no configuration serves, without quoting it', () => {
  const warnings = warningsOf({ ...plain, grant_types: ['authorization_code', 'password'] });
  expect(warnings).toEqual([expect.stringMatching(/^grant_types\.1 is not a grant type of this server/)]);
  expect(warnings.join()).not.toContain('password');
});
