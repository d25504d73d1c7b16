import { beforeEach, describe, expect, it } from 'vitest';
import { partOfServices, postForm } from '../../test/services.ts';
import type { UserCodeDecided } from '../api/admin-api.ts';
import type { Services } from '../services.ts';
import { createAttemptLimit } from './attempt-limit.ts';
import { showDevice, showDeviceSuccess, submitDevice } from './device.tsx';

const url = 'http://127.0.0.1:3000/device?device_challenge=c1';

let answer: UserCodeDecided;
let typed: string[];
let services: Services;

beforeEach(() => {
  answer = { state: 'decided', redirectTo: 'http://127.0.0.1:4444/oauth2/device/verify?device_verifier=v' };
  typed = [];
  const device = {
    accept: async (_challenge, userCode) => {
      typed.push(userCode);
      return answer;
    },
  } satisfies Services['api']['device'];
  services = partOfServices({
    api: { device } as unknown as Services['api'],
    userCodes: createAttemptLimit({ limit: 3, windowSeconds: 300 }),
  });
});

const post = (userCode: string, decision = '') =>
  postForm(services, submitDevice, url, [
    ['user_code', userCode],
    ['decision', decision],
  ]);

describe('the page for the code of a device', () => {
  it('asks for it', async () => {
    const html = await (await showDevice(services, new Request(url))).text();
    expect(html).toContain('Enter the code');
    expect(html).toMatch(/<input id="user_code"[^>]* value=""/);
    expect(html).toContain('id="verify"');
  });

  it('shows the one of a link to be compared, and sends nothing by itself', async () => {
    const html = await (await showDevice(services, new Request(`${url}&user_code=BCDFGHJK`))).text();
    expect(html).toContain('Is this the code on your device?');
    expect(html).toContain('value="BCDF-GHJK"');
    expect(typed).toEqual([]);
  });

  it('has a way out for a user who did not start this, after which nothing is connected', async () => {
    const html = await (await showDevice(services, new Request(`${url}&user_code=BCDFGHJK`))).text();
    expect(html).toMatch(/class="caution"/);
    expect(html).toContain('This was not me');
    const response = await post('BCDF-GHJK', 'reject');
    expect(await response.text()).toContain('Nothing was connected');
    expect(typed).toEqual([]);
  });

  it('writes nothing into the page that is markup', async () => {
    const html = await (
      await showDevice(services, new Request(`${url}&user_code=${encodeURIComponent('"><b>')}`))
    ).text();
    expect(html).not.toContain('<b>');
  });

  it('needs a challenge', async () => {
    await expect(showDevice(services, new Request('http://127.0.0.1:3000/device'))).rejects.toMatchObject({
      code: 'missing_challenge',
    });
  });

  it('goes on with what was typed', async () => {
    const response = await post('bcdf-ghjk');
    expect([response.status, typed]).toEqual([303, ['bcdf-ghjk']]);
    expect(response.headers.get('location')).toContain('device_verifier=v');
  });

  it('counts only a form of its own', async () => {
    const body = new URLSearchParams({ user_code: 'BCDFGHJK' });
    const forged = submitDevice(services, new Request(url, { method: 'POST', body }));
    await expect(forged).rejects.toMatchObject({ code: 'forged_form' });
    expect(typed).toEqual([]);
  });

  it('says that a code is wrong, and keeps it to be corrected', async () => {
    answer = { state: 'wrong' };
    const response = await post('WRONGONE');
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain('No device has this code');
    expect(html).toContain('value="WRONGONE"');
  });

  it('says so when the provider has had enough', async () => {
    answer = { state: 'tooMany' };
    const response = await post('BCDFGHJK');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10']);
  });

  it('does not pass on more wrong codes from one address than it may, and counts no right one', async () => {
    for (let i = 0; i < 5; i++) await post('RIGHTONE');
    answer = { state: 'wrong' };
    for (let i = 0; i < 3; i++) expect((await post('WRONGONE')).status).toBe(400);
    expect((await post('WRONGONE')).status).toBe(429);
    expect(typed).toHaveLength(8);
  });

  it('offers to start again when the challenge is over', async () => {
    answer = { state: 'expired', restartAt: 'http://127.0.0.1:4444/oauth2/device/verify' };
    const response = await post('BCDFGHJK');
    expect(response.status).toBe(410);
    expect(await response.text()).toContain('id="start-again"');
  });
});

describe('the page after it', () => {
  it('says that all is done', async () => {
    expect(await (await showDeviceSuccess(services, new Request(url))).text()).toContain('Your device is connected');
  });
});
