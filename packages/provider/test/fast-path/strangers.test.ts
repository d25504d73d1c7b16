import { expect, it } from 'vitest';
import { redirectUri } from '../clients.ts';
import { codeChallenge } from '../login.ts';
import { startPair } from './pair.ts';
import { formPost, type RawHttp } from './raw-http.ts';

const beginning = new URLSearchParams({
  client_id: 'nobody',
  response_type: 'code',
  scope: 'openid',
  redirect_uri: redirectUri,
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
});

const requests: readonly RawHttp[] = [
  { target: `/oauth2/auth?${beginning}` },
  formPost('/oauth2/token', 'grant_type=client_credentials&client_id=nobody&client_secret=whatever'),
  formPost('/oauth2/token', 'grant_type=client_credentials', [['Authorization', `Basic ${btoa('nobody:whatever')}`]]),
];

it('a client that does not exist is looked for once, whoever asks for it', async () => {
  const pair = await startPair();
  for (const request of requests) {
    const { difference, fast } = await pair.bothAnswer(request);
    expect(difference).toBeUndefined();
    expect(fast.status).not.toBe(200);
    expect(pair.sides.fast.calls.reads.length).toBe(1);
  }
  await pair.stop();
});
