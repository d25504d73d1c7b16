import { startMariadb } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { runCarnet } from './run-carnet.ts';

const server = beforeTests(() => startMariadb());

test('the commands migrate, doctor and sweep work on MariaDB, and say what a database lacks', async () => {
  const env = { DATABASE_URL: await server.createDatabase(), ISSUER: 'http://localhost:1' };
  const carnet = async (...args: readonly string[]) => {
    const { exitCode, out, err } = await runCarnet(args, env);
    return { exitCode, text: `${out}\n${err}` };
  };
  const storeIn = (text: string) =>
    text
      .split('\n')
      .filter((line) => /store/.test(line))
      .join('\n');

  expect(await carnet('migrate', 'status')).toMatchObject({
    exitCode: 1,
    text: expect.stringMatching(/missing +0001/),
  });
  expect(storeIn((await carnet('doctor', '--dev')).text)).toMatch(/fail +store .* lacks 0001-records/);
  expect(await carnet('migrate', 'up')).toMatchObject({ exitCode: 0, text: expect.stringContaining('0001-records') });
  expect(await carnet('migrate', 'status')).toMatchObject({ exitCode: 0 });
  expect(storeIn((await carnet('doctor', '--dev')).text)).toMatch(/(ok|warn) +store +answers in/);
  expect(await carnet('sweep')).toMatchObject({ exitCode: 0 });
  expect(await carnet('migrate', 'down', '--yes')).toMatchObject({ exitCode: 0 });
  expect(await carnet('migrate', 'status')).toMatchObject({ exitCode: 1 });
});
