/**
 * The thread that `pool.ts` starts: one session, one job at a time. Calls of a PKCS #11 module are synchronous and may wait for
 * a network, so that they must run neither on the main thread nor on the few threads that node:fs and node:crypto share.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { FailureError, toFailure } from './failure.ts';
import type { Jobs, Reply, Request, ThreadSettings } from './job.ts';
import { loadModule, loadPkcs11js, type Module, type Pkcs11 } from './module.ts';
import { closeSession, openSession, type Session } from './session.ts';
import { sign } from './sign.ts';
import { findSigningKeys, type SigningKey } from './signing-keys.ts';
import { unwrap, wrap } from './wrap.ts';

const settings = workerData as ThreadSettings;
let loaded: { readonly pkcs11: Pkcs11; readonly module: Module } | undefined;
let session: Session | undefined;
let signingKeys = new Map<string, SigningKey>();

const connected = (): Session => {
  if (!session) throw new FailureError('session', 'the thread has no session');
  return session;
};

const listKeys = () => {
  const { keys, warnings } = findSigningKeys(connected(), settings.object);
  signingKeys = new Map(keys.map((key) => [key.handle, key]));
  return { keys, warnings };
};

/** The objects are listed again for a handle that was not in the last list. */
const keyOf = (handle: string): SigningKey => {
  const known = signingKeys.get(handle);
  if (known) return known;
  listKeys();
  const found = signingKeys.get(handle);
  if (found) return found;
  throw new FailureError('unfit', `the token has no key ${handle} that may sign`);
};

const jobs: { readonly [Name in keyof Jobs]: (input: Jobs[Name]['input']) => Jobs[Name]['result'] } = {
  connect: ({ pin }) => {
    if (session) closeSession(session);
    session = undefined;
    signingKeys = new Map();
    if (!loaded) {
      const pkcs11 = loadPkcs11js();
      loaded = { pkcs11, module: loadModule(pkcs11, settings.modulePath) };
    }
    session = openSession(loaded.pkcs11, loaded.module, { token: settings.token, pin });
    return undefined;
  },
  keys: () => {
    const { keys, warnings } = listKeys();
    return { keys: keys.map(({ handle, alg, publicKey }) => ({ handle, alg, publicKey })), warnings };
  },
  sign: ({ handle, data }) => sign(connected(), keyOf(handle), data),
  wrap: ({ secret }) => wrap(connected(), settings.object, secret),
  unwrap: ({ wrapped }) => unwrap(connected(), settings.object, wrapped),
};

const nameOfJob = {
  connect: 'the login',
  keys: 'the list of keys',
  sign: 'the signature',
  wrap: 'wrap',
  unwrap: 'unwrap',
};

const reply = ({ job, input }: Request): Reply => {
  try {
    return { result: (jobs[job] as (given: typeof input) => Jobs[typeof job]['result'])(input) };
  } catch (error) {
    return { failure: toFailure(error, nameOfJob[job]) };
  }
};

parentPort?.on('message', (request: Request | 'close') => {
  if (request !== 'close') return parentPort?.postMessage(reply(request));
  if (session) closeSession(session);
  parentPort?.close();
});
