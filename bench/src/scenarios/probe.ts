import { request } from 'undici';
import type { Target } from '../targets/target.ts';
import type { LoginKind } from '../users/kinds.ts';
import type { Logins } from '../users/logins.ts';
import { form } from './token-type.ts';

const introspect = async ({ adminUrl }: Target, token: string): Promise<Readonly<Record<string, unknown>>> => {
  const { body } = await request(`${adminUrl}/admin/oauth2/introspect`, {
    method: 'POST',
    headers: form,
    body: new URLSearchParams({ token }).toString(),
  });
  return (await body.json()) as Readonly<Record<string, unknown>>;
};

/**
 * Does one login of the kind and checks its access token by introspection.
 *
 * @throws Error unless the server does logins of this kind
 */
export const probe = async (target: Target, logins: Logins, kind: LoginKind): Promise<void> => {
  const { access_token } = await logins.run();
  const answer = await introspect(target, access_token);
  const text = JSON.stringify(answer);
  if (answer.active !== true) throw new Error(`the access token is not active: ${text}`);
  for (const [member, value] of Object.entries(kind.accessToken ?? {})) {
    if (!JSON.stringify(answer[member])?.includes(String(value))) {
      throw new Error(`the access token has no ${member} with ${value}: ${text}`);
    }
  }
};
