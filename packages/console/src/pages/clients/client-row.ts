import type { OAuth2Client } from '@carnet/provider';
import { type Html, html } from '../../page/html.ts';
import { segment } from '../../page/link.ts';
import type { PageContext } from '../../page/route.ts';
import { type Kind, kindOf } from './kinds.ts';

/** A client as the list shows it. */
export interface ClientRow {
  readonly id: string;
  readonly name: string;
  /** The hosts of the redirect URIs; of an app scheme, the scheme. */
  readonly hosts: readonly string[];
  readonly kind: Kind;
  readonly updatedAt: string;
}

const hostOf = (uri: string): string => {
  const url = URL.parse(uri);
  return url === null ? uri : url.host || url.protocol;
};

export const rowOf = (client: OAuth2Client): ClientRow => ({
  id: client.client_id,
  name: client.client_name,
  hosts: [...new Set(client.redirect_uris.map(hostOf))],
  kind: kindOf(client),
  updatedAt: client.updated_at,
});

/** The path of a client's page, or of a page below it. */
export const clientPath = (id: string, below = ''): string => `/clients${segment(id)}${below}`;

/** The name, or the id of a client without one. Isolated, because a name may have marks that turn the direction of a text. */
export const nameOf = ({ id, name }: Pick<ClientRow, 'id' | 'name'>): Html => html`<bdi>${name || id}</bdi>`;

export const clientLink = ({ link }: Pick<PageContext, 'link'>, row: Pick<ClientRow, 'id' | 'name'>): Html =>
  html`<a href="${link(clientPath(row.id))}">${nameOf(row)}</a>`;
