import type { Target } from '../targets/target.ts';
import { registerClient } from '../users/register-client.ts';
import type { Scenario } from './scenario.ts';

const load = { amount: 10_000, connections: 100 };

const fill = async (target: Target, count: number) => {
  const clients = [];
  for (let index = 0; index < count; index += 1) clients.push(await registerClient(target));
  return clients;
};

export const fetchClient: Scenario = {
  name: 'fetch-client',
  title: 'Fetching a client',
  ...load,
  async prepare(target) {
    const { id } = await registerClient(target);
    return { kind: 'requests', url: `${target.adminUrl}/admin/clients/${id}`, isRight: (body) => body.includes(id) };
  },
};

export const listClients: Scenario = {
  name: 'list-clients',
  title: 'Listing clients, pages of 10',
  ...load,
  async prepare(target) {
    await fill(target, 20);
    const isRight = (body: string) => body.startsWith('[{');
    return { kind: 'requests', url: `${target.adminUrl}/admin/clients?page_size=10`, isRight };
  },
};

export const createClient: Scenario = {
  name: 'create-client',
  title: 'Creating a public client',
  amount: 4_000,
  connections: 100,
  prepare: async ({ adminUrl }) => ({
    kind: 'requests',
    url: `${adminUrl}/admin/clients`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    bodies: [JSON.stringify({ redirect_uris: ['https://app.test/callback'], token_endpoint_auth_method: 'none' })],
    status: 201,
  }),
};
