import type { Client } from '../api/wire.ts';

const isLoopback = ({ hostname }: URL): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);

/** The registered logo of a client: an https URL, or one of this machine. */
export const clientLogo = ({ logo_uri: uri }: Client): URL | undefined => {
  if (!uri || !URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)) ? url : undefined;
};

/**
 * The logo of the client, beside the operator's, which is above the card. The browser loads it, from the one host that the
 * Content-Security-Policy of the page names. So this server sends no request to a URL that a client chose, and the client
 * learns nothing that its own redirect to this site has not shown: neither challenge nor cookie goes with the request. The
 * name is text beside it, so that the alternative text is empty.
 */
export function ClientLogo({ url }: { readonly url: URL }) {
  return <img className="client-logo" src={url.href} alt="" referrerPolicy="no-referrer" />;
}
