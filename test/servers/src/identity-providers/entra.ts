import { createIdentityStandIn, type IdentityStandIn, type RegisteredClient } from './identity-stand-in.ts';
import { openIdRules } from './openid-rules.ts';

const host = 'https://login.microsoftonline.com';

/** Microsoft Entra. `tenant`: the id of one tenant, or `organizations`, whose issuer is a template. */
export const createEntraStandIn = (client: RegisteredClient, tenant: string): IdentityStandIn => {
  const isTemplate = tenant === 'organizations';
  return createIdentityStandIn(
    client,
    openIdRules(client, {
      issuer: isTemplate ? `${host}/{tenantid}/v2.0` : `${host}/${tenant}/v2.0`,
      metadataUrl: `${host}/${tenant}/v2.0/.well-known/openid-configuration`,
      endpoints: {
        authorization: `${host}/${tenant}/oauth2/v2.0/authorize`,
        token: `${host}/${tenant}/oauth2/v2.0/token`,
        keys: `${host}/${tenant}/discovery/v2.0/keys`,
      },
      parameters: ['max_age', 'domain_hint', 'ui_locales'],
      answerParameters: { session_state: '9f1d' },
    }),
  );
};

/** The issuer of the tokens of a tenant. */
export const entraIssuer = (tenant: string): string => `${host}/${tenant}/v2.0`;
