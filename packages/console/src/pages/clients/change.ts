import { clientsMessages } from '../../messages/clients/index.ts';
import { html } from '../../page/html.ts';
import { type Answer, type PageContext, type PageRoute, page, redirect } from '../../page/route.ts';
import { clientIndexOf } from './client-index.ts';
import { clientPath } from './client-row.ts';
import { backLink, detailPage } from './detail.ts';
import { findClient, findUnchanged } from './find-client.ts';
import { secretShown } from './secret-shown.ts';

const rotate = async (context: PageContext): Promise<Answer> => {
  const { server, audit, language, now } = context;
  const texts = clientsMessages(language);
  // A form that is sent twice would push a valid secret out of the list: the second one does not match the client.
  const { client_id: clientId } = await findUnchanged(context, texts.edit.changed);
  const client = await server.clients.rotateSecret(clientId);
  audit('console.client.rotateSecret', { clientId });
  clientIndexOf({ clients: server.clients, now }).put(client);
  return page(texts.secret.rotate, html`${secretShown(context, client)}${backLink(context, client)}`);
};

const revoke = async (context: PageContext): Promise<Answer> => {
  const { server, audit, link } = context;
  const { client_id: clientId } = await findClient(context);
  await server.clients.revokeRotatedSecrets(clientId);
  audit('console.client.revokeRotatedSecrets', { clientId });
  return redirect(link(clientPath(clientId), { done: 'revoked' }));
};

const remove = async (context: PageContext): Promise<Answer> => {
  const { server, audit, form, link, language, now } = context;
  const client = await findClient(context);
  const { client_id: clientId, client_name: name } = client;
  const typed = form.get('confirmed')?.trim();
  // A name may have characters that no keyboard has, so the id is accepted as well.
  if (typed !== clientId && (name.trim() === '' || typed !== name.trim())) {
    return detailPage(context, client, clientsMessages(language).detail.deleteMismatch);
  }
  await server.clients.delete(clientId);
  audit('console.client.delete', { clientId });
  clientIndexOf({ clients: server.clients, now }).remove(clientId);
  return redirect(link('/clients'));
};

/** The changes of secrets, and the deletion. */
export const routes: readonly PageRoute[] = [
  { method: 'POST', path: '/clients/:id/secret', role: 'operator', answer: rotate },
  { method: 'POST', path: '/clients/:id/earlier-secrets', role: 'operator', answer: revoke },
  { method: 'POST', path: '/clients/:id/delete', role: 'operator', answer: remove },
];
