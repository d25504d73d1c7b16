import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main, temporaryFolder } from './start-program.ts';

const isRoot = process.getuid?.() === 0;
/** Whom no list of users names. */
const stranger = 54_321;
const canStrangerRun =
  isRoot &&
  spawnSync(process.execPath, ['-e', `fs.accessSync(${JSON.stringify(main)})`], { cwd: '/', uid: stranger }).status ===
    0;

const run = (env: Readonly<Record<string, string>>, options: { readonly cwd?: string; readonly uid?: number } = {}) => {
  const argv = ['--conditions=@carnet/source', '--disable-warning=ExperimentalWarning', main, 'version'];
  return spawnSync(process.execPath, argv, { encoding: 'utf8', cwd: '/', ...options, env });
};

const expectVersion = ({ status, stdout, stderr }: ReturnType<typeof run>): void =>
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: expect.stringMatching(/\d+\.\d+/), stderr: '' });

describe('code that was compiled', () => {
  it('is kept in the home of whoever runs the command, for nobody else', () => {
    const home = temporaryFolder();
    expectVersion(run({ HOME: home }));
    const folder = join(home, '.cache', 'carnet');
    expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(10);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    expectVersion(run({ HOME: home }));
  });

  it('is not kept where others can write', () => {
    const home = temporaryFolder();
    chmodSync(home, 0o777);
    expectVersion(run({ HOME: home }));
    expect(readdirSync(home)).toEqual([]);
  });

  it.each(['.cache', '.cache/carnet'])('is not kept where others can write to %s', (name) => {
    const folder = join(temporaryFolder(), 'home');
    const open = join(folder, name);
    mkdirSync(open, { recursive: true });
    chmodSync(open, 0o775);
    expectVersion(run({ HOME: folder }));
    expect(readdirSync(open)).toEqual([]);
  });

  it('is not kept where a link leads to what others can write', () => {
    const [home, shared] = [temporaryFolder(), temporaryFolder()];
    chmodSync(shared, 0o777);
    symlinkSync(shared, join(home, '.cache'));
    expectVersion(run({ HOME: home }));
    expect(readdirSync(shared)).toEqual([]);
  });

  it('is not kept in a home whose place others could take', () => {
    const shared = temporaryFolder();
    const home = join(shared, 'home');
    mkdirSync(home);
    chmodSync(shared, 0o777);
    expectVersion(run({ HOME: home }));
    expect(readdirSync(home)).toEqual([]);
  });

  it.runIf(isRoot)('is not read by root from the home of another, as `sudo` may leave it', () => {
    const home = temporaryFolder();
    chownSync(home, stranger, stranger);
    expectVersion(run({ HOME: home }));
    expect(readdirSync(home)).toEqual([]);
  });

  it('is not kept in the folder where the command is given, when HOME is empty', () => {
    const cwd = temporaryFolder();
    expectVersion(run({ HOME: '' }, { cwd }));
    expect(existsSync(join(cwd, '.cache'))).toBe(false);
  });

  it.runIf(canStrangerRun)('is not needed by a user who has no home', () => {
    expectVersion(run({}, { uid: stranger }));
  });
});
