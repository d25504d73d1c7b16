import { z } from 'zod';
import { CarnetError } from '../errors.ts';
import { parseJson } from '../http/strict-json.ts';
import type { OutboundClient, OutboundResponse } from '../outbound/outbound-client.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { HooksConfig } from './config.ts';
import { type HookAnswer, HookError } from './hook.ts';

const maxBytes = 262_144;

const claims = z.record(z.string().max(256), z.unknown()).nullish();
const answerBody = z.object({ session: z.object({ access_token: claims, id_token: claims }).default({}) });

const headersOf = (auth: HooksConfig['token']['auth']): Record<string, string> => {
  const headers = { 'content-type': 'application/json; charset=UTF-8' };
  if (auth.value === undefined) return headers;
  return auth.in === 'header'
    ? { ...headers, [auth.name.toLowerCase()]: auth.value }
    : { ...headers, cookie: `${auth.name}=${encodeURIComponent(auth.value)}` };
};

/** @throws {HookError} The body of the answer is neither logged nor sent to the client, because it may hold user data. */
const readAnswer = ({ status, body }: OutboundResponse): HookAnswer => {
  if (status === 204) return undefined;
  if (status === 403) return { denied: true };
  if (status !== 200) throw new HookError(`the hook answered ${status}`, { isTemporary: status >= 500 });
  try {
    const { session } = answerBody.parse(parseJson(body, { what: 'The answer of the hook', maxBytes }));
    return { claims: { accessToken: session.access_token ?? {}, idToken: session.id_token ?? {} } };
  } catch (error) {
    if (!(error instanceof CarnetError || error instanceof z.ZodError)) throw error;
    throw new HookError('the answer of the hook is invalid', { isTemporary: false });
  }
};

/** A hook that is called by HTTP, as in Hydra: 200 replaces the claims, 204 keeps them, 403 denies the tokens. */
export const createHttpHook =
  (
    { url, auth }: { readonly url: string; readonly auth: HooksConfig['token']['auth'] },
    { outbound, timeoutMs }: { readonly outbound: Pick<OutboundClient, 'send'>; readonly timeoutMs: number },
  ) =>
  async (request: object): Promise<HookAnswer> => {
    try {
      const headers = headersOf(auth);
      const body = JSON.stringify(request);
      return readAnswer(
        await outbound.send({ url, method: 'POST', headers, body, purpose: 'hook', timeoutMs, maxBytes }),
      );
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new HookError(error.message, { cause: error, isTemporary: true });
    }
  };
