import { request } from 'undici';
import { openLogins } from '../people/login.ts';
import { machineClient, publicClient, registerClient } from '../people/register-client.ts';
import type { Scenario } from './scenario.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

export const clientCredentials: Scenario = {
  name: 'client-credentials',
  title: 'client_credentials, bcrypt secret, warm',
  amount: 10_000,
  connections: 100,
  async prepare(target) {
    const { authorization = '' } = await registerClient(target, machineClient);
    return {
      kind: 'requests',
      url: `${target.publicUrl}/oauth2/token`,
      method: 'POST',
      headers: { ...form, Authorization: authorization },
      bodies: ['grant_type=client_credentials&scope=read'],
      isRight: (body) => body.includes('"access_token"'),
    };
  },
};

export const introspection: Scenario = {
  name: 'introspection',
  title: 'Token introspection',
  amount: 10_000,
  connections: 100,
  async prepare(target) {
    const logins = openLogins(target, await registerClient(target, publicClient), 4);
    const tokens = await Promise.all(Array.from({ length: 50 }, () => logins.run()));
    await logins.close();
    return {
      kind: 'requests',
      url: `${target.adminUrl}/admin/oauth2/introspect`,
      method: 'POST',
      headers: form,
      bodies: tokens.map(({ access_token }) => `token=${encodeURIComponent(access_token)}`),
      isRight: (body) => body.includes('"active":true'),
    };
  },
};

export const userinfo: Scenario = {
  name: 'userinfo',
  title: 'Userinfo',
  amount: 10_000,
  connections: 100,
  async prepare(target) {
    const logins = openLogins(target, await registerClient(target, publicClient), 1);
    const { access_token } = await logins.run();
    await logins.close();
    return {
      kind: 'requests',
      url: `${target.publicUrl}/userinfo`,
      headers: { Authorization: `Bearer ${access_token}` },
      isRight: (body) => body.includes('"sub"'),
    };
  },
};

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

export const refresh: Scenario = {
  name: 'refresh',
  title: 'Refresh, rotating',
  amount: 4_000,
  connections: 50,
  async prepare(target) {
    const client = await registerClient(target, publicClient);
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
};
