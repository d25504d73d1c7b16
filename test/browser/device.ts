import type { Stack } from './stack.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
const clientId = 'living-room';

const post = async (url: string, params: Record<string, string>) => {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ client_id: clientId, ...params }) });
  return (await response.json()) as Record<string, string>;
};

/** Starts a device authorization, as a television does, which has no browser. */
export const startDevice = async ({ issuer, admin }: Pick<Stack, 'issuer' | 'admin'>) => {
  const metadata = {
    client_id: clientId,
    client_name: 'Living room',
    grant_types: [grantType],
    scope: 'openid profile',
    token_endpoint_auth_method: 'none',
    skip_consent: true,
  };
  // There already, from the second time on.
  await fetch(`${admin}/admin/clients`, { method: 'POST', body: JSON.stringify(metadata) });
  const codes = await post(`${issuer}/oauth2/device/auth`, { scope: 'openid profile' });
  const poll = () => post(`${issuer}/oauth2/token`, { grant_type: grantType, device_code: codes.device_code ?? '' });
  return { link: String(codes.verification_uri_complete), code: String(codes.user_code), ...codes, poll };
};
