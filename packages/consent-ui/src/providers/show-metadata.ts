import { AccountsError } from '@carnet/accounts/client';
import { jsonHeaders } from '../page/respond.ts';
import { Problem } from '../problem.ts';
import type { Operation } from '../services.ts';
import { providerOfPath } from './provider-name.ts';
import { callbackOf } from './redirect-to-provider.ts';

/** GET /login/provider/<name>/metadata: the metadata of Carnet for a SAML provider. They have nothing that is secret. */
export const showMetadata: Operation = async (services, request) => {
  const provider = providerOfPath(new URL(request.url).pathname, 'metadata');
  if (provider === undefined) throw new Problem('invalid_link');
  const input = { provider, callback: callbackOf(services, provider) };
  const found = await services.accounts.providers.metadata(input).catch((error: unknown) => {
    if (error instanceof AccountsError && error.code === 'not_supported') return undefined;
    throw error;
  });
  if (found === undefined) throw new Problem('invalid_link');
  return new Response(found.xml, { headers: { ...jsonHeaders, 'content-type': 'application/samlmetadata+xml' } });
};
