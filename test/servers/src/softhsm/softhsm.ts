import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../executables.ts';
import { inNewFolder } from '../server-process.ts';
import { compileFaultyModule, compilePkcs11js } from './compile.ts';

/** The key types of pkcs11-tool. */
export type HsmKeyType = 'EC:prime256v1' | 'EC:edwards25519' | 'EC:secp384r1' | 'rsa:2048' | 'rsa:1024' | 'aes:32';

export interface HsmKey {
  readonly type: HsmKeyType;
  readonly label: string;
  /** CKA_ID in hex. */
  readonly id: string;
  readonly isExtractable?: boolean;
}

/** A SoftHSM for tests: a token of its own in a folder of its own. A process uses one SoftHSM at most. */
export interface SoftHsm {
  /** A PKCS #11 module that is SoftHSM with the faults below. It needs no environment variable. */
  readonly modulePath: string;
  readonly token: string;
  readonly pin: string;
  /** A file that has the PIN. */
  readonly pinFile: string;
  /** The URL of the objects with this label (RFC 7512). */
  url(label: string): string;
  /** Generates a key that cannot be extracted, in another process. */
  generate(key: HsmKey): Promise<void>;
  /** Deletes an object, in another process. */
  destroy(id: string, type: 'privkey' | 'pubkey' | 'secrkey'): Promise<void>;
  /** Runs pkcs11-tool on the token, logged in. */
  tool(...args: readonly string[]): Promise<string>;
  /** Makes every call fail with CKR_DEVICE_REMOVED until the returned function is called. */
  interrupt(): Promise<() => Promise<void>>;
  /** Leaves every call waiting until the returned function is called. */
  stall(): Promise<() => Promise<void>>;
  /** Closes all sessions of each process that uses the module, before its next call. */
  endSessions(): Promise<void>;
  /** Sets the flag CKF_USER_PIN_FINAL_TRY of the token until the returned function is called. */
  warnOfLastTry(): Promise<() => Promise<void>>;
  /** Initializes the token again, in another process: it has no objects then, and the same PIN. */
  initialize(): Promise<void>;
  /** The number of logins that the module received. */
  logins(): number;
  close(): Promise<void>;
}

const run = promisify(execFile);
const token = 'carnet tests';
const pin = '648219';
const soPin = '73516420';

const softHsmModule = (): string => {
  const found = ['/usr/lib/softhsm/libsofthsm2.so', '/usr/lib64/softhsm/libsofthsm2.so'].find((path) =>
    existsSync(path),
  );
  if (found === undefined || !findOnPath('softhsm2-util') || !findOnPath('pkcs11-tool'))
    throw new Error('The tests need SoftHSM and pkcs11-tool: install them (Debian: `softhsm2 opensc`).');
  return found;
};

/** The files of one SoftHSM. */
const prepare = async (folder: string) => {
  const module = softHsmModule();
  const file = (name: string) => join(folder, name);
  const configuration = file('softhsm2.conf');
  mkdirSync(file('tokens'), { mode: 0o700 });
  writeFileSync(
    configuration,
    `directories.tokendir = ${file('tokens')}\nobjectstore.backend = file\nlog.level = ERROR\nslots.removable = false\n`,
  );
  writeFileSync(file('pin'), `${pin}\n`, { mode: 0o600 });
  writeFileSync(file('fault'), '');
  const env = { ...process.env, SOFTHSM2_CONF: configuration };
  const labelAndPins = ['--label', token, '--so-pin', soPin, '--pin', pin];
  await run('softhsm2-util', ['--init-token', '--free', ...labelAndPins], { env });
  await compilePkcs11js();
  const modulePath = await compileFaultyModule(folder, {
    FAULT_FILE: file('fault'),
    SESSIONS_FILE: file('sessions'),
    LOGINS_FILE: file('logins'),
    CONFIGURATION_FILE: configuration,
    SOFTHSM_MODULE: module,
  });
  const tool = async (...args: readonly string[]): Promise<string> => {
    const login = ['--module', module, '--token-label', token, '--login', '--pin', pin];
    return (await run('pkcs11-tool', [...login, ...args], { env })).stdout;
  };
  writeFileSync(file('logins'), '');
  const initialize = async () =>
    void (await run('softhsm2-util', ['--init-token', '--token', token, ...labelAndPins], { env }));
  return { modulePath, pinFile: file('pin'), tool, initialize, file };
};

const generateArgs = ({ type, label, id, isExtractable = false }: HsmKey): readonly string[] => {
  const kind = type.startsWith('aes') ? ['--keygen', '--sensitive'] : ['--keypairgen', '--usage-sign'];
  const name = ['--key-type', type, '--label', label, '--id', id];
  return [...kind, ...name, ...(isExtractable ? ['--extractable'] : [])];
};

/** Initializes a SoftHSM token without keys. The caller closes it. */
export const startSoftHsm = (): Promise<SoftHsm> =>
  inNewFolder('softhsm', async (folder) => {
    const { modulePath, pinFile, tool, initialize, file } = await prepare(folder);
    const withFault = async (name: string) => {
      writeFileSync(file('fault'), name);
      return async () => writeFileSync(file('fault'), '');
    };
    let ended = 0;
    const encoded = (value: string) => encodeURIComponent(value);
    return {
      ...{ modulePath, token, pin, pinFile, tool },
      close: async () => rmSync(folder, { recursive: true, force: true }),
      url: (label) =>
        `pkcs11:token=${encoded(token)};object=${encoded(label)}?module-path=${modulePath}&pin-source=file:${pinFile}`,
      generate: async (key) => void (await tool(...generateArgs(key))),
      destroy: async (id, type) => void (await tool('--delete-object', '--type', type, '--id', id)),
      interrupt: () => withFault('down'),
      stall: () => withFault('stall'),
      endSessions: async () => writeFileSync(file('sessions'), `${++ended}`),
      warnOfLastTry: () => withFault('final-try'),
      initialize,
      logins: () => readFileSync(file('logins')).length,
    };
  });
