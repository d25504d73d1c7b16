import { runScimTester } from '@carnet/test-servers';
import { expect, test } from 'vitest';
import { startScim, token } from './start-scim.ts';

test('scim2-tester finds only what is decided otherwise: passwords after creation, and a user without `active`', async () => {
  const { url } = await startScim({ requestsPerSecond: 1_000 });
  const lines = await runScimTester({ url, token });
  const failures = lines.flatMap((line, index) => (line.startsWith('ERROR') ? [lines[index + 1]?.trim()] : []));
  const noPassword = 'A password is set when the user is created. Afterwards, the user changes it.';
  expect(failures).toEqual([
    noPassword,
    `Failed to add attribute 'password': ${noPassword}`,
    "PATCH modify() did not remove attribute 'active'",
  ]);
  expect(lines.filter((line) => line.startsWith('SUCCESS')).length).toBeGreaterThan(90);
});
