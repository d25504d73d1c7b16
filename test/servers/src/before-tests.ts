import { afterAll, beforeAll, onTestFinished } from 'vitest';

interface Running {
  stop?(): unknown;
  close?(): unknown;
}

/**
 * Calls `open` before the tests of this block, and stops or closes what it resolves with after them. Returns an object
 * that stands for the resolved value: its members are there once the tests run.
 */
export const beforeTests = <T extends object>(open: () => Promise<T>): T => {
  let value: (T & Running) | undefined;
  beforeAll(async () => {
    value = await open();
  });
  afterAll(() => (value?.stop ?? value?.close)?.());
  const opened = (): T => {
    if (value === undefined)
      throw new Error('It opens before the tests of its block: use it in a test or a later hook.');
    return value;
  };
  return new Proxy<T>({} as T, {
    get: (_, name) => Reflect.get(opened(), name),
    set: (_, name, member) => Reflect.set(opened(), name, member),
    ownKeys: () => Reflect.ownKeys(opened()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(opened(), name),
  });
};

/** The same, closed at the end of the test. */
export const closing = async <T extends { close(): Promise<unknown> }>(opening: Promise<T>): Promise<T> => {
  const opened = await opening;
  onTestFinished(async () => void (await opened.close()));
  return opened;
};
