import { createRequire } from 'node:module';
import type * as pkcs11js from 'pkcs11js';
import { FailureError } from './failure.ts';

export type Pkcs11 = typeof pkcs11js;
export type Module = pkcs11js.PKCS11;
export type Handle = pkcs11js.Handle;
export type Attribute = pkcs11js.Attribute;

/** `pkcs11js` is CommonJS and optional: it has to be compiled when it is installed. */
export const loadPkcs11js = (): Pkcs11 => {
  try {
    return createRequire(import.meta.url)('pkcs11js') as Pkcs11;
  } catch {
    throw new FailureError(
      'unfit',
      'the package pkcs11js is not installed or not compiled: run `npm install pkcs11js`, which needs a C++ compiler ' +
        '(pnpm: allow its build in pnpm-workspace.yaml, allowBuilds: pkcs11js: true)',
    );
  }
};

/** Loads the shared library. It stays loaded until the process ends. */
export const loadModule = ({ PKCS11 }: Pkcs11, path: string): Module => {
  try {
    const module = new PKCS11();
    module.load(path);
    return module;
  } catch {
    throw new FailureError(
      'unfit',
      `the PKCS #11 module ${path} cannot be loaded: install it, and check module-path in the URL of the signer`,
    );
  }
};
