import type { OAuth2Client } from '@carnet/provider';
import { clientsMessages } from '../../../messages/clients/index.ts';
import { commonMessages } from '../../../messages/common/index.ts';
import { fill } from '../../../messages/fill.ts';
import { choice, queryForm } from '../../../page/form.ts';
import { type Html, html } from '../../../page/html.ts';
import { type PageContext, type PageRoute, page } from '../../../page/route.ts';
import { clientPath } from '../client-row.ts';
import { backLink } from '../detail.ts';
import { findClient } from '../find-client.ts';
import { itemsIn } from '../kinds.ts';
import { libraries } from './libraries.ts';
import type { CodeValues, Library } from './library.ts';

const example = 'https://app.example.com';

const originOf = (uri: string): string => {
  const origin = URL.parse(uri)?.origin ?? 'null';
  return origin === 'null' ? example : origin;
};

/** The registered redirect URI that the library uses, or the one to register. */
const redirectUriOf = ({ redirect_uris: uris }: OAuth2Client, { redirectPath }: Library): string => {
  const [first = `${example}/callback`] = uris;
  if (redirectPath === undefined) return first;
  return uris.find((uri) => URL.parse(uri)?.pathname.endsWith(redirectPath)) ?? `${originOf(first)}${redirectPath}`;
};

/** The values of a client that its code needs. */
const valuesOf = (client: OAuth2Client, library: Library, issuer: string): CodeValues => ({
  issuer,
  clientId: client.client_id,
  redirectUri: redirectUriOf(client, library),
  postLogoutRedirectUri: client.post_logout_redirect_uris?.[0],
  scopes: itemsIn(client.scope),
  hasSecret: client.token_endpoint_auth_method !== 'none',
});

type Reason = 'needsSecret' | 'needsPublic' | 'needsCode';

/** Why a library can not be a client with this registration. */
const reasonAgainst = (client: OAuth2Client, { runs }: Library): Reason | undefined => {
  const isPublic = client.token_endpoint_auth_method === 'none';
  if (!client.grant_types.includes('authorization_code')) return 'needsCode';
  if (runs === 'server' && isPublic) return 'needsSecret';
  return runs === 'browser' && !isPublic ? 'needsPublic' : undefined;
};

const notes = ({ language }: PageContext, client: OAuth2Client, library: Library, values: CodeValues): Html => {
  const { code } = clientsMessages(language);
  const reason = reasonAgainst(client, library);
  const isRegistered = client.redirect_uris.includes(values.redirectUri);
  return html`${reason === undefined ? '' : html`<p><strong>${fill(code.unfit, { reason: code.reasons[reason] })}</strong></p>`}
${reason === undefined && !isRegistered ? html`<p>${fill(code.pathNote, { uri: values.redirectUri })}</p>` : ''}
${values.hasSecret ? html`<p>${code.secretNote}</p>` : ''}`;
};

const answer: PageRoute['answer'] = async (context) => {
  const { language, link, query, server } = context;
  const { code } = clientsMessages(language);
  const client = await findClient(context);
  const fitting = libraries.find((each) => reasonAgainst(client, each) === undefined);
  const library = libraries.find(({ id }) => id === query.get('library')) ?? fitting ?? libraries[0];
  if (library === undefined) throw new TypeError('there are no libraries');
  const values = valuesOf(client, library, server.issuer);
  const field = choice({
    name: 'library',
    label: code.library,
    value: library.id,
    options: libraries.map(({ id, name }) => [id, name]),
  });
  return page(
    fill(code.title, { name: client.client_name || client.client_id }),
    html`${queryForm(link(clientPath(client.client_id, '/code')), field, commonMessages(language).show)}
${notes(context, client, library, values)}<pre tabindex="0"><code>${library.render(values)}</code></pre>${backLink(context, client)}`,
  );
};

/** The code of a client for a library, with its values filled in. The secret stays out of it. */
export const routes: readonly PageRoute[] = [{ method: 'GET', path: '/clients/:id/code', role: 'viewer', answer }];
