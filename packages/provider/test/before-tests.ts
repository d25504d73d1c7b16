import { beforeTests } from '@carnet/test-servers/before-tests';
import { onTestFinished } from 'vitest';
import { registerClient, type TestClient } from './clients.ts';
import { type Instance, type StartOptions, start } from './harness.ts';

/** `start` before the tests of this block; the instance stops after them. */
export const startBeforeTests = (options?: StartOptions): Instance => beforeTests(() => start(options));

/** `start` in a test; the instance stops when the test has finished. */
export const startInTest = async (options?: StartOptions): Promise<Instance> => {
  const instance = await start(options);
  onTestFinished(instance.stop);
  return instance;
};

/** `registerClient` before the tests of this block. */
export const registerBeforeTests = (...args: Parameters<typeof registerClient>): TestClient =>
  beforeTests(() => registerClient(...args));
