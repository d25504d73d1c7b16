import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@carnet/test-servers/listen';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAccountsClient } from '../src/client.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const serve = async (answer: (request: IncomingMessage, body: string) => Answer): Promise<URL> => {
  const { origin, close } = await listen(async (request, response) => {
    const { status, body } = answer(request, await text(request));
    response.writeHead(status, { 'content-type': 'application/json', location: 'http://127.0.0.1:1/' });
    response.end(JSON.stringify(body));
  });
  onTestFinished(close);
  return new URL(`${origin}/base/`);
};

const attempt = { login: 'ada', password: 'secret', binding: 'c' };

describe('the client of the accounts API', () => {
  it('posts the input with the token, and returns the answer without unknown members', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, body) => {
      seen.push(request.method, request.url, request.headers.authorization, JSON.parse(body));
      return { status: 200, body: { state: 'refused', more: 1 } };
    });
    const accounts = createAccountsClient({ url, token: 't' });
    expect(await accounts.signIn.password(attempt)).toEqual({ state: 'refused' });
    expect(seen).toEqual(['POST', '/base/admin/accounts/sign-in/password', 'Bearer t', attempt]);
  });

  it.each([
    [409, 'expired_progress', 'expired_progress'],
    [409, 'not_supported', 'not_supported'],
    [400, 'invalid_request', 'invalid_input'],
    [401, 'invalid_token', 'unauthorized'],
    [403, undefined, 'unauthorized'],
    [404, undefined, 'not_supported'],
    [503, 'temporarily_unavailable', 'unavailable'],
    [502, undefined, 'unavailable'],
    [500, 'server_error', 'failed'],
    [303, undefined, 'unavailable'],
  ])('turns %i %s into the error %s, without the input', async (status, error, code) => {
    const url = await serve(() => ({ status, body: { error } }));
    const failure = createAccountsClient({ url }).signIn.password(attempt);
    await expect(failure).rejects.toMatchObject({ name: 'AccountsError', code });
    await expect(failure).rejects.not.toThrow(/secret/);
  });

  it('returns a result that may be absent, which is a member of the body', async () => {
    const bodies = [{ found: { binding: 'c', remember: true } }, {}];
    const url = await serve(() => ({ status: 200, body: bodies.shift() }));
    const { providers } = createAccountsClient({ url });
    expect(await providers.read({ state: 's' })).toEqual({ binding: 'c', remember: true });
    expect(await providers.read({ state: 's' })).toBeUndefined();
  });

  it('refuses an answer that is not valid, and a server that does not answer is an outage', async () => {
    const url = await serve(() => ({ status: 200, body: { state: 'done' } }));
    await expect(createAccountsClient({ url }).signIn.password(attempt)).rejects.toMatchObject({ code: 'failed' });
    const dead = createAccountsClient({ url: new URL('http://127.0.0.1:1') });
    await expect(dead.settings()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
