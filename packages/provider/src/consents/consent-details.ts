import type { FoundRecord } from '@carnet/adapter-contract';
import type { Given } from '../clients/registration-id.ts';
import type { KeptRequest } from '../flow/kept-request.ts';
import { spaceDelimited, spaceDelimitedAll } from '../text/space-delimited.ts';
import type { GrantPayload } from '../tokens/grant-details.ts';
import type { ConsentSession } from './consent-session.ts';
import type { ConsentPayload } from './remembered-consents.ts';

/** What a record says of a consent by itself. */
export type ConsentDetails = Omit<ConsentSession, 'client' | 'subject' | 'consentRequestId'> &
  Given & { readonly grantId: string };

interface Granted {
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
}

/** The requested values. A record without its request shows the granted ones in their place. */
const requestedIn = (
  request: KeptRequest | undefined,
  granted: Granted,
): Pick<ConsentSession, 'requestedScopes' | 'requestedAudience'> => {
  if (request === undefined) return { requestedScopes: granted.scopes, requestedAudience: granted.audience };
  const { scope, audience, resource } = request.params;
  return { requestedScopes: spaceDelimited(scope), requestedAudience: spaceDelimitedAll([audience, resource]) };
};

export const ofGrant = ({ payload, grantId = '' }: FoundRecord): ConsentDetails => {
  const { scope, audience, skip = false, ...rest } = JSON.parse(payload) as GrantPayload;
  const granted = { scopes: spaceDelimited(scope), audience };
  return { ...rest, ...granted, grantId, skip, ...requestedIn(rest.request, granted) };
};

export const ofConsent = ({ payload, expiresAt }: FoundRecord): ConsentDetails => {
  const {
    scopes,
    audience,
    handledAt,
    registration,
    grantId = '',
    sid = '',
    request,
  } = JSON.parse(payload) as ConsentPayload;
  const rememberFor = expiresAt === null ? 0 : Math.round(expiresAt.getTime() / 1000) - handledAt;
  const granted = { scopes, audience };
  const given = { handledAt, registration };
  return { grantId, sid, ...granted, ...given, rememberFor, skip: false, request, ...requestedIn(request, granted) };
};
