import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Carnet, ConnectHandler, WebHandler } from '@carnet/provider';
import type { Held } from '../ports.ts';
import { addressOf, webAddressOf } from '../routing/request-address.ts';
import { type ListenerDependencies, selectIssuer, whenKnown } from './select.ts';
import { refuse, refusedResponse } from './send.ts';

/** Keeps a provider open until the response has been sent, or its connection is lost. */
export const releaseAfter = (response: ServerResponse, { release }: Held): void => {
  if (response.closed) release();
  else response.once('close', release);
};

type Answer = (carnet: Carnet) => void;

const createServe = (deps: ListenerDependencies) => (req: IncomingMessage, res: ServerResponse, answer: Answer) =>
  whenKnown(
    () => selectIssuer(deps, addressOf(req)),
    (held) => {
      if (held !== undefined) releaseAfter(res, held);
      // The client has gone while the request waited.
      if (res.closed) return;
      answer(held?.carnet ?? deps.first);
    },
    (error) => refuse(res, error),
  );

/** The endpoints of all issuers. What is for none of them is answered by the first, as if it were the only one. */
export const createPublicListeners = (deps: ListenerDependencies) => {
  const serve = createServe(deps);
  const callback: ConnectHandler = (req, res, next) => serve(req, res, (carnet) => carnet.callback()(req, res, next));
  const fetch: WebHandler = async (request, options) => {
    let held: Held | undefined;
    try {
      held = await selectIssuer(deps, webAddressOf(request));
    } catch (error) {
      return refusedResponse(error);
    }
    try {
      return await (held?.carnet ?? deps.first).fetch(request, options);
    } finally {
      held?.release();
    }
  };
  return {
    callback,
    fetch,
    standalone: (req: IncomingMessage, res: ServerResponse): void =>
      serve(req, res, (carnet) => carnet.standalone()(req, res)),
  };
};
