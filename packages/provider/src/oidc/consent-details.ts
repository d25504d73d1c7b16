import type { FoundRecord } from '@carnet/adapter-contract';
import { words } from '../flow/words.ts';
import type { ConsentSession } from '../sessions/consent-session.ts';
import type { GrantPayload } from './code-and-grant.ts';
import type { ConsentPayload } from './remembered-consents.ts';

/** What a record says of a consent by itself. */
export type ConsentDetails = Omit<ConsentSession, 'client' | 'subject' | 'consentRequestId'> & {
  readonly grantId: string;
};

export const ofGrant = ({ payload, grantId = '' }: FoundRecord): ConsentDetails => {
  const { scope, audience, requested, skip = false, ...rest } = JSON.parse(payload) as GrantPayload;
  const scopes = words(scope);
  return {
    ...rest,
    grantId,
    scopes,
    audience,
    skip,
    requestedScopes: requested ? words(requested.scope) : scopes,
    requestedAudience: requested ? words(requested.audience) : audience,
  };
};

export const ofConsent = ({ payload, expiresAt }: FoundRecord): ConsentDetails => {
  const { scopes, audience, handledAt, grantId = '', sid = '' } = JSON.parse(payload) as ConsentPayload;
  const rememberFor = expiresAt === null ? 0 : Math.round(expiresAt.getTime() / 1000) - handledAt;
  return {
    grantId,
    sid,
    scopes,
    audience,
    handledAt,
    rememberFor,
    skip: false,
    requestedScopes: scopes,
    requestedAudience: audience,
  };
};
