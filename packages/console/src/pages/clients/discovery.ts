import type { PageContext } from '../../page/route.ts';

/** The part of the discovery document that the pages about clients use. */
export interface Discovery {
  readonly grant_types_supported?: readonly string[];
}

/** The discovery document of the server. Undefined if it does not answer: the pages then leave out what they derive from it. */
export const readDiscovery = async ({
  server,
  signal,
}: Pick<PageContext, 'server' | 'signal'>): Promise<Discovery | undefined> => {
  const url = `${server.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await server.fetch(new Request(url, { signal }));
  return response.ok ? ((await response.json()) as Discovery) : undefined;
};
