import { type AdminRequest, requestAdmin as send } from '@carnet/adapter-contract/kit';
import type { z } from 'zod';
import { Problem } from '../problem.ts';

export interface AdminApiOptions {
  readonly adminUrl: URL;
  readonly adminToken?: string | undefined;
  readonly issuer: URL;
  /** Default 5,000. */
  readonly timeoutMilliseconds?: number;
}

/**
 * Sends a request to the admin API and returns every response below 500.
 *
 * @throws Problem `api_unavailable` if the provider does not answer in time, or with a 5xx
 */
export const requestAdmin = async (
  { adminUrl, adminToken, timeoutMilliseconds = 5000 }: AdminApiOptions,
  request: AdminRequest,
): Promise<Response> => {
  const server = { url: adminUrl, token: adminToken, timeoutMs: timeoutMilliseconds };
  try {
    const response = await send(server, request);
    if (response.status >= 500) throw new Error(`the admin API answered ${response.status}`);
    return response;
  } catch (cause) {
    throw new Problem('api_unavailable', { cause });
  }
};

export const refused = (response: Response): Problem =>
  new Problem('api_refused', { cause: `the admin API answered ${response.status}` });

/** The body of a successful response. @throws Problem `api_refused` for any other response, or a body that is not valid */
export const parsed = async <T>(response: Response, schema: z.ZodType<T>): Promise<T> => {
  if (!response.ok) throw refused(response);
  const result = schema.safeParse(await response.json().catch(() => undefined));
  if (!result.success) throw new Problem('api_refused', { cause: result.error });
  return result.data;
};
