import { jsonHeaders } from '../page/respond.ts';
import type { AccountContext, AccountPage } from './account-context.ts';
import { identitiesOf } from './identities.tsx';

const show = async (context: AccountContext): Promise<Response> => {
  const { accounts, services, login, profile, sessions = [] } = context;
  const { subject } = login;
  const [{ factors }, applications, linked] = await Promise.all([
    accounts.factors.list({ owner: { subject } }),
    services.sessionsApi.clients(subject),
    identitiesOf(context),
  ]);
  const { user, claims, directory } = profile;
  // The names in the file, which other programs may read, are those of the admin API.
  const listed = factors.map(({ createdAt: created_at, lastUsedAt: last_used_at, ...factor }) => ({
    ...factor,
    created_at,
    last_used_at,
  }));
  const identities = linked.map(({ linkedAt: linked_at, ...identity }) => ({ ...identity, linked_at }));
  const data = { subject, user, directory, claims, factors: listed, identities, sessions, applications };
  const headers = { ...jsonHeaders, 'content-disposition': 'attachment; filename="account.json"' };
  return new Response(`${JSON.stringify(data, undefined, 2)}\n`, { headers });
};

/** /account/export: a file with everything that is stored about the user, without secrets (GDPR, articles 15 and 20). */
export const exportData: AccountPage = { isFresh: true, show };
