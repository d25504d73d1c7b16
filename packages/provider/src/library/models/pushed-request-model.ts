import { grantIdOfPushed, pushedIdOf } from '../../flow/flow-id.ts';
import { recordId } from '../../storage/record-id.ts';
import { createPublicQuota } from '../public-quota.ts';
import { currentState, type RequestState, rememberFailure } from '../request-state.ts';
import { type ModelAdapter, type ModelOptions, nothing } from './model.ts';

const keyOf = (reference: string) => ({ kind: 'pushed_request', id: recordId(reference) }) as const;

/**
 * A pushed request (RFC 9126), stored sealed until its `request_uri` expires. The first redeemed code
 * uses it up: all flows of one pushed request have the same grant, and the redemption claims it. A URL that is loaded
 * twice, or by a link checker, therefore does no harm, and a second code is refused.
 */
export const pushedRequestModel = ({ envelope, redemptions, now }: ModelOptions): ModelAdapter => {
  const assertQuota = createPublicQuota(now);

  const seal = (reference: string, payload: Record<string, unknown>): string =>
    envelope.seal('pushed_request', Buffer.from(JSON.stringify({ ...payload, jti: reference })));

  /** The record names the reference that it is for: a record that was swapped in the store is not accepted. */
  const open = (reference: string, text: string): Record<string, unknown> | undefined => {
    const bytes = envelope.open('pushed_request', JSON.parse(text) as string);
    const payload = bytes && (JSON.parse(bytes.toString()) as Record<string, unknown>);
    return payload?.jti === reference ? payload : undefined;
  };

  const put = async (reference: string, payload: Record<string, unknown>, ttlSeconds: number): Promise<void> => {
    assertQuota(payload.trusted !== true);
    const { uow, redirectUriOmitted, extra } = currentState();
    uow.write({
      type: 'put',
      record: {
        ...keyOf(reference),
        payload: JSON.stringify(seal(reference, { ...payload, redirectUriOmitted, extra })),
        expiresAt: new Date(now() + ttlSeconds * 1000),
      },
    });
  };

  return {
    ...nothing,
    upsert: (reference, payload, ttlSeconds) =>
      rememberFailure(currentState(), () => put(reference, payload, ttlSeconds)),
    async find(reference) {
      const request = currentState();
      const id = pushedIdOf(reference);
      const { kind, id: mark, grantId } = redemptions.record(grantIdOfPushed(id));
      const [record, redeemed] = await Promise.all([
        request.uow.read(keyOf(reference)),
        request.uow.read({ kind, id: mark, grantId }),
      ]);
      const payload = record && open(reference, record.payload);
      if (payload === undefined) return undefined;
      request.pushed = { id, isAuthenticated: payload.trusted === true };
      // oidc-provider has written the client's only redirect URI into the pushed request.
      request.redirectUriOmitted = payload.redirectUriOmitted === true || undefined;
      request.extra = payload.extra as RequestState['extra'];
      return { ...payload, consumed: redeemed !== undefined };
    },
  };
};
