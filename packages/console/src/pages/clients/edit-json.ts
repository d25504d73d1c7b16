import { parseJson } from '@carnet/adapter-contract/kit';
import { CarnetError, type ClientMetadata, type OAuth2Client } from '@carnet/provider';
import { clientsMessages } from '../../messages/clients/index.ts';
import { fill } from '../../messages/fill.ts';
import { changeForm, hidden, mayChange, textField } from '../../page/form.ts';
import { html } from '../../page/html.ts';
import { type Answer, type PageContext, type PageRoute, page, redirect } from '../../page/route.ts';
import { clientIndexOf } from './client-index.ts';
import { clientPath } from './client-row.ts';
import { backLink } from './detail.ts';
import { findClient, findUnchanged, problemOfInput, versionField } from './find-client.ts';
import { problemNote } from './problem-note.ts';

const isMetadata = (value: unknown): value is ClientMetadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const jsonPage = (context: PageContext, client: OAuth2Client, text: string, problem?: string): Answer => {
  const { language, link } = context;
  const { edit } = clientsMessages(language);
  const { client_id: id, configuration_key: key } = client;
  const field = textField({ name: 'metadata', label: edit.jsonField, hint: edit.jsonHint, value: text, lines: 30 });
  const isChangeable = mayChange(context) && key === undefined;
  return page(
    fill(edit.jsonTitle, { name: client.client_name || id }),
    html`${problemNote(problem)}${
      isChangeable
        ? changeForm(
            link(clientPath(id, '/json')),
            edit.submit,
            html`${hidden(versionField, client.updated_at)}${field}`,
          )
        : html`<pre>${text}</pre>`
    }${backLink(context, client)}`,
    problem === undefined ? 200 : 400,
  );
};

const save = async (context: PageContext): Promise<Answer> => {
  const { server, form, audit, link, language, now } = context;
  const { edit } = clientsMessages(language);
  const text = form.get('metadata') ?? '';
  try {
    const { client_id: clientId } = await findUnchanged(context, edit.changed);
    const metadata = parseJson(text);
    if (!isMetadata(metadata)) throw new CarnetError('invalid_request', edit.notJson);
    const changed = await server.clients.replace(clientId, metadata);
    audit('console.client.replace', { clientId });
    clientIndexOf({ clients: server.clients, now }).put(changed);
    return redirect(link(clientPath(clientId), { done: 'saved' }));
  } catch (error) {
    const isChanged = error instanceof CarnetError && error.code === 'changed';
    const problem = isChanged ? error.message : problemOfInput(error);
    return jsonPage(context, await findClient(context), text, problem);
  }
};

/** All members of a client as JSON. A viewer reads them: they have no secret, and no hash of one. */
export const routes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: '/clients/:id/json',
    role: 'viewer',
    answer: async (context) => {
      const client = await findClient(context);
      return jsonPage(context, client, JSON.stringify(client, null, 2));
    },
  },
  { method: 'POST', path: '/clients/:id/json', role: 'operator', answer: save },
];
