import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../executables.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** The folder of an installed package. */
const folderOf = (name: string): string => dirname(require.resolve(`${name}/package.json`));

const compiler = (): string => {
  const found = findOnPath('g++');
  if (found === undefined) throw new Error('The tests need a C++ compiler: install it (Debian: `g++`).');
  return found;
};

/** Writes a shared library under another name first: test files that run at once may compile the same one. */
const compile = async (target: string, args: readonly string[]): Promise<void> => {
  const draft = `${target}.${process.pid}`;
  mkdirSync(dirname(target), { recursive: true });
  await run(compiler(), ['-shared', '-fPIC', '-O2', ...args, '-ldl', '-o', draft]);
  renameSync(draft, target);
};

/**
 * Compiles pkcs11js where npm would have, unless it is compiled. The headers of Node-API are an npm package, so that this needs
 * neither node-gyp nor a download.
 */
export const compilePkcs11js = async (): Promise<void> => {
  const folder = folderOf('pkcs11js');
  const target = join(folder, 'build', 'Release', 'pkcs11.node');
  if (existsSync(target)) return;
  const { include_dir: headers } = require('node-api-headers') as { include_dir: string };
  await compile(target, [
    ...['-std=c++17', '-fno-exceptions', '-I', headers, '-I', join(folder, 'includes')],
    ...['-DNAPI_DISABLE_CPP_EXCEPTIONS', '-DBUILDING_NODE_EXTENSION', '-DNODE_GYP_MODULE_NAME=pkcs11'],
    ...['dl', 'common', 'main'].map((name) => join(folder, 'src', `${name}.cpp`)),
  ]);
};

/** Compiles the module with faults into this folder, and returns its path. */
export const compileFaultyModule = async (
  folder: string,
  constants: Readonly<
    Record<'FAULT_FILE' | 'SESSIONS_FILE' | 'LOGINS_FILE' | 'CONFIGURATION_FILE' | 'SOFTHSM_MODULE', string>
  >,
): Promise<string> => {
  const target = join(folder, 'faulty-module.so');
  await compile(target, [
    ...['-x', 'c', '-fvisibility=hidden', '-pthread', '-I', join(folderOf('pkcs11js'), 'includes')],
    ...Object.entries(constants).map(([name, value]) => `-D${name}=${JSON.stringify(value)}`),
    join(import.meta.dirname, 'faulty-module.c'),
    // The language of the libraries is not C.
    ...['-x', 'none'],
  ]);
  return target;
};
