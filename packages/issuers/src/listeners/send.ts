import type { ServerResponse } from 'node:http';
import { completeResponse, renderError, securityHeaders, sendResponse } from '@carnet/provider/server';

/** The response to a request that reaches no issuer. */
const refusalOf = (error: unknown) => completeResponse(renderError(error, ''), securityHeaders);

export const refuse = (response: ServerResponse, error: unknown): void => sendResponse(response, refusalOf(error));

/** The same for a Web Request. */
export const refusedResponse = (error: unknown): Response => {
  const { status, headers, text } = refusalOf(error);
  const entries = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  return new Response(text ?? null, { status, headers: entries as [string, string][] });
};
