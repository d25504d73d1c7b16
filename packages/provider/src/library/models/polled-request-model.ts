import { Provider } from 'oidc-provider';
import { CarnetError } from '../../errors.ts';
import { createFlowId } from '../../flow/flow-id.ts';
import type { FlowState, PolledRequest } from '../../flow/flow-state.ts';
import { requestKey, requestRecord } from '../../flow/polled-requests.ts';
import type { BrowserMessage, BrowserPlace } from '../../http/browser-place.ts';
import { currentState, rememberFailure } from '../request-state.ts';
import { stringParams } from '../string-params.ts';
import { createPublicQuota, type ModelAdapter, type ModelOptions, nothing } from './model.ts';

export interface PolledRequestModelOptions extends Pick<ModelOptions, 'envelope' | 'now'> {
  readonly kind: PolledRequest['kind'];
  /** The place of the client, for requests of devices. */
  readonly placeOf?: (message: BrowserMessage) => BrowserPlace;
}

/** The stored members of oidc-provider's model. */
interface PolledRequestPayload {
  /** Seconds since 1970. */
  readonly exp: number;
  readonly params: object;
  readonly clientId: string;
}

/** Stores a request that its client polls for. `grants/polled-request.ts` redeems it. */
export const polledRequestModel = (options: PolledRequestModelOptions): ModelAdapter => {
  const { envelope, kind, now, placeOf } = options;
  const mayAsk = createPublicQuota(now);

  const put = async (value: string, payload: Record<string, unknown>): Promise<void> => {
    if (Provider.ctx?.oidc.client?.clientAuthMethod === 'none' && !mayAsk()) {
      throw new CarnetError('too_busy', 'Public clients send too many requests. Try again in a moment.');
    }
    const { exp, params, clientId } = payload as unknown as PolledRequestPayload;
    // The authenticated client, because a request object need not repeat `client_id` as a claim.
    const asked = { ...stringParams(params), client_id: clientId };
    const address = placeOf && Provider.ctx && placeOf(Provider.ctx.req).address;
    const device = placeOf && { requestedAt: Math.floor(now() / 1000), address };
    const state: FlowState = { id: createFlowId(now()), expiresAt: exp, params: asked, device };
    const record = requestRecord(envelope, requestKey(kind, value), state);
    currentState().uow.write({ type: 'put', record });
  };

  return {
    ...nothing,
    upsert: (value, payload) => rememberFailure(currentState(), () => put(value, payload)),
  };
};
