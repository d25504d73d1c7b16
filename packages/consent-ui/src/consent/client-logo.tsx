import { isLoopbackHost } from '@carnet/adapter-contract/kit';
import type { Client } from '../api/wire.ts';

/**
 * An origin that a Content-Security-Policy can name. Hosts may contain `;` and `,`, which would begin another directive or
 * policy, and `*`, which would allow every host.
 */
const plainOrigin = /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/;

/**
 * The registered logo of a client: an https URL. An http URL of this machine is accepted only if the pages themselves are served
 * from this machine, for development.
 *
 * @param ui the URL of the pages
 */
export const clientLogo = ({ logo_uri: uri }: Pick<Client, 'logo_uri'>, ui: URL): URL | undefined => {
  const url = URL.parse(uri ?? '');
  if (url === null || !plainOrigin.test(url.origin)) return undefined;
  return url.protocol === 'https:' || [url, ui].every(({ hostname }) => isLoopbackHost(hostname)) ? url : undefined;
};

/**
 * The logo of the client, beside the operator's, which is above the card. The browser loads it, from the one host that the
 * Content-Security-Policy of the page names. So a client cannot make this server send a request for a logo. The request of
 * the browser has neither the challenge nor a cookie of this site. The name is text beside the logo, so the alternative text
 * is empty.
 */
export function ClientLogo({ url }: { readonly url: URL }) {
  return <img className="client-logo" src={url.href} alt="" referrerPolicy="no-referrer" />;
}
