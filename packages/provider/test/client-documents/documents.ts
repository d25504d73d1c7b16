import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterEach } from 'vitest';
import { startInTest } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { redirectUri } from '../clients.ts';
import { type DocumentHost, openDocumentHost } from '../document-host.ts';
import type { Instance, StartOptions } from '../harness.ts';
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
  let count = 0;
  const host = beforeTests(openDocumentHost);
  afterEach(() => {
    host.fetched.length = 0;
  });
  return {
    host: () => host,
    open: (documents = {}, options = {}) =>
      startInTest({
        ...options,
        config: { ...options.config, features: { clientIdMetadataDocument: { enabled: true, ...documents } } },
      }),
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
