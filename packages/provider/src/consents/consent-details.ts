import type { FoundRecord } from '@carnet/adapter-contract';
import type { Given } from '../clients/registration-id.ts';
import type { KeptRequest } from '../flow/kept-request.ts';
import { spaceDelimited, spaceDelimitedAll } from '../text/space-delimited.ts';
import { readGrant } from '../tokens/grant-details.ts';
import type { Consent } from './consent.ts';
import { readConsent } from './remembered-consents.ts';

/** The members of a consent that its record holds. */
export type ConsentDetails = Pick<
  Consent,
  'scopes' | 'audience' | 'requestedScopes' | 'requestedAudience' | 'skip' | 'rememberFor' | 'acr' | 'amr' | 'context'
> &
  Given & {
    readonly grantId: string;
    readonly sid: string;
    /** Seconds since 1970. */
    readonly handledAt: number;
    readonly request?: KeptRequest;
    readonly idToken?: Readonly<Record<string, unknown>>;
    readonly accessToken?: Readonly<Record<string, unknown>>;
  };

interface Granted {
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
}

/** The requested values. A record without its request shows the granted ones in their place. */
const requestedIn = (
  request: KeptRequest | undefined,
  granted: Granted,
): Pick<Consent, 'requestedScopes' | 'requestedAudience'> => {
  if (request === undefined) return { requestedScopes: granted.scopes, requestedAudience: granted.audience };
  const { scope, audience, resource } = request.params;
  return { requestedScopes: spaceDelimited(scope), requestedAudience: spaceDelimitedAll([audience, resource]) };
};

/** The consent in the record of a grant. */
export const ofGrant = (record: FoundRecord): ConsentDetails => {
  const { scope, audience, skip = false, ...rest } = readGrant(record);
  const granted = { scopes: spaceDelimited(scope), audience };
  return { ...rest, ...granted, grantId: record.grantId ?? '', skip, ...requestedIn(rest.request, granted) };
};

/** The consent in the record of a remembered consent. */
export const ofConsent = (record: FoundRecord): ConsentDetails => {
  const { expiresAt } = record;
  const { grantId = '', sid = '', ...rest } = readConsent(record);
  const rememberFor = expiresAt === null ? 0 : Math.round(expiresAt.getTime() / 1000) - rest.handledAt;
  return { ...rest, grantId, sid, rememberFor, skip: false, ...requestedIn(rest.request, rest) };
};
