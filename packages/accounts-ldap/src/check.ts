import type { CheckStep } from '@carnet/accounts/directory';
import { PresenceFilter } from 'ldapts';
import { describeFailure } from './connection/answers.ts';
import { type Connection, openConnection, type Step } from './connection/connection.ts';
import { withDeadline } from './connection/deadline.ts';
import type { ServerUrl } from './connection/server-url.ts';
import type { LdapSettings } from './settings.ts';
import { valuesOf } from './users/entry.ts';

/** Runs steps and records each. A step that fails throws, so that no later one runs. */
const recording =
  (target: string, steps: CheckStep[]): Step =>
  async (step, run) => {
    const startedAt = performance.now();
    const record = (ok: boolean, detail?: string) => {
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      steps.push({ target, step, ok, ms, ...(detail === undefined ? {} : { detail }) });
    };
    try {
      const result = await run();
      record(true, typeof result === 'string' ? result : undefined);
      return result;
    } catch (error) {
      record(false, describeFailure(error));
      throw error;
    }
  };

/** Referrals are reported here, and never followed. */
const describeReferrals = (referrals: readonly string[]): string =>
  referrals.length === 0 ? '' : ` Users on other servers are not found: ${referrals.join(', ')}.`;

/** Searches for one user, and checks that the id is readable. */
const searchUsers = async ({ client }: Connection, settings: LdapSettings): Promise<string> => {
  const { base, filters, idAttribute } = settings;
  const filter = filters.forAny();
  const options = { filter, attributes: [idAttribute], explicitBufferAttributes: [idAttribute], sizeLimit: 1 };
  const { searchEntries, searchReferences } = await client.search(base, options);
  const entry = searchEntries[0];
  const referrals = describeReferrals(searchReferences);
  if (entry === undefined)
    throw new Error(`no user matches the filter below ${base}: check base, filter and rights.${referrals}`);
  if ((valuesOf(entry, idAttribute)[0]?.length ?? 0) === 0)
    throw new Error(
      `the service account cannot read ${idAttribute} of ${entry.dn}: give it the right, or set idAttribute`,
    );
  return `found ${entry.dn}.${referrals}`;
};

const searchGroups = async ({ client }: Connection, { base, groupBase, memberAttributes }: LdapSettings) => {
  const filter = new PresenceFilter({ attribute: memberAttributes[0] ?? 'member' });
  const { searchEntries } = await client.search(groupBase ?? base, { filter, attributes: ['1.1'], sizeLimit: 1 });
  const group = searchEntries[0];
  if (group === undefined) throw new Error(`no group below ${groupBase ?? base}: check groupBase and rights`);
  return `found ${group.dn}`;
};

const checkServer = async (server: ServerUrl, settings: LdapSettings): Promise<readonly CheckStep[]> => {
  const steps: CheckStep[] = [];
  const step = recording(server.url, steps);
  const { timeoutMs, groups, nestedGroups } = settings;
  let connection: Connection | undefined;
  try {
    const opened = await openConnection(server, settings, step);
    connection = opened;
    await step('search', () => withDeadline(searchUsers(opened, settings), timeoutMs, opened.close));
    if (groups === 'search' || (groups === 'memberOf' && nestedGroups))
      await step('group search', () => withDeadline(searchGroups(opened, settings), timeoutMs, opened.close));
  } catch {
    // The failed step is the last one in the list.
  } finally {
    connection?.close();
  }
  return steps;
};

/** Checks each server on a new connection, even if the pools have connections to it. */
export const checkServers = async (settings: LdapSettings): Promise<readonly CheckStep[]> =>
  (await Promise.all(settings.servers.map((server) => checkServer(server, settings)))).flat();
