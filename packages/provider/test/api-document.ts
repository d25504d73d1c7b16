import type { RequestListener } from 'node:http';
import { type Carnet, type ConfigInput, createProvider } from '@carnet/provider';
import { listen } from '@carnet/test-servers/listen';
import { pino } from 'pino';
import { configSchema } from '../src/config/schema.ts';
import { hasConfigKey } from '../src/config/schema-keys.ts';
import { withAt } from '../src/config/settings.ts';
import { generateKeys } from '../src/keys/sources/generate-keys.ts';

type Content = Readonly<Record<string, { readonly schema: object }>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
}

export interface Operation {
  readonly operationId?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const issuer = 'http://127.0.0.1:4444';

/** What is off by default, and can be switched on without more. */
const switches = [
  'features.implicit.enabled',
  'features.hybrid.enabled',
  'features.jar.byReference',
  'features.device.enabled',
  'features.jwtBearer.enabled',
  'features.tokenExchange.enabled',
  'features.ciba.enabled',
  'features.resourceIndicators.enabled',
  'oidc.dynamicClientRegistration.enabled',
];

/** Everything that can be switched on: such a provider has every route. */
export const everything = (): ConfigInput =>
  switches
    .filter((key) => hasConfigKey(configSchema, key))
    .reduce((config, key) => withAt(config, key, true), {
      dev: true,
      issuer,
      urls: { backchannelAuthentication: 'http://127.0.0.1:3000/notify' },
      keys: { jwks: generateKeys() as never },
      http: { allowedHosts: ['127.0.0.1:*'] },
      // Checks no user: the document has the operations of the accounts API as soon as there is a directory.
      accounts: {
        directories: [{ name: 'users', kind: 'http', url: 'http://127.0.0.1:3000/users' }],
        secondFactors: { policy: 'none' },
      },
      events: {},
      oidc: {
        subjectIdentifiers: { supportedTypes: ['public', 'pairwise'], pairwise: { salt: 'a-salt-of-the-tests' } },
      },
    } as Record<string, unknown>) as ConfigInput;

const listening = async <T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> => {
  const { origin, close } = await listen(listener);
  try {
    return await use(origin);
  } finally {
    await close();
  }
};

const withEverything = async <T>(use: (carnet: Carnet) => Promise<T>): Promise<T> => {
  const carnet = await createProvider(everything(), { logger: pino({ level: 'silent' }) });
  try {
    return await use(carnet);
  } finally {
    await carnet.close();
  }
};

let document: Promise<ApiDocument> | undefined;

/** The OpenAPI document of the admin API, as a provider serves it that has everything on; asked for once. */
export const apiDocument = (): Promise<ApiDocument> => {
  document ??= withEverything((carnet) =>
    listening(
      carnet.adminCallback(),
      async (url) => (await (await fetch(`${url}/admin/openapi.json`)).json()) as ApiDocument,
    ),
  );
  return document;
};

export interface PublicSurface {
  /** The discovery document. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** `GET /path` for each of the endpoints asked about that is there. */
  readonly present: ReadonlySet<string>;
}

/** Which of these endpoints (`GET /oauth2/auth`) the public listener of such a provider has, and what it says of itself. */
export const publicSurface = (endpoints: readonly string[]): Promise<PublicSurface> =>
  withEverything((carnet) =>
    listening(carnet.standalone(), async (url) => {
      const present = new Set<string>();
      for (const endpoint of endpoints) {
        const [method, path = ''] = endpoint.split(' ');
        const { status } = await fetch(`${url}${path.replace('{id}', 'an-id')}`, { method, redirect: 'manual' });
        if (status !== 404 && status !== 405) present.add(endpoint);
      }
      const response = await fetch(`${url}/.well-known/openid-configuration`);
      return { metadata: (await response.json()) as Record<string, unknown>, present };
    }),
  );
