import type { Ask } from '../library/ask.ts';
import type { ClientAnswer } from './client-endpoint.ts';

/** `POST /oauth2/par` (RFC 9126): oidc-provider validates the request, and its record is stored. */
export const createPushedRequestEndpoint =
  (ask: Pick<Ask, 'push'>): ClientAnswer =>
  async (request, { client }, store) => {
    const { response, writes } = await ask.push(request, client, store.use);
    await store.commit(writes);
    return response;
  };
