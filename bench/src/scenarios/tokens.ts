import { request } from 'undici';
import { openLogins } from '../people/login.ts';
import { publicClient, registerClient } from '../people/register-client.ts';
import type { Scenario } from './scenario.ts';
import { form, strategyOf, type TokenType } from './token-type.ts';

const userinfoOf = (name: string, title: string, type: TokenType): Scenario => ({
  name,
  title,
  amount: 10_000,
  connections: 100,
  async prepare(target) {
    const logins = openLogins(target, await registerClient(target, { ...publicClient, ...strategyOf(type) }), 1);
    const { access_token } = await logins.run();
    await logins.close();
    return {
      kind: 'requests',
      url: `${target.publicUrl}/userinfo`,
      headers: { Authorization: `Bearer ${access_token}` },
      isRight: (body) => body.includes('"sub"'),
    };
  },
});

export const userinfo = userinfoOf('userinfo', 'Userinfo, opaque', 'opaque');
export const userinfoJwt = userinfoOf('userinfo-jwt', 'Userinfo, JWT', 'jwt');

const refreshOnce = async (url: string, clientId: string, token: string): Promise<string> => {
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: clientId,
  }).toString();
  const response = await request(url, { method: 'POST', headers: form, body });
  const answer = (await response.body.json()) as { refresh_token?: string };
  if (!answer.refresh_token) throw new Error(`no refresh: ${response.statusCode} ${JSON.stringify(answer)}`);
  return answer.refresh_token;
};

const refreshOf = (name: string, title: string, type: TokenType): Scenario => ({
  name,
  title,
  amount: 2_000,
  connections: 50,
  async prepare(target) {
    const client = await registerClient(target, { ...publicClient, ...strategyOf(type) });
    const logins = openLogins(target, client, 4);
    const tokens = (await Promise.all(Array.from({ length: 50 }, () => logins.run()))).map(
      (each) => each.refresh_token,
    );
    await logins.close();
    const url = `${target.publicUrl}/oauth2/token`;
    return {
      kind: 'journeys',
      run: async () => {
        const token = tokens.pop() as string;
        tokens.push(await refreshOnce(url, client.id, token));
      },
    };
  },
});

export const refresh = refreshOf('refresh', 'Refresh, rotating, opaque', 'opaque');
export const refreshJwt = refreshOf('refresh-jwt', 'Refresh, rotating, JWT', 'jwt');
