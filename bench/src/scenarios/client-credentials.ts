import { randomBytes } from 'node:crypto';
import type { Target } from '../targets/target.ts';
import { openHttpPool } from '../users/http-pool.ts';
import { basic, type Client, chosenSecret, machineClient, registerClients } from '../users/register-client.ts';
import type { Scenario } from './scenario.ts';
import { form, strategyOf, type TokenType } from './token-type.ts';

const body = 'grant_type=client_credentials&scope=read';

const machines = (target: Target, count: number, type: TokenType = 'opaque'): Promise<readonly Client[]> =>
  registerClients(target, count, () => ({ ...machineClient, ...strategyOf(type), ...chosenSecret() }));

/** Sends one client's request and verifies the answer. */
const openAsking = ({ publicUrl }: Target, connections: number) => {
  const pool = openHttpPool(publicUrl, connections);
  const path = `${new URL(publicUrl).pathname.replace(/\/$/, '')}/oauth2/token`;
  return async (authorization: string, status: number, member: string): Promise<void> => {
    const answer = await pool.send({ method: 'POST', path, headers: { ...form, authorization }, body }, status);
    if (!answer.body.includes(member)) throw new Error(`no ${member} in ${answer.body}`);
  };
};

/** Secrets compared at once: enough to keep two cores busy. */
const atOnce = 4;

interface Warm {
  readonly clients: number;
  readonly connections?: number;
  readonly type?: TokenType;
}

const warm = (name: string, title: string, { clients, connections = 100, type }: Warm): Scenario => ({
  name,
  title,
  amount: 10_000,
  connections,
  async prepare(target) {
    const authorizations = (await machines(target, clients, type)).map(({ authorization }) => authorization as string);
    const ask = openAsking(target, atOnce);
    // Not all at once: the server refuses secrets when too many wait to be hashed.
    for (let index = 0; index < authorizations.length; index += atOnce) {
      const some = authorizations.slice(index, index + atOnce);
      await Promise.all(some.map((authorization) => ask(authorization, 200, '"access_token"')));
    }
    return {
      kind: 'requests',
      url: `${target.publicUrl}/oauth2/token`,
      method: 'POST',
      headers: form,
      authorizations,
      bodies: [body],
      isRight: (answer) => answer.includes('"access_token"'),
    };
  },
});

export const clientCredentials = warm('client-credentials', 'client_credentials, bcrypt, warm', { clients: 1 });
export const clientCredentialsJwt = warm('client-credentials-jwt', 'client_credentials, bcrypt, warm, JWT', {
  clients: 1,
  type: 'jwt',
});
export const clientCredentials100 = warm('client-credentials-100', 'client_credentials, bcrypt, warm, 100 clients', {
  clients: 100,
});
export const clientCredentials1000 = warm(
  'client-credentials-1000',
  'client_credentials, bcrypt, warm, 1,000 clients',
  // Each worker verifies each secret once a minute, and refuses more than 64 that wait: a slow machine would reach that.
  { clients: 1_000, connections: 60 },
);

const hashed = { amount: 200, connections: 16 };

/** Each client sends its secret for the first time. */
export const clientCredentialsCold: Scenario = {
  name: 'client-credentials-cold',
  title: 'client_credentials, bcrypt, first use of each secret',
  ...hashed,
  async prepare(target) {
    const ask = openAsking(target, hashed.connections);
    let fresh: Client[] = [];
    return {
      kind: 'journeys',
      renew: async (amount) => {
        fresh = [...(await machines(target, amount))];
      },
      run: async () => ask(fresh.pop()?.authorization as string, 200, '"access_token"'),
    };
  },
};

/** A flood of wrong secrets, each for another client: most of those for a single client would be refused unread. */
export const wrongSecrets: Scenario = {
  name: 'wrong-secrets',
  title: 'client_credentials, bcrypt, all secrets wrong',
  ...hashed,
  async prepare(target) {
    const clients = await machines(target, 100);
    const ask = openAsking(target, hashed.connections);
    let turn = 0;
    return {
      kind: 'journeys',
      run: async () => {
        const { id } = clients[turn++ % clients.length] as Client;
        await ask(basic(id, randomBytes(18).toString('base64url')), 401, '"invalid_client"');
      },
    };
  },
};
