import bcrypt from 'bcryptjs';
import type { Json } from '../../../provider/test/login.ts';

/** The secret behind every hash below. */
export const exportedSecret = 'the-secret-of-an-exported-client';
const bcryptHash = bcrypt.hashSync(exportedSecret, 4);

const of = <T>(all: readonly T[], index: number): T => all[index % all.length] as T;

const authMethods = ['client_secret_basic', 'client_secret_post', 'none', 'private_key_jwt'] as const;
const grantTypes = [
  ['authorization_code'],
  ['authorization_code', 'refresh_token'],
  ['client_credentials'],
  ['authorization_code', 'client_credentials'],
  ['implicit'],
  ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
  null,
];
const responseTypes = [['code'], ['code', 'code id_token'], ['token'], ['id_token', 'token id_token'], null];
const redirectUris = [
  ['https://app.example/callback'],
  ['http://127.0.0.1:3000/callback', 'http://localhost:3000/callback'],
  ['com.example.app:/callback'],
  ['https://app.example/callback?tenant=1'],
  [],
  null,
];
/** Members that differ between real clients. Some are refused by Carnet: see the reasons in the tests. */
const extras: readonly Json[] = [
  {},
  {
    jwks: {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          kid: 'k',
          use: 'sig',
          alg: 'ES256',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
        },
      ],
    },
  },
  { jwks_uri: 'https://app.example/jwks.json' },
  { request_object_signing_alg: 'RS256' },
  { request_object_signing_alg: 'none', token_endpoint_auth_signing_alg: 'RS256' },
  { subject_type: 'pairwise', sector_identifier_uri: 'https://app.example/sector.json' },
  { audience: ['https://api.example'], owner: 'team', contacts: ['a@app.example'], metadata: { tier: 'gold' } },
  { access_token_strategy: 'jwt', authorization_code_grant_access_token_lifespan: '31h0m0s' },
  { refresh_token_grant_access_token_lifespan: '-1ns' },
  { logo_uri: 'not a URL' },
  { backchannel_logout_uri: 'https://app.example/logout#top' },
  { allowed_cors_origins: ['https://*.app.example', 'https://app.example'] },
  { userinfo_signed_response_alg: 'RS256', skip_consent: true, skip_logout_consent: true },
  { post_logout_redirect_uris: ['https://app.example/goodbye'], frontchannel_logout_uri: 'https://app.example/bye' },
  { policy_uri: '', tos_uri: '', client_uri: 'https://app.example', scope: 'openid offline_access photos.*' },
];

/** Clients as `GET /admin/clients` of Hydra lists them, with the hashes of its database: no two have all in common. */
export const exportedClients = (count: number): readonly Json[] =>
  Array.from({ length: count }, (_, index) => {
    const method = of(authMethods, index);
    const extra = of(extras, index);
    const usesSecret = method.startsWith('client_secret');
    return {
      client_id: `client-${index}`,
      client_name: index % 7 === 0 ? '' : `Client ${index} – größer`,
      ...(usesSecret && { client_secret: bcryptHash }),
      // Hydra refuses private_key_jwt without keys as well, except for every tenth client, which is older than the rule.
      ...(method === 'private_key_jwt' &&
        index % 10 !== 3 &&
        !('jwks' in extra) && { jwks_uri: 'https://app.example/keys' }),
      redirect_uris: of(redirectUris, Math.floor(index / 3)),
      grant_types: of(grantTypes, Math.floor(index / 2)),
      response_types: of(responseTypes, Math.floor(index / 5)),
      scope: 'openid offline_access offline',
      audience: [],
      owner: '',
      contacts: null,
      jwks: {},
      client_secret_expires_at: 0,
      subject_type: 'public',
      token_endpoint_auth_method: method,
      userinfo_signed_response_alg: 'none',
      created_at: '2023-01-02T03:04:05Z',
      updated_at: '2024-01-02T03:04:05Z',
      skip_consent: false,
      metadata: {},
      ...extra,
    };
  });
