import { afterAll, afterEach, beforeAll } from 'vitest';
import { createBrowser } from '../browser.ts';
import { redirectUri } from '../clients.ts';
import { type DocumentHost, openDocumentHost } from '../document-host.ts';
import { type Instance, type StartOptions, start } from '../harness.ts';
import { authorizationUrl, type Json } from '../login.ts';

type DocumentsConfig = NonNullable<
  NonNullable<NonNullable<StartOptions['config']>['features']>['clientIdMetadataDocument']
>;

export interface Documents {
  /** The host of the documents; its list of fetched paths is empty at the start of each test. */
  host(): DocumentHost;
  /** A provider that takes clients with documents, until the end of the test. */
  open(documents?: DocumentsConfig, options?: StartOptions): Promise<Instance>;
  /** A document of its own for each test; returns the client id. */
  documented(document?: Json, headers?: Readonly<Record<string, string>>): string;
}

/** The host of documents, and providers that fetch them, for the tests of one file. */
export const useDocuments = (): Documents => {
  let host: DocumentHost;
  let count = 0;
  const instances: Instance[] = [];
  beforeAll(async () => {
    host = await openDocumentHost();
  });
  afterEach(async () => {
    for (const instance of instances.splice(0)) await instance.stop();
    host.fetched.length = 0;
  });
  afterAll(() => host.close());
  return {
    host: () => host,
    open: async (documents = {}, options = {}) => {
      const instance = await start({
        ...options,
        config: { ...options.config, features: { clientIdMetadataDocument: { enabled: true, ...documents } } },
      });
      instances.push(instance);
      return instance;
    },
    documented: (document = {}, headers) => {
      count += 1;
      return host.put(
        `/client-${count}.json`,
        {
          client_name: 'Documented',
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          scope: 'openid offline_access profile',
          ...document,
        },
        headers,
      );
    },
  };
};

export const pathOf = (id: string): string => new URL(id).pathname;

/** What a browser is answered that comes with this client id. */
export const visit = async (instance: Instance, id: string, params: Readonly<Record<string, string>> = {}) => {
  const response = await createBrowser().get(authorizationUrl(instance, { id }, params));
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
};

/** Whether the login app is asked for this client. */
export const isAsked = async (instance: Instance, id: string): Promise<boolean> =>
  (await visit(instance, id)).location?.includes('login_challenge') === true;
