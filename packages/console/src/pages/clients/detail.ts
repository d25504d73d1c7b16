import type { OAuth2Client } from '@carnet/provider';
import { clientsMessages } from '../../messages/clients/index.ts';
import { fill } from '../../messages/fill.ts';
import { dateTime } from '../../page/dates.ts';
import { changeForm, confirmedForm, hidden, mayChange, textField } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import { type Answer, type PageContext, type PageRoute, page } from '../../page/route.ts';
import { definitions } from '../../page/table.ts';
import { clientPath, nameOf, rowOf } from './client-row.ts';
import { findClient, versionField } from './find-client.ts';
import { problemNote } from './problem-note.ts';

/** Values as text, one in each line: never as links, because their schemes are those of apps. */
const lines = (values: readonly string[] | undefined): Html | undefined =>
  values === undefined || values.length === 0
    ? undefined
    : html`${values.map((value, place) => html`${place === 0 ? '' : html`<br>`}<bdi>${value}</bdi>`)}`;

const usesSecret = ({ token_endpoint_auth_method: method }: OAuth2Client): boolean =>
  method === 'client_secret_basic' || method === 'client_secret_post';

const facts = ({ language }: PageContext, client: OAuth2Client): Html => {
  const { detail, fields, kinds } = clientsMessages(language);
  return definitions([
    [detail.id, html`<code>${client.client_id}</code>`],
    [detail.kind, kinds[rowOf(client).kind].name],
    [fields.token_endpoint_auth_method.label, client.token_endpoint_auth_method],
    [fields.redirect_uris.label, lines(client.redirect_uris)],
    [fields.post_logout_redirect_uris.label, lines(client.post_logout_redirect_uris)],
    [fields.backchannel_logout_uri.label, lines([client.backchannel_logout_uri ?? ''].filter(Boolean))],
    [fields.scope.label, client.scope],
    [fields.audience.label, lines(client.audience)],
    [fields.grant_types.label, lines(client.grant_types)],
    [fields.owner.label, client.owner || undefined],
    [detail.created, dateTime(client.created_at, language)],
    [detail.updated, dateTime(client.updated_at, language)],
  ]);
};

const changes = (context: PageContext, client: OAuth2Client): Html => {
  const { language, link } = context;
  const { detail, secret } = clientsMessages(language);
  const { client_id: id } = client;
  const version = hidden(versionField, client.updated_at);
  const secrets = html`${confirmedForm(context, {
    action: link(clientPath(id, '/secret')),
    summary: secret.rotate,
    warning: secret.rotateWarning,
    fields: version,
  })}${confirmedForm(context, {
    action: link(clientPath(id, '/earlier-secrets')),
    summary: secret.revoke,
    warning: secret.revokeWarning,
  })}`;
  const typed = textField({ name: 'confirmed', label: detail.deleteField, required: true });
  return html`${usesSecret(client) ? secrets : ''}
<details><summary>${detail.delete}</summary><p>${fill(detail.deleteWarning, { name: client.client_name || id })}</p>
${changeForm(link(clientPath(id, '/delete')), detail.delete, typed)}</details>`;
};

/** The page of a client, also after a change that was refused. */
export const detailPage = (context: PageContext, client: OAuth2Client, problem?: string): Answer => {
  const { language, link, query } = context;
  const { detail, secret } = clientsMessages(language);
  const { client_id: id, configuration_key: key } = client;
  const note = { saved: detail.saved, revoked: secret.revoked }[query.get('done') ?? ''];
  const to = (below: string, text: string) => html`<li><a href="${link(clientPath(id, below))}">${text}</a></li>`;
  const isChangeable = mayChange(context) && key === undefined;
  return page(
    client.client_name || id,
    html`${problemNote(problem)}${note === undefined ? '' : html`<p role="status">${note}</p>`}
${key === undefined ? '' : html`<p>${fill(detail.configured, { key })}</p>`}
${facts(context, client)}
<ul>${isChangeable ? to('/edit', detail.edit) : ''}${to('/json', detail.json)}${to('/code', detail.code)}${to(
      '/usage',
      detail.usage,
    )}${mayChange(context) ? to('/try', detail.trial) : ''}</ul>
${isChangeable ? changes(context, client) : ''}`,
    problem === undefined ? 200 : 400,
  );
};

/** The link back to the client, on the pages below it. */
export const backLink = ({ language, link }: PageContext, client: OAuth2Client): Html =>
  html`<p><a href="${link(clientPath(client.client_id))}">${clientsMessages(language).detail.back}</a>: ${nameOf(rowOf(client))}</p>`;

export const routes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: '/clients/:id',
    role: 'viewer',
    answer: async (context) => detailPage(context, await findClient(context)),
  },
];
