import type { ConfigInput } from '@carnet/provider';
import { startWithAda } from './start-accounts.ts';

export const token = 'a-token-of-the-scim-client-in-tests';

type Scim = NonNullable<NonNullable<ConfigInput['accounts']>['scim']>;

/** A provider with SCIM, until the end of the test. */
export const startScim = async (scim: Scim = {}, accounts: ConfigInput['accounts'] = {}) => {
  const instance = await startWithAda({ accounts: { ...accounts, scim: { enabled: true, token, ...scim } } });
  const url = `${instance.issuer}/scim/v2`;
  const send = async (method: string, path: string, body?: unknown, more: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json', ...more },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const create = async (userName: string, more: object = {}) =>
    (await send('POST', '/Users', { userName, ...more })).body;
  const found = async (kind: string, filter: string) => {
    const { status, body } = await send('GET', `/${kind}?filter=${encodeURIComponent(filter)}`);
    return status === 200 ? body.Resources.map((each: { id: string }) => each.id) : body.scimType;
  };
  return { ...instance, url, send, create, found };
};
