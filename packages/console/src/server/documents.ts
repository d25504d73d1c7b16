import type { JSONWebKeySet } from 'jose';
import type { ConsoleServer } from './console-server.ts';

/** The part of the discovery document that pages use. */
export interface Discovery {
  readonly issuer?: string;
  readonly authorization_endpoint?: string;
  readonly jwks_uri?: string;
  readonly grant_types_supported?: readonly string[];
  readonly prompt_values_supported?: readonly string[];
  readonly response_modes_supported?: readonly string[];
  readonly response_types_supported?: readonly string[];
  readonly subject_types_supported?: readonly string[];
}

interface Reading {
  readonly server: Pick<ConsoleServer, 'issuer' | 'fetch'>;
  readonly signal: AbortSignal;
}

const readJson = async ({ server, signal }: Reading, url: string): Promise<unknown> => {
  const response = await server.fetch(new Request(url, { signal }));
  return response.ok ? await response.json() : undefined;
};

/** The discovery document of the server. Undefined if it does not answer: pages then leave out what they derive from it. */
export const readDiscovery = async (reading: Reading): Promise<Discovery | undefined> => {
  const url = `${reading.server.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  return (await readJson(reading, url)) as Discovery | undefined;
};

/** The public keys of the server. */
export const readKeys = async (reading: Reading, { jwks_uri: url }: Discovery): Promise<JSONWebKeySet> => {
  const found = url === undefined ? undefined : ((await readJson(reading, url)) as Partial<JSONWebKeySet> | undefined);
  return { keys: found?.keys ?? [] };
};
