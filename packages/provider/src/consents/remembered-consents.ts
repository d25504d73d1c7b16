import type { RecordKey, StoredRecord } from '@carnet/adapter-contract';
import { isLoopbackHost } from '@carnet/adapter-contract/kit';
import { z } from 'zod';
import type { ClientRecord } from '../clients/client-record.ts';
import { isOfRegistration } from '../clients/registration-id.ts';
import { grantIdOf, sidOf } from '../flow/flow-id.ts';
import type { DecidedFlow, FlowState, SignedInFlow } from '../flow/flow-state.ts';
import { keptRequestOf } from '../flow/kept-request.ts';
import { payloadReader, strings } from '../storage/payload.ts';
import { recordId } from '../storage/record-id.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { spaceDelimited, spaceDelimitedAll } from '../text/space-delimited.ts';
import { grantPayload } from '../tokens/grant-details.ts';

const consentPayload = grantPayload
  .pick({
    registration: true,
    handledAt: true,
    acr: true,
    amr: true,
    idToken: true,
    accessToken: true,
    context: true,
    request: true,
  })
  .extend({
    scopes: strings,
    audience: strings,
    /** The grant that is based on it. */
    grantId: z.string().optional(),
    sid: z.string().optional(),
  });

type ConsentPayload = Readonly<z.output<typeof consentPayload>>;

export const readConsent = payloadReader(consentPayload);

/** One record for each subject and client: the latest remembered consent replaces the former one. */
export const consentKey = (subject: string, clientId: string): RecordKey => ({
  kind: 'consent',
  id: recordId(JSON.stringify([subject, clientId])),
});

export const consentRecord = (flow: DecidedFlow): StoredRecord => {
  const { login, consent, params } = flow;
  const { remember: _, rememberFor, authorizationDetails, ...given } = consent;
  const payload: ConsentPayload = {
    ...given,
    acr: login.acr,
    amr: login.amr,
    grantId: grantIdOf(flow),
    sid: sidOf(flow),
    request: keptRequestOf(flow),
  };
  const clientId = params.client_id ?? '';
  return {
    ...consentKey(login.subject, clientId),
    payload: JSON.stringify(payload),
    expiresAt: rememberFor === undefined ? null : new Date((consent.handledAt + rememberFor) * 1000),
    subject: login.subject,
    clientId,
  };
};

const referencePayload = z.object({ subject: z.string(), clientId: z.string() });

/** The subject and client of a grant's consent. It outlives the grant, so that its `consent_request_id` stays usable. */
export const readConsentReference = payloadReader(referencePayload);

export const consentReferenceKey = (grantId: string): RecordKey => ({
  kind: 'consent',
  id: recordId(`consent-of:${grantId}`),
});

/** The record has no subject, so that no list contains it. */
export const consentReference = (
  { flow, consent }: { readonly flow: DecidedFlow; readonly consent: StoredRecord },
  latest: Date,
): StoredRecord => {
  const reference: z.output<typeof referencePayload> = {
    subject: flow.login.subject,
    clientId: flow.params.client_id ?? '',
  };
  const { expiresAt } = consent;
  return {
    ...consentReferenceKey(grantIdOf(flow)),
    payload: JSON.stringify(reference),
    expiresAt: expiresAt !== null && expiresAt < latest ? expiresAt : latest,
  };
};

/**
 * A public client does not authenticate. Its consent is remembered only for a redirect URI that no other client can
 * receive.
 */
const isTrustworthyRedirect = (uri: string): boolean => {
  const { protocol, hostname } = new URL(uri);
  // A private-use scheme can be claimed by any app on the device, whatever host the URI names.
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
};

/** Whether a remembered consent may answer a request. If not, the store is not read. */
export const mayBeRemembered = ({ params, skipLogin }: FlowState, client: ClientRecord, hasHint: boolean): boolean => {
  // Each request with details is about one transaction, such as a payment: an earlier consent does not cover it.
  if (params.authorization_details !== undefined) return false;
  // A first login in a browser in which no consent was remembered costs no read.
  if (!skipLogin && !hasHint) return false;
  const isPublic = client.metadata.token_endpoint_auth_method === 'none';
  return !isPublic || isTrustworthyRedirect(params.redirect_uri ?? '');
};

/** Whether a remembered consent of the user covers the request of a flow, so that the consent app may skip its page. */
export const coversConsent = async (
  { params, login }: SignedInFlow,
  client: ClientRecord,
  uow: Pick<UnitOfWork, 'read'>,
): Promise<boolean> => {
  const record = await uow.read(consentKey(login.subject, client.id));
  if (record === undefined) return false;
  const granted = readConsent(record);
  if (!isOfRegistration(client, granted)) return false;
  return (
    spaceDelimited(params.scope).every((scope) => granted.scopes.includes(scope)) &&
    spaceDelimitedAll([params.audience, params.resource]).every((audience) => granted.audience.includes(audience))
  );
};
