import { writeFile } from 'node:fs/promises';
import { startSoftHsm } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveSigned, signInWith, verifiesWithJose } from './signed-login.ts';
import { main, startProgram } from './start-program.ts';

const hsm = beforeTests(() => startSoftHsm());
beforeAll(async () => {
  await hsm.generate({ type: 'EC:prime256v1', label: 'ES256', id: '01' });
  await hsm.generate({ type: 'rsa:2048', label: 'RS256', id: '02' });
});

describe('carnet serve with keys of an HSM', { timeout: 90_000 }, () => {
  it.each(['ES256', 'RS256'])('signs the tokens of a login with %s, also after its sessions ended', async (alg) => {
    const served = await serveSigned({ KEYS_SOURCE: 'external', SIGNER: hsm.url(alg), ID_TOKEN_ALG: alg });
    // openid-client verifies the ID token.
    const tokens = await signInWith(served, alg);
    expect(tokens.claims()?.sub).toBe('alice');
    for (const jwt of [tokens.id_token, tokens.access_token]) await verifiesWithJose(served, jwt, alg);
    await hsm.endSessions();
    const later = await signInWith(served, alg);
    for (const jwt of [later.id_token, later.access_token]) await verifiesWithJose(served, jwt, alg);
    expect(served.lines.join('\n')).not.toContain(hsm.pin);
  });

  it('ends with 78 and says what to do if the PIN is wrong, after one login', async () => {
    const pinFile = `${hsm.pinFile}.wrong`;
    await writeFile(pinFile, '000000\n');
    const before = hsm.logins();
    const { exited, lines } = startProgram(main, ['serve', '--dev'], {
      ...{ PORT: '0', ADMIN_PORT: '0', KEYS_SOURCE: 'external', ID_TOKEN_ALG: 'ES256' },
      SIGNER: hsm.url('ES256').replace(hsm.pinFile, pinFile),
    });
    expect(await exited).toEqual([78, null]);
    expect(lines.join('\n')).toMatch(/keys\.signer: .*the token refused the PIN .*correct it/);
    expect(lines.join('\n')).not.toContain('000000');
    expect(hsm.logins() - before).toBe(1);
  });
});
