import { findFreePort } from '@carnet/test-servers';
import { expect, test } from 'vitest';
import { createFolder, npmInstall, writeFiles } from '../user/folder.ts';
import { startIn } from '../user/program.ts';
import { createBrowser } from './browser.ts';
import { readQuickStart } from './quick-start.ts';
import { openRelyingParty, redirectUri } from './relying-party.ts';

/** A command as it stands in a document, with variables before it. */
const parse = (words: readonly string[]) => {
  const first = words.findIndex((word) => !word.includes('='));
  const [command = '', ...args] = words.slice(first);
  const env = Object.fromEntries(words.slice(0, first).map((word) => word.split('=')));
  return { command, args, env };
};

test('a user signs in at the server and the bundled pages of stand-alone.md', async () => {
  const { packages, files, commands, url: documented = '' } = readQuickStart('stand-alone.md');
  const [serve, ui] = commands.map(parse);
  if (serve === undefined || ui === undefined) throw new Error('two commands are expected');
  const folder = createFolder('stand-alone');
  await npmInstall(folder, packages);
  // The pages of the test have another port than those of dev mode, whose users thus have to be configured.
  const users = '{ database: "sqlite:accounts.db", directories: [{ name: users, kind: sql }], demoUser: true }';
  writeFiles(folder, { ...files, 'carnet.yaml': `${files['carnet.yaml']}accounts: ${users}\n` });

  // The ports of the document may be in use on this machine.
  const [port, adminPort, uiPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const issuer = `http://127.0.0.1:${port}`;
  const pages = `http://localhost:${uiPort}`;
  const server = await startIn(folder, serve.command, serve.args, {
    env: {
      ...serve.env,
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      URLS_LOGIN: `${pages}/login`,
      URLS_CONSENT: `${pages}/consent`,
    },
    ready: /"msg":"ready"/,
  });
  const bundled = await startIn(folder, ui.command, ui.args, {
    env: {
      ...ui.env,
      PORT: String(uiPort),
      CARNET_ISSUER: issuer,
      CARNET_ADMIN_URL: `http://127.0.0.1:${adminPort}`,
    },
    ready: /pages are ready/,
  });
  try {
    const shown = await createBrowser(redirectUri).open(documented.replace(/^http:..[^/]+/, issuer));
    expect(shown.text).toContain('<h1>Sign in</h1>');
    const { url, finish } = await (await openRelyingParty(issuer)).begin();
    const browser = createBrowser(redirectUri);
    const login = await browser.open(url);
    const consent = await browser.submit(login, { email: 'demo@example.com', password: 'carnet-demo' }, 'Sign in');
    const end = await browser.submit(consent, {}, 'Allow access');
    expect(await finish(end.url)).toMatchObject({ idToken: { iss: issuer, aud: 'shop', email: 'demo@example.com' } });
  } catch (error) {
    throw new Error(`${String(error)}\n${server.output()}\n${bundled.output()}`, { cause: error });
  } finally {
    await bundled.stop();
    await server.stop();
  }
});
