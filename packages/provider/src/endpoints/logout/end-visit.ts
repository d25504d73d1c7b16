import type { FoundRecord } from '@carnet/adapter-contract';
import { findOrUnread } from '../../clients/find-or-unread.ts';
import { CarnetError } from '../../errors.ts';
import type { LogoutState } from '../../flow/logout-tokens.ts';
import { redirect } from '../../http/redirect.ts';
import type { HttpResponse } from '../../http/types.ts';
import type { Browser } from '../../interaction/browser.ts';
import { pages } from '../../interaction/pages.ts';
import { endSession } from '../../sessions/end-session.ts';
import { readSessionClients, type SessionClient } from '../../sessions/session-clients.ts';
import { conflictName } from '../../storage/stopped-commit.ts';
import type { EndpointDependencies } from '../dependencies.ts';

/** A browser loads no more frames for one logout. Further clients are notified by the back channel only. */
const maxFrames = 40;

const urlFor = async ({ options, clients }: EndpointDependencies, { sid, clientId }: SessionClient) => {
  const metadata = (await findOrUnread(clients, clientId))?.metadata;
  if (metadata?.frontchannel_logout_uri === undefined) return undefined;
  const { frontchannel_logout_uri: uri } = metadata;
  // Every client gets both, required or not, as in Hydra: a client that compares them is safe from forged logouts.
  // The registered query stays as it is (Front-Channel Logout 1.0, section 2).
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: options.issuer, sid })}`;
};

/** The URLs that the browser loads so that clients sign the user out (Front-Channel Logout 1.0), each once. */
const frontchannelUrls = async (
  deps: EndpointDependencies,
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

/** The visit in which a browser's session ends, and where the browser goes afterwards. */
export const createEndVisit = (deps: EndpointDependencies) => {
  const { options, jar, audit } = deps;

  const finish = (redirectTo = options.urls.postLogoutRedirect): HttpResponse =>
    redirectTo === undefined ? pages.loggedOut() : redirect(302, redirectTo);

  const end = async ({ uow }: Browser, record: FoundRecord, state: LogoutState): Promise<HttpResponse> => {
    const members = await readSessionClients(uow.read, state.sid);
    const frames = await frontchannelUrls(deps, members);
    const { ended, writes } = endSession(record, deps.now());
    for (const write of writes) uow.write(write);
    const conflict = await uow.commit('succeeded');
    // Signed out twice at once: the same response is sent.
    if (conflict && conflictName(conflict) !== 'consume:session')
      throw new CarnetError('server_error', `unforeseen conflict: ${conflictName(conflict)}`);
    if (conflict === undefined) {
      deps.deliveries.announce(ended);
      audit({ action: 'logout', outcome: 'success', clientId: state.clientId, subject: state.subject });
    }
    const redirectTo = state.redirectTo ?? options.urls.postLogoutRedirect;
    const response =
      frames.length > 0
        ? pages.loggingOut({ frames, redirectTo, seconds: options.frontchannelSeconds })
        : finish(redirectTo);
    return { ...response, headers: { ...response.headers, 'Set-Cookie': [jar.session.clear()] } };
  };

  return { end, finish };
};
