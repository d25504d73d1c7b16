import type { ClientRecord } from '../clients/client-record.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { HttpResponse } from '../http/types.ts';
import type { Browser } from './browser.ts';

/** The end of one kind of flow: a code for the client, or a decision for a device. */
export interface Ending {
  /** The flow ends with a decision for which another client polls. */
  readonly isPolled: boolean;
  /** The client of a flow, if it still exists and may still receive the answer. */
  receiverOf(params: FlowState['params']): Promise<ClientRecord | undefined>;
  /** Ends a flow that is decided or rejected, and commits it. */
  finish(flow: FlowState, client: ClientRecord, browser: Browser): Promise<HttpResponse>;
}

/** One step of a flow, in the browser that began it. */
export type Step = (flow: FlowState, client: ClientRecord, browser: Browser, ending: Ending) => Promise<HttpResponse>;
