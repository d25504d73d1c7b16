import type { Accounts } from '@carnet/accounts';
import { onTestFinished } from 'vitest';
import { servePages } from '../../../../test/browser/serve-pages.ts';
import { pagesOf } from '../../src/pages.ts';
import type { Services } from '../../src/services.ts';
import { partOfServices } from '../services.ts';

export interface AccountPages {
  readonly ui: string;
  /** The bodies with which login requests were accepted. */
  readonly accepted: object[];
}

/** The pages of these accounts, until the end of the test. The provider has every login request. */
export const startAccountPages = async (accounts: Accounts): Promise<AccountPages> => {
  const accepted: object[] = [];
  let ui = '';
  const accept = async (_challenge: string, body: object) => {
    accepted.push(body);
    return { state: 'decided', redirectTo: `${ui}/error?error=none` } as const;
  };
  const request = { skip: false, subject: '', client: { client_id: 'shop', client_name: 'Shop' } };
  const login = { find: async () => ({ state: 'open', request }) as const, accept, reject: accept };
  const services = partOfServices({ api: { login } as unknown as Services['api'], accounts });
  const { port, close } = await servePages((received) =>
    pagesOf({ ...services, settings: { ...services.settings, uiUrl: new URL(ui) } })(received),
  );
  onTestFinished(() => close());
  ui = `http://localhost:${port}`;
  return { ui, accepted };
};
