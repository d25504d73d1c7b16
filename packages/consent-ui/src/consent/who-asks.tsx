import { isLoopbackHost } from '@carnet/adapter-contract/kit';
import type { Client, ConsentRequest } from '../api/wire.ts';
import { Caution } from '../page/caution.tsx';
import { Strong } from '../page/strong.tsx';
import type { View } from '../page/view.ts';

const urlOf = (text: string | null | undefined): URL | undefined => URL.parse(text ?? '') ?? undefined;

/** The host that publishes the client's metadata document; undefined if the client id is not a URL. */
const documentHost = ({ client_id: id }: Client): string | undefined =>
  id.startsWith('https://') ? urlOf(id)?.host || undefined : undefined;

/** The receiver of the answer: a host, this computer, or an app on the user's device. */
const receiverOf = (view: View, redirect: URL): string => {
  const { app, thisComputer } = view.text.consent;
  if (!/^https?:$/.test(redirect.protocol)) return app(redirect.protocol);
  return isLoopbackHost(redirect.hostname) ? thisComputer(redirect.hostname) : redirect.host;
};

interface Asking {
  readonly publishedBy: string | undefined;
  readonly answersTo: URL | undefined;
  /** Any program on the computer can use the id of such a client. */
  readonly isLocal: boolean;
}

/**
 * The facts that the page shows about a client, beside the name that the client chose. Safe because a client can't
 * choose a host
 * freely: an impostor's document is at another host, and its answers go to another host.
 */
export const whoAsks = ({ client, request_url: asked }: Pick<ConsentRequest, 'client' | 'request_url'>): Asking => {
  const redirect = urlOf(urlOf(asked)?.searchParams.get('redirect_uri'));
  const publishedBy = documentHost(client);
  return {
    publishedBy,
    answersTo: redirect,
    isLocal: publishedBy !== undefined && redirect !== undefined && isLoopbackHost(redirect.hostname),
  };
};

export function WhoAsks({ view, asking }: { view: View; asking: Asking }) {
  const { publishedBy, answersTo, isLocal } = asking;
  const text = view.text.consent;
  return (
    <>
      {(publishedBy || answersTo) && (
        <p className="fine" id="who-asks">
          {publishedBy && text.publishedBy(<Strong>{publishedBy}</Strong>)}{' '}
          {answersTo && text.returnTo(<Strong>{receiverOf(view, answersTo)}</Strong>)}
        </p>
      )}
      {isLocal && <Caution id="local-caution">{text.localCaution}</Caution>}
    </>
  );
}
