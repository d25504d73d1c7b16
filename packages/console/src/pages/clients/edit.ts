import { CarnetError, type ClientMetadata, type OAuth2Client } from '@carnet/provider';
import { clientsMessages } from '../../messages/clients/index.ts';
import { fill } from '../../messages/fill.ts';
import { changeForm, checkbox, choice, hidden, textField } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import { type Answer, type PageContext, type PageRoute, page, redirect } from '../../page/route.ts';
import { clientIndexOf } from './client-index.ts';
import { clientPath } from './client-row.ts';
import { backLink } from './detail.ts';
import { findClient, findUnchanged, problemOfInput, versionField } from './find-client.ts';
import { itemsIn } from './kinds.ts';
import { problemNote } from './problem-note.ts';

/** The common members, as the form has them. The page with JSON has all of them. */
const texts = ['client_name', 'scope', 'owner', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri'] as const;
const optionalTexts = ['backchannel_logout_uri'] as const;
const lists = ['redirect_uris', 'grant_types', 'audience', 'allowed_cors_origins', 'contacts'] as const;
const optionalLists = ['post_logout_redirect_uris'] as const;

/** Response types contain blanks, so each line is one. */
const linesIn = (text: string | null): readonly string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const authMethods = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
];

type Change = Record<string, string | boolean | readonly string[] | null>;

/** The changes that the form asks for. A method that stays the same is not sent: sending it would register it. */
const changesIn = (form: URLSearchParams, client: OAuth2Client): ClientMetadata => {
  const changes: Change = { skip_consent: form.get('skip_consent') === 'true' };
  for (const name of texts) changes[name] = form.get(name)?.trim() ?? '';
  for (const name of optionalTexts) changes[name] = form.get(name)?.trim() || null;
  for (const name of lists) changes[name] = itemsIn(form.get(name));
  for (const name of optionalLists) changes[name] = itemsIn(form.get(name)).length > 0 ? itemsIn(form.get(name)) : null;
  changes.response_types = linesIn(form.get('response_types'));
  changes.access_token_strategy = form.get('access_token_strategy') || null;
  const method = form.get('token_endpoint_auth_method');
  if (method && method !== client.token_endpoint_auth_method) changes.token_endpoint_auth_method = method;
  return changes as ClientMetadata;
};

interface Form {
  readonly client: OAuth2Client;
  /** The value of a field. */
  readonly textOf: (name: string) => string;
}

/** The values of a client as the fields show them. */
const valuesOf =
  (client: OAuth2Client): Form['textOf'] =>
  (name) => {
    const value: unknown = new Map<string, unknown>(Object.entries(client)).get(name);
    return Array.isArray(value) ? value.join('\n') : String(value ?? '');
  };

const fieldsOf = ({ language }: PageContext, { client, textOf }: Form): Html => {
  const { fields, edit } = clientsMessages(language);
  const field = (name: Exclude<keyof typeof fields, 'refresh'>, rows?: number): Html => {
    const { label, hint } = fields[name];
    return textField({ name, label, hint: hint || undefined, value: textOf(name), lines: rows });
  };
  return html`${hidden(versionField, client.updated_at)}
${field('client_name')}${field('redirect_uris', 4)}${field('post_logout_redirect_uris', 2)}${field('backchannel_logout_uri')}
${field('scope')}${field('grant_types', 3)}${field('response_types', 2)}
${choice({
  name: 'token_endpoint_auth_method',
  label: fields.token_endpoint_auth_method.label,
  value: textOf('token_endpoint_auth_method'),
  options: authMethods.map((method) => [method, method]),
})}
${choice({
  name: 'access_token_strategy',
  label: fields.access_token_strategy.label,
  value: textOf('access_token_strategy'),
  options: [
    ['', edit.byDefault],
    ['opaque', edit.opaque],
    ['jwt', edit.jwt],
  ],
})}
${field('audience', 2)}${field('allowed_cors_origins', 2)}
${checkbox('skip_consent', fields.skip_consent.label, textOf('skip_consent') === 'true')}
${field('client_uri')}${field('logo_uri')}${field('policy_uri')}${field('tos_uri')}${field('owner')}${field('contacts', 2)}`;
};

const formPage = (context: PageContext, form: Form, problem?: string): Answer => {
  const { language, link } = context;
  const { client } = form;
  const { edit } = clientsMessages(language);
  return page(
    fill(edit.title, { name: client.client_name || client.client_id }),
    html`${problemNote(problem)}${changeForm(
      link(clientPath(client.client_id, '/edit')),
      edit.submit,
      fieldsOf(context, form),
    )}${backLink(context, client)}`,
    problem === undefined ? 200 : 400,
  );
};

const save = async (context: PageContext): Promise<Answer> => {
  const { server, form, audit, link, language, now } = context;
  try {
    const client = await findUnchanged(context, clientsMessages(language).edit.changed);
    const { client_id: clientId } = client;
    const changed = await server.clients.update(clientId, changesIn(form, client));
    audit('console.client.update', { clientId });
    clientIndexOf({ clients: server.clients, now }).put(changed);
    return redirect(link(clientPath(clientId), { done: 'saved' }));
  } catch (error) {
    const isChanged = error instanceof CarnetError && error.code === 'changed';
    const problem = isChanged ? error.message : problemOfInput(error);
    const client = await findClient(context);
    // The fields keep the text of the operator, and the version is the present one: a second attempt overwrites.
    return formPage(context, { client, textOf: (name) => form.get(name) ?? '' }, problem);
  }
};

/** The form of the common members. */
export const routes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: '/clients/:id/edit',
    role: 'operator',
    answer: async (context) => {
      const client = await findClient(context);
      return formPage(context, { client, textOf: valuesOf(client) });
    },
  },
  { method: 'POST', path: '/clients/:id/edit', role: 'operator', answer: save },
];
