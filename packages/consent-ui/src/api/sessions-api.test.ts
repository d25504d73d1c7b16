import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../../test/servers/src/listen.ts';
import { createSessionsApi } from './sessions-api.ts';

/** Puts a client into a provider that has it or not. Returns the methods of the requests. */
const methodsOfPut = async (isKnown: boolean): Promise<readonly string[]> => {
  const methods: string[] = [];
  const { origin, close } = await listen(({ method = '' }, response) => {
    methods.push(method);
    response.writeHead(isKnown || method === 'POST' ? 200 : 404).end('{}');
  });
  onTestFinished(close);
  const adminUrl = new URL(origin);
  await createSessionsApi({ adminUrl, issuer: adminUrl }).putClient({ client_id: 'carnet-account' });
  return methods;
};

it('the client of the account page is created where there is none, without a refused replacement before', async () => {
  expect(await methodsOfPut(false)).toEqual(['GET', 'POST']);
});

it('the client of the account page is replaced where there is one', async () => {
  expect(await methodsOfPut(true)).toEqual(['GET', 'PUT']);
});
