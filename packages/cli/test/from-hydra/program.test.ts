import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '@carnet/test-servers';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { describe, expect, test } from 'vitest';
import { createBrowser, locationOf } from '../../../provider/test/browser.ts';
import { redirectUri } from '../../../provider/test/clients.ts';
import { createSdk } from '../../../provider/test/hydra-client/sdk.ts';
import { authorizationUrl, challengeIn, redeem } from '../../../provider/test/login.ts';
import { runCarnet } from '../run-carnet.ts';
import { main, startProgram } from '../start-program.ts';
import { hydraFiles } from './examples.ts';

const folder = folderForTests();

describe("a Hydra user's configuration and program", () => {
  test('run here: the quickstart, converted, and @ory/hydra-client as administrator and login app', async () => {
    const [port, adminPort] = [await findFreePort(), await findFreePort()];
    const quickstart = String(hydraFiles['the five minute quickstart']).replaceAll('4444', String(port));
    const ports = `  public:\n    port: ${port}\n  admin:\n    port: ${adminPort}\n`;
    writeFileSync(join(folder, 'hydra.yml'), quickstart.replace('serve:\n', `serve:\n${ports}`));

    const { exitCode, out } = await runCarnet(['config', 'from-hydra', join(folder, 'hydra.yml')]);
    expect(exitCode).toBe(0);
    writeFileSync(join(folder, 'carnet.yaml'), out);
    const program = startProgram(main, ['serve', 'all', '--dev', '--config', join(folder, 'carnet.yaml')]);
    await program.line('"msg":"ready"');

    const instance = { issuer: `http://127.0.0.1:${port}`, admin: `http://127.0.0.1:${adminPort}` };
    const { oauth2 } = createSdk(instance);
    const { data: client } = await oauth2.createOAuth2Client({
      oAuth2Client: {
        client_name: 'From Hydra',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: 'openid offline_access profile',
        subject_type: 'pairwise',
      },
    });
    const testClient = { id: String(client.client_id), secret: client.client_secret };

    const browser = createBrowser();
    const toLogin = locationOf(await browser.get(authorizationUrl(instance, testClient)));
    expect(toLogin.href).toMatch(/^http:\/\/127\.0\.0\.1:3000\/login\?/);
    const loginChallenge = String(toLogin.searchParams.get('login_challenge'));
    const { data: login } = await oauth2.acceptOAuth2LoginRequest({
      loginChallenge,
      acceptOAuth2LoginRequest: { subject: 'alice' },
    });
    const consentChallenge = challengeIn(await browser.get(login.redirect_to), 'consent');
    const { data: consent } = await oauth2.acceptOAuth2ConsentRequest({
      consentChallenge,
      acceptOAuth2ConsentRequest: { grant_scope: ['openid', 'offline_access'] },
    });
    const code = locationOf(await browser.get(consent.redirect_to)).searchParams.get('code') ?? '';
    const { body } = await redeem(instance, testClient, code);
    const { data: introspection } = await oauth2.introspectOAuth2Token({ token: String(body.access_token) });
    expect(introspection).toMatchObject({ active: true, client_id: client.client_id, iss: instance.issuer });
  });
});
