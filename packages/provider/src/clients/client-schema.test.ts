import { describe, expect, it } from 'vitest';
import { CarnetError } from '../errors.ts';
import { parseClient, parseLifespans } from './parse-client.ts';

const problemOf = (value: unknown): string => {
  try {
    parseClient(value);
  } catch (error) {
    if (error instanceof CarnetError && error.code === 'invalid_client_metadata') return error.description;
    throw error;
  }
  return 'none';
};

const publicJwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', use: 'sig' };

describe('parseClient', () => {
  it('fills in the defaults of the wire contract', () => {
    const { id, secret, metadata } = parseClient({});
    expect([id, secret]).toEqual([undefined, undefined]);
    expect(JSON.parse(JSON.stringify(metadata))).toEqual({
      client_name: '',
      redirect_uris: [],
      grant_types: [],
      response_types: [],
      scope: 'offline_access offline openid',
      audience: [],
      owner: '',
      policy_uri: '',
      allowed_cors_origins: [],
      tos_uri: '',
      client_uri: '',
      logo_uri: '',
      contacts: [],
      subject_type: 'public',
      jwks: {},
      token_endpoint_auth_method: 'client_secret_basic',
      userinfo_signed_response_alg: 'none',
      metadata: {},
      skip_consent: false,
      skip_logout_consent: null,
      authorization_code_grant_access_token_lifespan: null,
      authorization_code_grant_id_token_lifespan: null,
      authorization_code_grant_refresh_token_lifespan: null,
      client_credentials_grant_access_token_lifespan: null,
      implicit_grant_access_token_lifespan: null,
      implicit_grant_id_token_lifespan: null,
      jwt_bearer_grant_access_token_lifespan: null,
      refresh_token_grant_id_token_lifespan: null,
      refresh_token_grant_access_token_lifespan: null,
      refresh_token_grant_refresh_token_lifespan: null,
      device_authorization_grant_id_token_lifespan: null,
      device_authorization_grant_access_token_lifespan: null,
      device_authorization_grant_refresh_token_lifespan: null,
    });
  });

  it('takes null, and the empty strings Go writes for what is unset, as not given', () => {
    const names = Object.keys(parseClient({}).metadata);
    expect(parseClient(Object.fromEntries(names.map((name) => [name, null]))).metadata).toEqual(
      parseClient({}).metadata,
    );
    const empty = {
      client_id: '',
      client_secret: '',
      jwks_uri: '',
      subject_type: '',
      token_endpoint_auth_method: '',
      scope: '',
      policy_uri: '',
      access_token_strategy: '',
    };
    expect(parseClient(empty)).toEqual(parseClient({}));
  });

  it('ignores fields it does not know', () => {
    expect(parseClient({ nonsense: 1, created_at: 'x', client_secret_expires_at: 9 })).toEqual(parseClient({}));
  });

  it('keeps what it is given', () => {
    const given = {
      client_name: 'Ünïcode ✓',
      redirect_uris: ['https://app.example/cb?x=1', 'com.example.app:/cb', 'http://127.0.0.1/cb'],
      scope: 'openid offline profile',
      jwks: { keys: [publicJwk] },
      token_endpoint_auth_method: 'private_key_jwt',
      metadata: { nested: { any: [1, null] } },
      access_token_strategy: 'jwt',
      post_logout_redirect_uris: ['https://app.example/bye'],
      id_token_signed_response_alg: 'ES256',
      dpop_bound_access_tokens: true,
      default_max_age: 60,
    };
    expect(parseClient({ client_id: 'my-app', client_secret: 'averylongsecret', ...given })).toEqual({
      id: 'my-app',
      secret: 'averylongsecret',
      choosesAuthMethod: true,
      secretHashes: [],
      metadata: expect.objectContaining(given),
    });
  });

  it.each([
    'javascript:alert(1)',
    'VBScript:x',
    'data:text/html,x',
    'blob:https://app.example/1',
    'about:blank',
    'file:///etc/passwd',
    'filesystem:https://app.example/x',
    'view-source:https://app.example/',
    'jar:https://app.example/x!/',
    'feed:https://app.example/',
    'intent://app/#Intent;end',
    'intent:app',
    'mailto:a@app.example',
    'ftp://app.example/',
    'ws://app.example/',
    'WSS://app.example/',
    'http:app.example',
    'https:app.example/cb',
    'https:/app.example/cb',
    'https:///app.example/cb',
    'https:\\\\app.example/cb',
    'https:',
  ])('refuses %s as an address of an app, to log in at or out', (uri) => {
    expect(problemOf({ redirect_uris: [uri] })).toContain('redirect_uris.0 must');
    expect(problemOf({ post_logout_redirect_uris: [uri] })).toContain('post_logout_redirect_uris.0 must');
  });

  it('takes addresses of native apps, and schemes that only begin like others', () => {
    const uris = ['com.example.app:/cb', 'myapp://callback', 'http://127.0.0.1/cb', 'http://[::1]/cb', 'fileshare:/cb'];
    expect(parseClient({ redirect_uris: uris }).metadata.redirect_uris).toEqual(uris);
  });

  it('refuses a client that proves nothing of itself and wants tokens for itself', () => {
    const open = { token_endpoint_auth_method: 'none', redirect_uris: ['https://app.example/cb'] };
    expect(problemOf({ ...open, grant_types: ['authorization_code', 'client_credentials'] })).toMatch(
      /token_endpoint_auth_method is none cannot have client_credentials in grant_types/,
    );
    expect(problemOf({ ...open, grant_types: ['authorization_code', 'refresh_token'] })).toBe('none');
    expect(problemOf({ grant_types: ['client_credentials'] })).toBe('none');
  });

  it('takes a chosen secret of any length up to 1024 bytes, of any alphabet', () => {
    for (const client_secret of ['x'.repeat(1024), 'é'.repeat(512), 'ein Schlüssel – 鍵 🔑']) {
      expect(parseClient({ client_secret }).secret).toBe(client_secret);
    }
  });

  it('reports whether the client registers a method, which the metadata do not show', () => {
    for (const method of [undefined, null, '']) {
      const { choosesAuthMethod, metadata } = parseClient({ token_endpoint_auth_method: method });
      expect([choosesAuthMethod, metadata.token_endpoint_auth_method]).toEqual([false, 'client_secret_basic']);
    }
    expect(parseClient({ token_endpoint_auth_method: 'client_secret_basic' }).choosesAuthMethod).toBe(true);
  });

  it.each(['id_token', 'id_token token', 'code id_token', 'code id_token token'])(
    'refuses %s at http and at localhost, unless the client is a native app',
    (type) => {
      const client = { grant_types: ['authorization_code', 'implicit'], response_types: ['code', type] };
      const problem = 'Field redirect_uris must hold https URLs off localhost';
      for (const uri of ['http://127.0.0.1:3000/cb', 'http://app.example/cb', 'https://localhost/cb']) {
        expect(problemOf({ ...client, redirect_uris: ['https://app.example/', uri] })).toContain(problem);
        expect(problemOf({ ...client, redirect_uris: [uri], application_type: 'native' })).toBe('none');
        expect(problemOf({ ...client, redirect_uris: [uri], response_types: ['code'] })).toBe('none');
        expect(problemOf({ ...client, redirect_uris: [uri], grant_types: ['authorization_code'] })).toBe('none');
      }
      expect(problemOf({ ...client, redirect_uris: ['http://127.0.0.1/cb', 'com.example.app:/cb'] })).toBe('none');
      expect(problemOf({ ...client, redirect_uris: ['https://app.example/cb'] })).toBe('none');
    },
  );

  it('writes lifespans as Go does', () => {
    const { metadata } = parseClient({ refresh_token_grant_access_token_lifespan: '1h30m' });
    expect(metadata.refresh_token_grant_access_token_lifespan).toBe('1h30m0s');
  });

  it('writes origins as browsers send them', () => {
    expect(parseClient({ allowed_cors_origins: ['https://App.Example/'] }).metadata.allowed_cors_origins).toEqual([
      'https://app.example',
    ]);
  });

  it.each([
    [{ client_secret: 'short' }, 'Field client_secret must be at least 6 characters'],
    [{ client_secret: 'x'.repeat(1025) }, 'Field client_secret must not be longer than 1024 characters'],
    [{ client_secret: 'é'.repeat(513) }, 'Field client_secret must not be longer than 1024 bytes of UTF-8'],
    [{ client_secret: 'a lone surrogate \ud800' }, 'client_secret must not contain control characters'],
    [{ client_secret: 'abc\u0000defg' }, 'client_secret must not contain control characters'],
    [{ client_id: 'a\nb' }, 'client_id'],
    [{ client_id: '..' }, 'client_id'],
    [{ client_id: 'ü' }, 'client_id'],
    [{ client_id: 'x'.repeat(256) }, 'client_id'],
    [{ client_id: 7 }, 'Field client_id must be a string'],
    [{ redirect_uris: ['https://app.example/cb#top'] }, 'Field redirect_uris.0 must not contain a fragment'],
    [{ redirect_uris: ['https://app.example/cb', '/relative'] }, 'Field redirect_uris.1 must be an absolute URL'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris.0'],
    [{ redirect_uris: ['JavaScript:alert(1)'] }, 'redirect_uris.0'],
    [{ redirect_uris: [' https://app.example/'] }, 'redirect_uris.0'],
    [{ redirect_uris: 'https://app.example/' }, 'Field redirect_uris must be an array'],
    [{ redirect_uris: Array(101).fill('https://app.example/') }, '100 items'],
    [{ redirect_uris: [`https://app.example/${'x'.repeat(2048)}`] }, '2048 characters'],
    [{ post_logout_redirect_uris: ['data:text/html,x'] }, 'post_logout_redirect_uris.0'],
    [{ policy_uri: 'javascript:alert(1)' }, 'policy_uri must be an http or https URL'],
    [{ logo_uri: 'data:image/png;base64,x' }, 'logo_uri'],
    [{ allowed_cors_origins: ['https://app.example/path'] }, 'allowed_cors_origins.0 must be an origin'],
    [{ allowed_cors_origins: ['https://user@app.example'] }, 'allowed_cors_origins.0'],
    [{ allowed_cors_origins: ['*'] }, 'allowed_cors_origins.0'],
    [{ jwks: { keys: [publicJwk] }, jwks_uri: 'https://app.example/jwks' }, 'can not both be set'],
    [{ jwks: { keys: [{ ...publicJwk, d: 'secret' }] } }, 'Field jwks.keys.0 is a private key'],
    [{ jwks: { keys: [{ kty: 'oct', k: 'secret' }] } }, 'jwks.keys.0 is a symmetric key'],
    [{ jwks: { keys: 'x' } }, 'jwks.keys'],
    [{ token_endpoint_auth_method: 'client_secret_jwt' }, 'only its hash is stored'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'either jwks or jwks_uri'],
    [{ id_token_signed_response_alg: 'HS256' }, 'id_token_signed_response_alg must be an asymmetric'],
    [{ id_token_signed_response_alg: 'none' }, 'id_token_signed_response_alg'],
    [{ token_endpoint_auth_signing_alg: 'HS256' }, 'token_endpoint_auth_signing_alg'],
    [{ userinfo_signed_response_alg: 'HS256' }, 'userinfo_signed_response_alg'],
    [{ request_object_signing_alg: 'HS512' }, 'request_object_signing_alg must be none or an asymmetric algorithm'],
    [{ initiate_login_uri: 'http://app.example/login' }, 'Field initiate_login_uri must be an https URL'],
    [{ initiate_login_uri: 'app:/login' }, 'Field initiate_login_uri must be an http or https URL'],
    [{ id_token_encrypted_response_alg: 'dir' }, 'id_token_encrypted_response_alg must be an asymmetric'],
    [{ userinfo_encrypted_response_alg: 'A128KW' }, 'userinfo_encrypted_response_alg'],
    [{ client_name: 'a\u0000b' }, 'client_name must not contain control characters'],
    [{ client_name: '\ud800' }, 'client_name'],
    [{ client_name: 'x'.repeat(257) }, '256 characters'],
    [{ scope: 'x'.repeat(4097) }, 'scope'],
    [{ scope: 'open"id' }, 'scope'],
    [{ metadata: { big: 'x'.repeat(17_000) } }, 'Field metadata must not be larger'],
    [{ metadata: [] }, 'metadata'],
    [{ skip_consent: 'yes' }, 'Field skip_consent must be a boolean'],
    [{ access_token_strategy: 'other' }, 'must be one of opaque, jwt'],
    [{ subject_type: 'secret' }, 'must be one of public, pairwise'],
    [{ implicit_grant_id_token_lifespan: '-1' }, 'implicit_grant_id_token_lifespan must be a duration'],
    [{ implicit_grant_id_token_lifespan: 3600 }, 'implicit_grant_id_token_lifespan'],
    ['text', 'The client must be an object'],
    [[], 'The client must be an object'],
    [null, 'The client must be an object'],
  ])('refuses %j', (value, problem) => {
    expect(problemOf(value)).toContain(problem);
  });

  it('never quotes what it was given', () => {
    expect(problemOf({ client_secret: 'hunt2', redirect_uris: ['hunter2'], subject_type: 'hunter2' })).not.toContain(
      'hunt',
    );
  });
});

describe('parseLifespans', () => {
  it('reads all 13, those that are not given as null', () => {
    const lifespans = parseLifespans({ implicit_grant_id_token_lifespan: '36h', client_name: 'ignored' });
    expect(Object.keys(lifespans)).toHaveLength(13);
    expect(lifespans.implicit_grant_id_token_lifespan).toBe('36h0m0s');
    expect(lifespans.jwt_bearer_grant_access_token_lifespan).toBeNull();
  });

  it.each(['0', '0s', '0h0m0s', 0, '', null])('takes %j as the default of the server', (zero) => {
    expect(parseLifespans({ implicit_grant_id_token_lifespan: zero }).implicit_grant_id_token_lifespan).toBeNull();
  });
});
