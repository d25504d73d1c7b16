import type { RecordKey, StoredRecord } from '@carnet/adapter-contract';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { isOfRegistration } from '../clients/registration.ts';
import type { CookieJar } from '../flow/cookies.ts';
import { words } from '../flow/words.ts';
import { isLoopbackHost } from '../http/config.ts';
import { recordId } from '../storage/record-id.ts';
import { recordOf } from './clients.ts';
import type { DecidedFlow } from './code-and-grant.ts';
import { stateOf } from './request-state.ts';

export interface ConsentPayload {
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  /** Seconds since 1970. */
  readonly handledAt: number;
}

/** One record a subject and client: the latest remembered consent is the one that counts. */
export const consentKey = (subject: string, clientId: string): RecordKey => ({
  kind: 'consent',
  id: recordId(JSON.stringify([subject, clientId])),
});

export const consentRecord = ({ login, consent, params }: DecidedFlow): StoredRecord => {
  const payload: ConsentPayload = { scopes: consent.scopes, audience: consent.audience, handledAt: consent.handledAt };
  const clientId = params.client_id ?? '';
  return {
    ...consentKey(login.subject, clientId),
    payload: JSON.stringify(payload),
    expiresAt: consent.rememberFor === undefined ? null : new Date((consent.handledAt + consent.rememberFor) * 1000),
    subject: login.subject,
    clientId,
  };
};

/** A public client proves nothing of itself: only a redirect URI that nobody else can receive stands in for that. */
const isTrustworthyRedirect = (uri: string): boolean => {
  const { protocol, hostname } = new URL(uri);
  // A scheme of its own can be claimed by any app on the device, whatever host its URI names.
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
};

export interface RememberedConsents {
  /** Whether the consent app may be told to skip. */
  covers(ctx: KoaContextWithOIDC): Promise<boolean>;
}

export const createRememberedConsents = (jar: Pick<CookieJar, 'consentHint'>): RememberedConsents => ({
  async covers(ctx) {
    const { client, session, params, prompts } = ctx.oidc;
    const { uow, cookieHeader, flow } = stateOf(ctx);
    const subject = session?.accountId;
    if (client === undefined || subject === undefined || prompts.has('consent')) return false;
    // A first login in a browser that has never seen a consent remembered costs no read.
    if (!flow?.skipLogin && !jar.consentHint.present(cookieHeader)) return false;
    if (client.clientAuthMethod === 'none' && !isTrustworthyRedirect(String(params?.redirect_uri))) return false;
    const record = await uow.read(consentKey(subject, client.clientId));
    if (record === undefined) return false;
    const granted = JSON.parse(record.payload) as ConsentPayload;
    if (!isOfRegistration(recordOf(client), granted.handledAt)) return false;
    const requestedScopes = words(params?.scope);
    const requestedAudience = words(params?.audience);
    return (
      requestedScopes.every((scope) => granted.scopes.includes(scope)) &&
      requestedAudience.every((audience) => granted.audience.includes(audience))
    );
  },
});
