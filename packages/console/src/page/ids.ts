import { type Html, html } from './html.ts';
import { segment } from './link.ts';
import type { PageContext } from './route.ts';

type Linked = Pick<PageContext, 'link'>;

export const userPath = (subject: string): string => `/users${segment(subject)}`;

export const webhookPath = (name: string): string => `/webhooks${segment(name)}`;

/** The ids of a page as links to the pages of what they name. An id that is undefined has no link. */
export const userLink = ({ link }: Linked, subject: string | undefined): Html | undefined =>
  subject === undefined ? undefined : html`<a href="${link(userPath(subject))}">${subject}</a>`;

export const clientLink = ({ link }: Linked, id: string | undefined, name = id): Html | undefined =>
  id === undefined ? undefined : html`<a href="${link(`/clients${segment(id)}`)}">${name || id}</a>`;

export const requestLink = ({ link }: Linked, id: string | undefined): Html | undefined =>
  id === undefined ? undefined : html`<a href="${link('/events', { request_id: id })}">${id}</a>`;

export const eventLink = ({ link }: Linked, id: string): Html => html`<a href="${link('/events', { id })}">${id}</a>`;
