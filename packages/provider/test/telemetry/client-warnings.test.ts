import { expect, it } from 'vitest';
import { warningsOf } from '../../src/clients/client-warnings.ts';
import { startBeforeTests } from '../before-tests.ts';
import { adminClients, discovery } from '../call.ts';
import { everyFeature } from '../every-feature.ts';

const instance = startBeforeTests({ config: everyFeature });

/** The warnings in the log line of the last request to the admin API. */
const lastWarnings = (): unknown => {
  const line = instance.logLines.findLast((each) => each.includes('"msg":"request"'));
  return (JSON.parse(line ?? '{}') as { warnings?: unknown }).warnings;
};

it('warns, in the log line of the answer, of wildcard hosts and unknown grant types, and answers as ever', async () => {
  const ineffective = { client_id: 'wild', redirect_uris: ['https://*.app.test/cb'], grant_types: ['password'] };
  const made = await adminClients(instance, 'POST', '', ineffective);
  expect(made.status).toBe(201);
  expect(JSON.stringify(made.body)).not.toContain('warnings');
  const expected = [
    expect.stringMatching(/^client "wild": redirect_uris\.0 has a "\*" in its host/),
    expect.stringMatching(/^client "wild": grant_types\.0 is not a grant type of this server/),
  ];
  expect(lastWarnings()).toEqual(expected);
  await adminClients(instance, 'PUT', '/wild', ineffective);
  expect(lastWarnings()).toEqual(expected);
  await adminClients(instance, 'PATCH', '/wild', [{ op: 'replace', path: '/redirect_uris', value: [] }]);
  expect(lastWarnings()).toEqual([expected[1]]);
  await adminClients(instance, 'PATCH', '/wild', [{ op: 'replace', path: '/grant_types', value: [] }]);
  expect(lastWarnings()).toBeUndefined();
});

it('warns of no grant type that the discovery document offers', async () => {
  const grant_types = (await discovery(instance)).grant_types_supported as string[];
  expect(grant_types.length).toBeGreaterThan(7);
  expect(warningsOf({ redirect_uris: [], grant_types, post_logout_redirect_uris: undefined })).toEqual([]);
});
