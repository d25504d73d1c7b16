import type { Api, CreatedOAuth2Client } from '@carnet/provider';
import { bodyOf, type Call, done, pageOf, pageParameters, segment } from './call.ts';

type Clients = Api['clients'];
type Client = Awaited<ReturnType<Clients['get']>>;

const path = '/clients';

const same = <Item>(item: Item): Item => item;

const lists = ['redirect_uris', 'grant_types', 'response_types', 'contacts'] as const;

/** The client with the lists that the request did not send. The admin API answers `null` for them, as Hydra does. */
const withLists = <Changed extends Client>(client: Changed): Changed => {
  const missing = lists.filter((name) => (client[name] ?? null) === null);
  return { ...client, ...Object.fromEntries(missing.map((name) => [name, []])) };
};

const createChanges = (
  call: Call,
): Pick<Clients, 'create' | 'replace' | 'update' | 'patch' | 'setLifespans' | 'delete'> => {
  const patch: Clients['patch'] = (id, operations) =>
    bodyOf<Client>(call({ method: 'PATCH', path: path + segment(id), json: operations }));
  return {
    create: async (json) => withLists(await bodyOf<CreatedOAuth2Client>(call({ method: 'POST', path, json }))),
    replace: async (id, json) =>
      withLists(await bodyOf<Client>(call({ method: 'PUT', path: path + segment(id), json }))),
    async update(id, changes) {
      const { client_secret } = changes;
      // `null` sets the default, as in process.
      const operations = Object.entries<unknown>({ ...changes }).flatMap(([name, value]) =>
        value === undefined ? [] : [{ op: 'add' as const, path: segment(name), value: value as object | null }],
      );
      const client = await patch(id, operations);
      return client_secret === undefined ? client : { ...client, client_secret: client_secret ?? undefined };
    },
    patch,
    delete: (id) => done(call({ method: 'DELETE', path: path + segment(id) })),
    setLifespans: (id, json) => bodyOf(call({ method: 'PUT', path: `${path}${segment(id)}/lifespans`, json })),
  };
};

export const clientsOf = (call: Call): Clients => ({
  ...createChanges(call),
  get: (id) => bodyOf(call({ method: 'GET', path: path + segment(id) })),
  list: ({ clientName, owner, ...page } = {}) => {
    const query = { client_name: clientName, owner, ...pageParameters(page) };
    return pageOf<Client, Client>(call({ method: 'GET', path, query }), same);
  },
  rotateSecret: (id) => bodyOf(call({ method: 'POST', path: `${path}${segment(id)}/secrets/rotate` })),
  revokeRotatedSecrets: (id) => bodyOf(call({ method: 'DELETE', path: `${path}${segment(id)}/secrets/rotate` })),
});

export const registrationTokensOf = (call: Call): Api['registrationTokens'] => ({
  async create({ expiresIn, reusable } = {}) {
    type Token = {
      readonly id: string;
      readonly token: string;
      readonly reusable: boolean;
      readonly expires_at: string;
    };
    const json = { expires_in: expiresIn, reusable };
    const { expires_at, ...token } = await bodyOf<Token>(call({ method: 'POST', path: '/registration-tokens', json }));
    return { ...token, expiresAt: new Date(expires_at) };
  },
  delete: (id) => done(call({ method: 'DELETE', path: `/registration-tokens${segment(id)}` })),
});
