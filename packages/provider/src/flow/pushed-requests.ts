import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { randomText } from '../random.ts';
import { readSealedPayload } from '../storage/payload.ts';
import { recordId } from '../storage/record-id.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import type { Envelope } from './envelope.ts';
import { grantIdOfPushed, pushedIdOf } from './flow-id.ts';
import type { Redemptions } from './redemptions.ts';

const pushedRequest = z.object({
  /** Sealed with the request: a record that was swapped in the store is not accepted. */
  reference: z.string(),
  /** Seconds since 1970. */
  expiresAt: z.number(),
  params: z.record(z.string(), z.string()).readonly(),
  resources: z.array(z.string()).readonly(),
  /** The client was authenticated, or has signed the request. */
  isAuthenticated: z.boolean(),
  redirectUriOmitted: z.boolean().optional(),
  extra: z.record(z.string(), z.string()).readonly().optional(),
});

type PushedRequest = Readonly<Omit<z.output<typeof pushedRequest>, 'reference'>>;

const prefix = 'urn:ietf:params:oauth:request_uri:';

/** Whether a `request_uri` names a pushed request, and not a URL. */
export const isPushedUri = (requestUri: string): boolean => requestUri.startsWith(prefix);

const keyOf = (reference: string): RecordKey => ({ kind: 'pushed_request', id: recordId(reference) });

/**
 * Pushed requests, stored sealed until their `request_uri` expires. The first redeemed code uses a request up: all of its
 * flows have the same grant, and the redemption claims it. A URL that is loaded twice, or by a link checker, therefore
 * does no harm, and a second code is refused.
 */
export const createPushedRequests = ({
  envelope,
  redemptions,
  now,
}: Clock & { readonly envelope: Envelope; readonly redemptions: Pick<Redemptions, 'record'> }) => {
  const open = (reference: string, record: FoundRecord): PushedRequest | undefined => {
    const bytes = envelope.open('pushed_request', readSealedPayload(record));
    const { data } = pushedRequest.safeParse(bytes && JSON.parse(bytes.toString()));
    return data?.reference === reference && data.expiresAt > now() / 1000 ? data : undefined;
  };

  return {
    /** The `request_uri` of a request (RFC 9126, section 2.2), and the record to store. */
    create(request: PushedRequest): { readonly requestUri: string; readonly record: StoredRecord } {
      const reference = randomText(32);
      const sealed = envelope.seal('pushed_request', Buffer.from(JSON.stringify({ ...request, reference })));
      const expiresAt = new Date(request.expiresAt * 1000);
      return {
        requestUri: prefix + reference,
        record: { ...keyOf(reference), payload: JSON.stringify(sealed), expiresAt },
      };
    },
    /** Undefined if a request has expired, or a code for it was redeemed. @throws `storage_unavailable` */
    async find(requestUri: string, uow: Pick<UnitOfWork, 'read'>) {
      const reference = requestUri.slice(prefix.length);
      const id = pushedIdOf(reference);
      const { kind, id: mark, grantId } = redemptions.record(grantIdOfPushed(id));
      const [record, redeemed] = await Promise.all([uow.read(keyOf(reference)), uow.read({ kind, id: mark, grantId })]);
      const request = record && redeemed === undefined ? open(reference, record) : undefined;
      return request && { ...request, id };
    },
  };
};

export type PushedRequests = ReturnType<typeof createPushedRequests>;
