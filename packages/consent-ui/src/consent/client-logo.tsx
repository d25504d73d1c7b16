import type { Client } from '../api/wire.ts';

const isLoopback = ({ hostname }: URL): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);

/** The registered logo of a client: an https URL, or an http URL on a loopback address. */
export const clientLogo = ({ logo_uri: uri }: Client): URL | undefined => {
  if (!uri || !URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)) ? url : undefined;
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
