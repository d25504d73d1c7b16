import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '@carnet/test-servers/listen';
import { afterAll, afterEach, describe, expect, it, test } from 'vitest';
import { createHttpDirectory, type Directory, type DirectoryUser } from '../../src/directory/index.ts';
import { type DirectoryFixture, lawsFor } from '../../src/directory/laws.ts';
import { createFileFixture } from './file-fixture.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real endpoint whose answers a test may replace. */
const startEndpoint = async (answer: Answer) => {
  let current = answer;
  const server = createServer((request, response) => current(request, response));
  const { port, close } = await listen(server);
  return {
    url: new URL(`http://127.0.0.1:${port}/users`),
    answerWith: (other: Answer = answer) => {
      current = other;
    },
    stop: close,
    start: async () => void (await listen(server, port)),
  };
};

/** The protocol, in front of the directory in a file. */
const users = createFileFixture();
let behind: Directory | undefined;

const endpoint = await startEndpoint(async (request, response) => {
  const answer = (status: number, user?: DirectoryUser) =>
    response.writeHead(status).end(JSON.stringify(user && { subject: user.id, claims: user.claims }));
  if (request.headers.authorization !== 'Bearer directory-token' || behind === undefined) return answer(500);
  const { searchParams } = new URL(request.url ?? '', 'http://directory');
  if (request.method === 'GET') {
    const [subject, username] = [searchParams.get('subject'), searchParams.get('username')];
    const user = await (subject === null ? behind.find(username ?? '') : behind.load(subject));
    return user === undefined || user.refusal ? answer(404) : answer(200, user);
  }
  const { username, password } = (await json(request)) as { username: string; password: string };
  const user = await behind.find(username);
  if (user === undefined) await behind.verifyUnknown(password, username);
  const verdict = user && (await behind.verify(user, password));
  return verdict?.accepted ? answer(200, user) : answer(401);
});

afterAll(async () => {
  await endpoint.stop();
  users.remove();
});

const open = (token = 'directory-token', timeoutMs = 5000) =>
  createHttpDirectory({ name: 'web', url: endpoint.url, token, timeoutMs });

const fixture: DirectoryFixture = {
  open: async (wanted) => {
    behind = await users.open(wanted);
    return open();
  },
  stop: () => endpoint.stop(),
  start: () => endpoint.start(),
};

describe('the HTTP directory', () => {
  test.for(lawsFor(['authenticate']))('keeps the law $name', ({ check }) => check(fixture));
});

describe('an answer that the protocol does not have', () => {
  afterEach(() => endpoint.answerWith());
  const answering = (status: number, body: string, headers = {}): Answer => {
    return (_request, response) => void response.writeHead(status, headers).end(body);
  };

  it.each<[string, Answer, RegExp]>([
    ['500', answering(500, '{}'), /answered 500/],
    ['403', answering(403, '{}'), /answered 403/],
    ['404 for a password', answering(404, '{}'), /answered 404/],
    ['another success', answering(204, ''), /answered 204/],
    ['no JSON', answering(200, '<html>'), /not JSON/],
    ['no subject', answering(200, '{"claims":{}}'), /not \{subject, claims\}/],
    ['an empty subject', answering(200, '{"subject":""}'), /not \{subject, claims\}/],
    ['claims that are a list', answering(200, '{"subject":"u1","claims":[]}'), /not \{subject, claims\}/],
    ['more than 1 MiB', answering(200, JSON.stringify({ subject: 'u1', claims: { a: 'x'.repeat(2 ** 20) } })), /1 MiB/],
    ['a redirect', answering(307, '', { location: 'http://127.0.0.1:9/' }), /redirect/],
    ['a closed connection', (request) => void request.socket.destroy(), /fetch failed/],
  ])('an answer outside of the protocol is an outage: %s', async (_what, answer, message) => {
    endpoint.answerWith(answer);
    const failed = open().authenticate?.('alice', 'a password');
    await expect(failed).rejects.toMatchObject({ code: 'unavailable', message: expect.stringMatching(message) });
  });

  it('a missing answer is an outage', async () => {
    endpoint.answerWith(() => undefined);
    await expect(open('directory-token', 100).find('alice')).rejects.toThrow(/no answer in time/);
  });

  it('a refused token is an outage, which check reports with the URL and without the token', async () => {
    const [step] = await open('wrong-token').check();
    expect(step).toMatchObject({ ok: false, step: 'POST', target: endpoint.url.href });
    expect(step?.detail).toMatch(/answered 500/);
    expect(JSON.stringify(step)).not.toContain('wrong-token');
  });

  it('an answer for another subject than the one that was found is refused', async () => {
    endpoint.answerWith(answering(200, '{"subject":"another"}'));
    const verdict = await open().verify({ id: 'u1', handle: 'alice', claims: {} }, 'a password');
    expect(verdict).toEqual({ accepted: false, reason: 'wrong_password' });
  });
});
