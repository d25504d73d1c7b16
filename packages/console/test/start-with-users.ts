import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigInput } from '@carnet/provider/config';
import { onTestFinished } from 'vitest';
import type { Role } from '../src/access/operator.ts';
import { startConsole } from './start-console.ts';

export const hostileText = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`;

/** A console with users in an SQLite accounts database, and events. It is closed at the end of the test. */
export const startWithUsers = async ({ role = 'operator', ...config }: Partial<ConfigInput> & { role?: Role } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-console-'));
  const { dev: _dev, issuer: _issuer, ...rest } = config;
  const console = await startConsole(
    {
      accounts: {
        database: `sqlite:${join(folder, 'accounts.db')}`,
        migrate: true,
        directories: [{ kind: 'sql', name: 'people' }],
        mail: { url: 'smtp://127.0.0.1:1?tls=none', from: 'id@example.com' },
        recovery: { enabled: true },
      },
      events: {},
      ...rest,
    },
    { subject: 'op', name: 'Op', role },
  );
  onTestFinished(async () => {
    await console.carnet.close();
    rmSync(folder, { recursive: true });
  });
  const { users } = console.carnet;
  if (users === undefined) throw new Error('no users are configured');
  const text = async (path: string): Promise<string> => (await console.get(path)).text();
  return {
    ...console,
    users,
    text,
    /** The actions of the audit records of the console. */
    audits: (): unknown[] => console.records.flatMap((fields) => ('audit' in fields ? [fields.audit] : [])),
  };
};

export const userUrl = (subject: string, change = ''): string =>
  `/users/${encodeURIComponent(subject)}${change && `/${change}`}`;
