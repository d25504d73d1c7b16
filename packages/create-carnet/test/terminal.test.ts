import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { folderForTests } from '../../../test/servers/src/folder-for-tests.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const folder = folderForTests();

const options = ['--disable-warning=ExperimentalWarning', main];
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  TERM: 'xterm',
  npm_config_user_agent: 'pnpm/10.1.0 npm/? node/v24.0.0',
};

/** Runs the command without a terminal. */
const run = (...args: string[]) =>
  spawnSync(process.execPath, [...options, ...args], { cwd: folder, env, encoding: 'utf8', input: '' });

const hasScript = spawnSync('script', ['--version']).status === 0;

/** Runs the command in a pseudo terminal, and types each answer when its question is there. */
const converse = async (
  args: string,
  answers: readonly (readonly [question: string, keys: string])[],
): Promise<string> => {
  // A pseudo terminal without a size would wrap each character.
  const command = `stty cols 120 rows 40; ${process.execPath} ${options.join(' ')} ${args}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { cwd: folder, env });
  const rest = [...answers];
  let [output, seen] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const [next] = rest;
    const at = next === undefined ? -1 : output.indexOf(next[0], seen);
    if (next === undefined || at < 0) return;
    rest.shift();
    seen = at + next[0].length;
    child.stdin.write(next[1]);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return `${output}\nexit code ${code}, unanswered: ${rest.length}`;
};

const down = '\u001b[B';
const enter = '\r';

describe.runIf(hasScript)('in a terminal', () => {
  test('the answers decide the project', async () => {
    const output = await converse('', [
      ['Which folder?', `asked${enter}`],
      ['Where does Carnet run?', down + down + enter],
      ['Where does Carnet store its data?', down + enter],
      ['Which pages sign users in?', down + enter],
      ['Add an MCP server', `y`],
      ['Run `pnpm install` now?', `n`],
    ]);
    expect(output).toContain('exit code 0, unanswered: 0');
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'asked/package.json'), 'utf8'));
    expect(Object.keys(dependencies)).toEqual(
      expect.arrayContaining([
        'fastify',
        '@carnet/adapter-postgres',
        '@carnet/consent-ui',
        '@modelcontextprotocol/sdk',
      ]),
    );
    expect(output).toContain('pnpm start');
  });

  test('a flag leaves no question, and Ctrl-C leaves no file', async () => {
    const output = await converse('cancelled --framework koa --store sqlite --pages own', [
      ['Add an MCP server', '\u0003'],
    ]);
    expect(output).toMatch(/Cancelled\..*exit code 1/s);
    expect(output).not.toContain('Where does Carnet run?');
    expect(existsSync(join(folder, 'cancelled'))).toBe(false);
  });
});

describe('create-carnet without a terminal', () => {
  test('the command asks nothing, and names the flag for the defaults', () => {
    const { status, stderr, stdout } = run('silent');
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining('Add --yes')]);
    expect(existsSync(join(folder, 'silent'))).toBe(false);
  });

  test('--yes creates a project, and a second run refuses its folder', () => {
    const { status, stdout, stderr } = run('twice', '--yes', '--no-install');
    expect([status, stderr]).toEqual([0, '']);
    const env = readFileSync(join(folder, 'twice/.env'), 'utf8');
    for (const [, secret = ''] of env.matchAll(/^(?:SECRETS_SYSTEM|CLIENT_DEMO_SECRET|DEMO_PASSWORD)=(.+)$/gm)) {
      expect(stdout).not.toContain(secret);
    }
    const again = run('twice', '--yes', '--no-install');
    expect([again.status, again.stderr]).toEqual([
      1,
      expect.stringMatching(/twice is not empty: it has .* and \d+ more/),
    ]);
    expect(readFileSync(join(folder, 'twice/.env'), 'utf8')).toBe(env);
  });

  test('--help lists every flag, and a wrong flag is refused in one line', () => {
    const flags = ['--framework', '--store', '--database-url', '--pages', '--mcp', '--install', '--yes', '--help'];
    const { stdout } = run('--help');
    expect(flags.filter((flag) => !stdout.includes(flag))).toEqual([]);
    const { status, stderr } = run('x', '--frame', 'koa');
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Unknown option '--frame'.*\n$/)]);
  });
});
