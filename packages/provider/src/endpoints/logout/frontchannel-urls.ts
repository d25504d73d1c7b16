import type { ClientRecord } from '../../clients/client-record.ts';
import { findOrUnread } from '../../clients/find-or-unread.ts';
import type { SessionClient } from '../../sessions/session-clients.ts';

/** A browser loads no more frames for one logout. Further clients are notified by the back channel only. */
const maxFrames = 40;

interface FrontchannelDependencies {
  readonly issuer: string;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
}

const urlFor = async ({ issuer, clients }: FrontchannelDependencies, { sid, clientId }: SessionClient) => {
  const metadata = (await findOrUnread(clients, clientId))?.metadata;
  if (metadata?.frontchannel_logout_uri === undefined) return undefined;
  const { frontchannel_logout_uri: uri } = metadata;
  // Every client gets both, required or not, as in Hydra: a client that compares them is safe from forged logouts.
  // The registered query stays as it is (Front-Channel Logout 1.0, section 2).
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: issuer, sid })}`;
};

/** The URLs that the browser loads so that clients sign the user out (Front-Channel Logout 1.0), each once. */
export const frontchannelUrls = async (
  deps: FrontchannelDependencies,
  members: readonly SessionClient[],
): Promise<readonly string[]> => {
  const urls = new Set<string>();
  // A session may have any number of clients: they are looked up in batches.
  for (let at = 0; at < members.length && urls.size < maxFrames; at += maxFrames) {
    const found = await Promise.all(members.slice(at, at + maxFrames).map((each) => urlFor(deps, each)));
    for (const url of found) if (url !== undefined) urls.add(url);
  }
  return [...urls].slice(0, maxFrames);
};
