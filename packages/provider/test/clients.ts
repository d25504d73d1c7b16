import { secretAuthMethods } from '../src/clients/client-fields.ts';
import { toStoredRecord } from '../src/clients/client-record.ts';
import { parseClient } from '../src/clients/parse-client.ts';
import { hashSecret } from '../src/clients/secret-hash.ts';
import type { Instance } from './harness.ts';

export const redirectUri = 'https://app.test/callback';

/** The registration id of a client that a test has put into the store. */
export const testRegistration = 'reg-test';

export interface TestClient {
  readonly id: string;
  /** Absent: a public client. */
  readonly secret?: string;
}

/** The header by which a client authenticates (RFC 6749, section 2.3.1). Empty for public clients. */
export const basicOf = ({ id, secret }: TestClient): Readonly<Record<string, string>> => {
  if (secret === undefined) return {};
  const credentials = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
};

/** Registers a client straight in the store, with everything most tests want, and warms the provider's cache of it. */
export const registerClient = async (
  { adapter, issuer }: Pick<Instance, 'adapter' | 'issuer'>,
  id: string,
  metadata: Readonly<Record<string, unknown>> = {},
  registration = testRegistration,
): Promise<TestClient> => {
  const forItself = metadata.token_endpoint_auth_method === 'none' ? [] : ['client_credentials'];
  const {
    metadata: parsed,
    secret: chosen,
    choosesAuthMethod,
  } = parseClient({
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token', ...forItself],
    scope: 'openid offline_access profile email',
    ...metadata,
  });
  const hasNone = !secretAuthMethods.includes(parsed.token_endpoint_auth_method);
  const secret = hasNone ? undefined : (chosen ?? `secret of ${id}, long enough`);
  const now = new Date().toISOString();
  const record = toStoredRecord({
    id,
    registration,
    isAuthMethodOpen: choosesAuthMethod ? undefined : true,
    secrets: secret === undefined ? [] : [await hashSecret(secret, 4)],
    metadata: { ...parsed, client_id: id, client_secret_expires_at: 0, created_at: now, updated_at: now },
  });
  await adapter.commit([{ type: 'put', record }]);
  await fetch(`${issuer}/oauth2/auth?client_id=${encodeURIComponent(id)}`, { redirect: 'manual' });
  return { id, secret };
};
