import type { AdminServer } from '@carnet/adapter-contract/kit';
import type { ConsoleServer } from '../console-server.ts';
import { consentsOf, sessionsOf, tokensOf } from './access.ts';
import { bodyOf, createCall, done } from './call.ts';
import { clientsOf, registrationTokensOf } from './clients.ts';
import { eventsOf } from './events.ts';
import { keysOf, trustedIssuersOf } from './keys.ts';
import { accountOf, groupsOf, usersOf } from './users.ts';

export interface AdminApiOptions extends AdminServer, Pick<ConsoleServer, 'issuer'> {}

/** Calls a server in another process by its admin API. */
export const openAdminApiServer = async ({ issuer, ...server }: AdminApiOptions): Promise<ConsoleServer> => {
  const call = createCall(server);
  type OpenApi = { readonly paths: Readonly<Record<string, unknown>> };
  // The routes of parts that are not configured are absent.
  const { paths } = await bodyOf<OpenApi>(call({ method: 'GET', path: '/openapi.json' }));
  const has = (path: string): boolean => Object.hasOwn(paths, path);
  return {
    issuer,
    fetch: (request) => fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(server.timeoutMs) }),
    clients: clientsOf(call),
    registrationTokens: registrationTokensOf(call),
    tokens: tokensOf(call),
    sessions: sessionsOf(call),
    consents: consentsOf(call),
    keys: keysOf(call),
    trustedIssuers: trustedIssuersOf(call),
    users: has('/admin/users') ? usersOf(call) : undefined,
    groups: has('/admin/groups') ? groupsOf(call) : undefined,
    events: has('/admin/events') ? eventsOf(call) : undefined,
    account: has('/admin/accounts/account/show') ? accountOf(call) : undefined,
    ready: () => done(call({ method: 'GET', path: '/health/ready' })),
    metrics: async () => (await call({ method: 'GET', path: '/metrics/prometheus' })).text(),
  };
};
