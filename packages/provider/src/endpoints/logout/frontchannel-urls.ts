import { findOrUnread } from '../../clients/find-or-unread.ts';
import type { OidcDependencies } from '../../library/dependencies.ts';
import type { SessionClient } from '../../sessions/session-clients.ts';

/** More frames than a browser is asked to load for one logout. Who is beyond hears by the back channel, if at all. */
const maxFrames = 40;

type FrontchannelDependencies = { readonly issuer: string } & Pick<OidcDependencies, 'clients'>;

const urlFor = async ({ issuer, clients }: FrontchannelDependencies, { sid, clientId }: SessionClient) => {
  const metadata = (await findOrUnread(clients, clientId))?.metadata;
  if (metadata?.frontchannel_logout_uri === undefined) return undefined;
  const { frontchannel_logout_uri: uri } = metadata;
  // Every client gets both, required or not, as in Hydra: a client that compares them is safe from forged logouts.
  // The registered query stays as it is (Front-Channel Logout 1.0, section 2).
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: issuer, sid })}`;
};

/** What the browser has to load so that clients log the person out (Front-Channel Logout 1.0), each once. */
export const frontchannelUrls = async (
  deps: FrontchannelDependencies,
  told: readonly SessionClient[],
): Promise<readonly string[]> => {
  const urls = new Set<string>();
  // Of a session that has any number of clients only some are looked up at a time.
  for (let at = 0; at < told.length && urls.size < maxFrames; at += maxFrames) {
    const found = await Promise.all(told.slice(at, at + maxFrames).map((each) => urlFor(deps, each)));
    for (const url of found) if (url !== undefined) urls.add(url);
  }
  return [...urls].slice(0, maxFrames);
};
