import { readFileSync } from 'node:fs';
import { errorTable } from '@carnet/provider';
import { describe, expect, it } from 'vitest';
import { runCarnet } from '../../test/run-carnet.ts';
import { describedSettings } from '../config/described-settings.ts';
import { variables } from '../config/variables.ts';

const help = (...words: string[]) => runCarnet(['help', ...words]);

describe('carnet help', () => {
  it('shows every setting with its default and its variables', async () => {
    const sections = new Set(describedSettings().map(({ key }) => key.split('.')[0] ?? ''));
    const shown = (await Promise.all([...sections].map((section) => help('config', section)))).map(({ out }) => out);
    for (const { key } of describedSettings()) expect(shown.join('\n')).toContain(`  ${key}\n`);
    for (const { name } of variables) expect(shown.join('\n')).toMatch(new RegExp(`Variable: .*\\b${name}\\b`));
    expect((await help('config', 'ttl.accessToken')).out).toMatch(
      /^ {2}ttl\.accessToken\n {6}The lifetime of an access token\.\n {6}Default: 3600\n {6}Variable: TTL_ACCESS_TOKEN$/,
    );
  });

  it('shows the members of lists', async () => {
    expect((await help('clients')).out).toMatch(/Members of each item of clients:[\s\S]* {2}redirect_uris\n/);
    expect((await help('config', 'accounts.directories')).out).toMatch(/ {2}bindDn\n[\s\S]* {2}token\n/);
  });

  it('shows the tables of the documents', async () => {
    const { out } = await help('errors');
    for (const [code, { status }] of Object.entries(errorTable))
      expect(out).toMatch(new RegExp(`^ {2}${code} +${status} +\\S`, 'm'));
    const operations = readFileSync(new URL('../../../../docs/operate/operations.md', import.meta.url), 'utf8');
    const metrics = [...operations.matchAll(/^\| `(carnet_\w+)`/gm)].map(([, name = '']) => name);
    expect(metrics.length).toBeGreaterThan(4);
    for (const metric of metrics) expect((await help('metrics')).out).toContain(`  ${metric}`);
  });

  it('lists every topic, and shows each', async () => {
    const names = (await help('topics')).out.split('\n').map((line) => line.trim().split(' ')[0] ?? '');
    expect(names).toEqual(expect.arrayContaining(['config', 'keys', 'errors', 'metrics', 'variables', 'exit-codes']));
    for (const name of names) expect(await help(name), name).toMatchObject({ exitCode: 0, err: '' });
  });

  it('shows the commands of a group before the topic of the same name', async () => {
    expect((await help('keys')).out).toMatch(/ {2}keys rotate[\s\S]* {2}keys\.source\n/);
  });

  it.each([
    [['eror'], 'There is no command and no topic "eror". Did you mean "errors"?'],
    [['migrate', 'upp'], 'Did you mean "migrate up"?'],
    [['config', 'tll'], 'There is no key "tll". Did you mean "ttl"?'],
    [['config', 'port'], 'Did you mean "public.port"?'],
    [['nonsense'], '`carnet help topics` lists the topics.'],
  ])('suggests the nearest for %j', async (words, advice) => {
    expect(await help(...words)).toMatchObject({ exitCode: 2, err: expect.stringContaining(advice) });
  });
});
