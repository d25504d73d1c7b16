import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SlapdServer } from '@carnet/test-servers';
import { type Child, startChild } from './child.ts';
import { freePorts } from './free-ports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const clock = new URL('clock.mjs', import.meta.url).href;
const usersFile = fileURLToPath(new URL('users.json', import.meta.url));
const consentUi = join(root, 'packages', 'consent-ui');
const relyingParty = join(root, 'examples', 'relying-party');
const readyWithinMs = 120_000;

/** A provider, the consent UI and an application that signs people in, each a process, as `npm start` runs them. */
export interface Stack {
  readonly issuer: string;
  readonly admin: string;
  readonly ui: string;
  readonly application: string;
  /** Everything the processes have printed so far, by name. */
  outputs(): Record<string, string>;
  /** The time of the processes, in milliseconds since 1970. */
  now(): number;
  /** Lets that much time pass for all of the processes. */
  passTime(seconds: number): void;
  /** Ends all processes; rejects if one is left, or had to be killed. */
  stop(): Promise<void>;
}

export type Ports = readonly [provider: number, admin: number, ui: number, application: number];

interface Service {
  readonly name: string;
  readonly cwd: string;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly ready: string;
}

const at = (port: number): string => `http://127.0.0.1:${port}`;

/** Users in an accounts database, with sign-up and emails, instead of the two of `users.json`. */
interface AccountsSettings {
  readonly folder: string;
  /** The port of an SMTP server on this machine. */
  readonly mailPort: number;
  /** The users of the realm corp.example, with groups and a claim of the scope `staff`. */
  readonly slapd: SlapdServer;
}

const ldapDirectory = ({ tlsUrl, reader, peopleDn, groupsDn }: SlapdServer, folder: string) => ({
  name: 'corp',
  kind: 'ldap',
  realms: ['corp.example'],
  urls: [tlsUrl],
  caFile: join(folder, 'ca.pem'),
  bindDn: reader.dn,
  bindPassword: reader.password,
  base: peopleDn,
  groups: 'search',
  groupBase: groupsDn,
  claims: { department: 'description' },
});

const accountsEnv = ({ folder, mailPort, slapd }: AccountsSettings) => ({
  ACCOUNTS_DATABASE: `sqlite:${join(folder, 'accounts.db')}`,
  ACCOUNTS_DIRECTORIES: JSON.stringify([{ name: 'local', kind: 'sql' }, ldapDirectory(slapd, folder)]),
  ACCOUNTS_SCOPES: JSON.stringify({ groups: ['groups'], staff: ['department'] }),
  ACCOUNTS_SIGN_UP_ENABLED: 'true',
  ACCOUNTS_RECOVERY_ENABLED: 'true',
  ACCOUNTS_DELETION_ENABLED: 'true',
  ACCOUNTS_MAIL_URL: `smtp://127.0.0.1:${mailPort}`,
  ACCOUNTS_MAIL_FROM: 'Carnet <accounts@example.com>',
});

/** The users of `users.json`, who have passwords only. */
const fileEnv = {
  ACCOUNTS_DIRECTORIES: JSON.stringify([{ name: 'users', kind: 'file', path: usersFile, subjectPrefix: '' }]),
  ACCOUNTS_SECOND_FACTORS_POLICY: 'none',
};

interface StackSettings {
  readonly ports: Ports;
  readonly uiUrl: string;
  /** The folder of the stack: two stacks at once must not share a store. */
  readonly folder: string;
  readonly accounts: AccountsSettings | undefined;
  readonly uiEnv: Service['env'];
}

