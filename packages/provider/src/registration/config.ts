import { choiceSchema, flagSchema, section, wholeNumberSchema } from '@carnet/adapter-contract/settings';
import { z } from 'zod';
import { grantTypes } from '../clients/grant-types.ts';

const texts = (what: string) => z.array(z.string({ error: what }).min(1, what), { error: what });

/** Clients that register and manage themselves (RFC 7591, RFC 7592). */
export const dynamicClientRegistrationSchema = section({
  enabled: flagSchema
    .default(false)
    .describe('Whether clients may register themselves at `/oauth2/register` (RFC 7591).'),
  access: choiceSchema('open', 'token')
    .default('open')
    .describe(
      '`open`: registration needs no token. `token`: registration requires an initial access token, which the admin API creates.',
    ),
  defaultScope: texts('must be a list of scopes')
    .default(['offline_access', 'offline', 'openid'])
    .describe('The scopes of a client that requests no `scope`, limited to `allowedScopes`.'),
  defaultAudience: texts('must be a list of resources')
    .default([])
    .describe(
      'The audience (RFC 8707) of a client that names no `audience`. The client also gets the scopes that `resources` lists for it.',
    ),
  allowedScopes: texts('must be a list of scopes')
    .optional()
    .describe('The scopes that may be registered. Default: all.'),
  allowedGrantTypes: texts('must be a list of grant types')
    .default([grantTypes.authorizationCode, grantTypes.refreshToken, grantTypes.implicit, grantTypes.deviceCode])
    .describe('The grant types that may be registered. By default, only grant types that involve a user.'),
  allowedRedirectHosts: texts('must be a list of host names')
    .optional()
    .describe(
      'Hosts of redirect URIs: `app.example.com`, `*.example.com`, or the scheme of a native app (`com.example.app:`). Default: all.',
    ),
  maxPerMinute: wholeNumberSchema(1, 600)
    .default(60)
    .describe('The maximum number of registrations without a token per minute, for all callers together.'),
});

export type DynamicClientRegistrationConfig = z.output<typeof dynamicClientRegistrationSchema>;
