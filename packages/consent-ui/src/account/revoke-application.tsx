import type { ConnectedClient } from '../api/sessions-api.ts';
import { Problem } from '../problem.ts';
import type { AccountContext, AccountPage } from './account-context.ts';
import { respondForm } from './account-page.tsx';
import { respondSaved } from './saved.ts';

const ownClient = async ({ services, login, request }: AccountContext): Promise<ConnectedClient> => {
  const id = new URL(request.url).searchParams.get('client');
  const clients = await services.sessionsApi.clients(login.subject);
  const client = clients.find((each) => each.id === id);
  if (client === undefined) throw new Problem('invalid_link');
  return client;
};

/** /account/applications/revoke?client=...: revokes the consents for a client, and its tokens. */
export const revokeApplication: AccountPage = {
  isFresh: true,
  show: async (context) => {
    const { account } = context.view.text;
    const { name } = await ownClient(context);
    return respondForm(context, {
      title: account.revokeTitle(<strong>{name}</strong>),
      heading: account.revoke,
      text: account.revokeText,
      button: account.revoke,
    });
  },
  submit: async (context) => {
    await context.services.sessionsApi.revoke(context.login.subject, (await ownClient(context)).id);
    return respondSaved('applications');
  },
};