const servicesAt = ({
  ports: [provider, admin, ui, application],
  uiUrl,
  folder,
  accounts,
  uiEnv,
}: StackSettings): Service[] => [
  {
    name: 'provider',
    cwd: root,
    command: ['npm', 'run', '-s', 'carnet', '--', 'serve', '--dev', '--workers', '1'],
    env: {
      ISSUER: at(provider),
      PORT: String(provider),
      ADMIN_PORT: String(admin),
      DATABASE_URL: `sqlite:${join(folder, 'carnet.db')}`,
      URLS_LOGIN: `${uiUrl}/login`,
      URLS_CONSENT: `${uiUrl}/consent`,
      URLS_LOGOUT: `${uiUrl}/logout`,
      URLS_ERROR: `${uiUrl}/error`,
      URLS_POST_LOGOUT_REDIRECT: `${uiUrl}/account/signed-out`,
      URLS_DEVICE_VERIFICATION: `${uiUrl}/device`,
      URLS_DEVICE_SUCCESS: `${uiUrl}/device/success`,
      ...(accounts === undefined ? fileEnv : accountsEnv(accounts)),
      // All it has to say, so that whatever leaks into a log is seen.
      LOG_LEVEL: 'trace',
    },
    ready: `${at(admin)}/health/ready`,
  },
  {
    name: 'consent UI',
    cwd: consentUi,
    command: ['npm', 'run', '-s', 'start'],
    env: {
      PORT: String(ui),
      CARNET_ISSUER: at(provider),
      CARNET_ADMIN_URL: at(admin),
      CARNET_UI_URL: uiUrl,
      NODE_ENV: 'production',
      ...uiEnv,
    },
    ready: `${at(ui)}/`,
  },
  {
    name: 'application',
    cwd: relyingParty,
    command: ['npm', 'run', '-s', 'start'],
    env: { PORT: String(application), CARNET_ISSUER: at(provider), CARNET_ADMIN_URL: at(admin) },
    ready: `${at(application)}/`,
  },
];

/** What a shell would give them, and nothing of the developer's own settings. */
const baseEnv = (clockFile: string): Record<string, string> => ({
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter),
  HOME: process.env.HOME ?? tmpdir(),
  NODE_OPTIONS: `--import=${clock}`,
  CLOCK_AHEAD_FILE: clockFile,
});

const stopAll = async (children: readonly Child[]): Promise<void> => {
  const outcomes = await Promise.allSettled(children.map((child) => child.stop()));
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n'));
};

interface StackOptions {
  /** Default: any that are free. */
  readonly ports?: Ports;
  /** With users in an accounts database and in LDAP. */
  readonly accounts?: Omit<AccountsSettings, 'folder'>;
  /** More variables of the consent UI. */
  readonly uiEnv?: Service['env'];
}

/** Starts all three and waits until each answers. */
export const startStack = async ({ ports, accounts: users, uiEnv = {} }: StackOptions = {}): Promise<Stack> => {
  if (!existsSync(join(consentUi, '.next', 'BUILD_ID'))) {
    throw new Error('The consent UI is not built: run `npm run setup`.');
  }
  const chosen = ports ?? ((await freePorts(4)) as unknown as Ports);
  const folder = mkdtempSync(join(tmpdir(), 'carnet-browser-'));
  const clockFile = join(folder, 'clock');
  writeFileSync(clockFile, '0');
  // Browsers accept passkeys for a host name only.
  const uiUrl = users === undefined ? at(chosen[2]) : `http://localhost:${chosen[2]}`;
  const accounts = users && { folder, ...users };
  if (users) writeFileSync(join(folder, 'ca.pem'), users.slapd.ca);
  const services = servicesAt({ ports: chosen, uiUrl, folder, accounts, uiEnv });
  const children = services.map(({ env, ...service }) =>
    startChild({ ...service, env: { ...baseEnv(clockFile), ...env } }),
  );
  const stop = async () => {
    await stopAll(children);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(children.map((child, index) => child.answers(services[index]?.ready ?? '', readyWithinMs)));
  } catch (error) {
    await stop();
    throw error;
  }
  const [provider, admin, , application] = chosen;
  return {
    issuer: at(provider),
    admin: at(admin),
    ui: uiUrl,
    application: at(application),
    outputs: () => Object.fromEntries(children.map((child) => [child.name, child.output()])),
    now: () => Date.now() + Number(readFileSync(clockFile, 'utf8')),
    passTime: (seconds) => writeFileSync(clockFile, String(Number(readFileSync(clockFile, 'utf8')) + seconds * 1000)),
    stop,
  };
};
