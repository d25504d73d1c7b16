import { runAtRate } from '../../load/fixed-rate.ts';
import { createLatencies, type Latencies } from '../../load/latencies.ts';
import type { Endpoints } from '../../targets/target.ts';
import { openHttpPool, type Request } from '../../users/http-pool.ts';
import { openLogins } from '../../users/logins.ts';
import type { Client } from '../../users/register-client.ts';
import { familyNames } from './import-into.ts';

/** The token of the SCIM client. */
export const scimToken = 'the-token-of-the-scim-client-of-the-study';

const scim = (path: string): Request => ({
  ...{ method: 'GET', path: `/scim/v2${path}` },
  headers: { Authorization: `Bearer ${scimToken}` },
});

const admin = (path: string): Request => ({ method: 'GET', path: `/admin${path}` });

const login = (index: number): string => `ada.lovelace.${(index * 90) % 9_000}@example.com`;

/** The queries of an administrator and of a SCIM client. */
const queries = {
  'list a page of 50': () => admin('/users?page_size=50'),
  'list disabled users': () => admin('/users?state=disabled&page_size=50'),
  'search by login name, 1 match': (index: number) => admin(`/users?search=${login(index).split('@')[0]}@`),
  'search by name, 1 letter, page of 50': (index: number) =>
    admin(`/users?page_size=50&search=${'abghiklmr'[index % 9]}`),
  'search by family name, page of 50': (index: number) =>
    admin(`/users?page_size=50&search=${familyNames[index % familyNames.length]}`),
  'no users: the version of the server': () => admin('/version'),
  'find by whole login name': (index: number) => admin(`/users?login=${login(index)}`),
  'SCIM: page of 100': (index: number) => scim(`/Users?count=100&startIndex=${1 + 100 * (index % 50)}`),
  'SCIM: userName eq': (index: number) => scim(`/Users?filter=${encodeURIComponent(`userName eq "${login(index)}"`)}`),
} as const;

interface Queried {
  readonly name: string;
  readonly latencies: Latencies;
}

/** Each kind of query in turn, at a fixed rate, beside logins. */
export const measureQueries = async (
  target: Endpoints,
  client: Client,
  { seconds, logins: perSecond }: { readonly seconds: number; readonly logins: number },
): Promise<readonly Queried[]> => {
  const [admins, clients] = [openHttpPool(target.adminUrl, 4), openHttpPool(target.publicUrl, 4)];
  const logins = openLogins(target, client, 32);
  const measured = Object.keys(queries).map((name) => ({ name, latencies: createLatencies() }));
  const requests = Object.values(queries);
  let sent = 0;
  const query = async (): Promise<void> => {
    const index = sent++;
    const at = performance.now();
    const request = requests[index % requests.length]?.(index) ?? admin('/version');
    await (request.path.startsWith('/scim') ? clients : admins).send(request, 200);
    measured[index % requests.length]?.latencies.record(performance.now() - at);
  };
  const isOver = (elapsedMs: number): boolean => elapsedMs > seconds * 1_000;
  try {
    const load = perSecond === 0 ? undefined : runAtRate(async () => void (await logins.run()), { perSecond, isOver });
    await Promise.all([runAtRate(query, { perSecond: 20, isOver }), load]);
    return measured;
  } finally {
    admins.close();
    clients.close();
    logins.close();
  }
};
