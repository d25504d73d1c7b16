import { jsonHeaders } from '../page/respond.ts';
import type { AccountContext, AccountPage } from './account-context.ts';

const show = async ({ accounts, services, login, profile, sessions = [] }: AccountContext): Promise<Response> => {
  const { subject } = login;
  const [{ factors }, applications] = await Promise.all([
    accounts['factors/list']({ owner: { subject } }),
    services.sessionsApi.clients(subject),
  ]);
  const { user, claims, directory } = profile;
  const data = { subject, user, directory, claims, factors, sessions, applications };
  const headers = { ...jsonHeaders, 'content-disposition': 'attachment; filename="account.json"' };
  return new Response(`${JSON.stringify(data, undefined, 2)}\n`, { headers });
};

/** /account/export: a file with everything that is stored about the user, without secrets (GDPR, articles 15 and 20). */
export const exportData: AccountPage = { isFresh: true, show };
