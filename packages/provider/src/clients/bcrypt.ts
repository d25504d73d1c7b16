/** bcrypt by whichever implementation is there. */
export interface Bcrypt {
  hash(secret: string, cost: number): Promise<string>;
  compare(secret: string, encoded: string): Promise<boolean>;
  /** Runs in Node's thread pool; the JavaScript one in a thread of its own. Either leaves the event loop to others. */
  readonly native: boolean;
}

const loadNative = async (): Promise<Bcrypt> => {
  const { default: bcrypt } = await import('bcrypt');
  return {
    hash: (secret, cost) => bcrypt.hash(secret, cost),
    compare: (secret, encoded) => bcrypt.compare(secret, encoded),
    native: true,
  };
};

const loadJavaScript = async (): Promise<Bcrypt> => {
  const { createBcryptInThread } = await import('./bcrypt-in-thread.ts');
  return { ...createBcryptInThread(), native: false };
};

let loaded: Promise<Bcrypt> | undefined;

/** The native `bcrypt` where it was installed and loads, otherwise `bcryptjs`. Loaded once. */
export const loadBcrypt = (): Promise<Bcrypt> => {
  loaded ??= loadNative().catch(loadJavaScript);
  return loaded;
};
