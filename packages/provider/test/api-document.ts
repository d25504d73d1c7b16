import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ConfigInput, createProvider } from '@carnet/provider';
import { pino } from 'pino';
import { generateKeys } from '../src/keys/generate-keys.ts';

type Content = Readonly<Record<string, { readonly schema: object }>>;

interface Operation {
  readonly operationId?: string;
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Everything that can be switched on: the document of such a provider has every route. */
const everything: ConfigInput = {
  dev: true,
  issuer: 'http://127.0.0.1:4444',
  keys: { jwks: generateKeys() as never },
};

const fetchDocument = async (): Promise<ApiDocument> => {
  const carnet = await createProvider(everything, { logger: pino({ level: 'silent' }) });
  const server = createServer(carnet.adminCallback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return (await (await fetch(`http://127.0.0.1:${port}/admin/openapi.json`)).json()) as ApiDocument;
  } finally {
    server.close();
    server.closeAllConnections();
    await carnet.close();
  }
};

let document: Promise<ApiDocument> | undefined;

/** The OpenAPI document as a provider serves it; asked for once. */
export const apiDocument = (): Promise<ApiDocument> => {
  document ??= fetchDocument();
  return document;
};
