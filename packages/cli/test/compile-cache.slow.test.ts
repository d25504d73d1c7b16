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
  it('the code is kept in the home of the user who runs the command, readable by that user alone', () => {
    const home = temporaryFolder();
    expectVersion(run({ HOME: home }));
    const folder = join(home, '.cache', 'carnet');
    expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(10);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    expectVersion(run({ HOME: home }));
  });

  it('the code is not kept where other users can write', () => {
    const home = temporaryFolder();
    chmodSync(home, 0o777);
    expectVersion(run({ HOME: home }));
    expect(readdirSync(home)).toEqual([]);
  });

  it.each(['.cache', '.cache/carnet'])('the code is not kept where other users can write to %s', (name) => {
    const folder = join(temporaryFolder(), 'home');
    const open = join(folder, name);
    mkdirSync(open, { recursive: true });
    chmodSync(open, 0o775);
    expectVersion(run({ HOME: folder }));
    expect(readdirSync(open)).toEqual([]);
  });

  it('the code is not kept where a link leads to a folder that other users can write', () => {
    const [home, shared] = [temporaryFolder(), temporaryFolder()];
    chmodSync(shared, 0o777);
    symlinkSync(shared, join(home, '.cache'));
    expectVersion(run({ HOME: home }));
    expect(readdirSync(shared)).toEqual([]);
  });

  it('the code is not kept in a home whose place other users could take', () => {
    const shared = temporaryFolder();
    const home = join(shared, 'home');
    mkdirSync(home);
    chmodSync(shared, 0o777);
    expectVersion(run({ HOME: home }));
    expect(readdirSync(home)).toEqual([]);
  });

  it.runIf(isRoot)('root does not read the code in the home of another user, as `sudo` may leave it', () => {
    const home = temporaryFolder();
    chownSync(home, stranger, stranger);
    expectVersion(run({ HOME: home }));
    expect(readdirSync(home)).toEqual([]);
  });

  it('the code is not kept in the working directory when HOME is empty', () => {
    const cwd = temporaryFolder();
    expectVersion(run({ HOME: '' }, { cwd }));
    expect(existsSync(join(cwd, '.cache'))).toBe(false);
  });

  it.runIf(canStrangerRun)('a user without a home needs no compiled code', () => {
    expectVersion(run({}, { uid: stranger }));
  });
});
