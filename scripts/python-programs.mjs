// Programs from PyPI that the tests run, each installed once on a machine, outside of the workspace.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(homedir(), '.cache', 'carnet-tools');

/** AWS's services for tests: https://docs.getmoto.org. `moto[server]` would need twice as much space, for other services. */
export const moto = {
  name: 'moto',
  version: '5.2.5',
  requirements: ['moto[kms]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5'],
  sizeMb: 140,
};

/** A compliance test of SCIM servers: https://scim2-tester.readthedocs.io. */
export const scimTester = {
  name: 'scim2-tester',
  version: '0.5.2',
  requirements: ['scim2-tester==0.5.2', 'scim2-cli==0.6.0', 'scim2-client==0.13.2', 'scim2-models==0.12.3'],
  sizeMb: 40,
};

const folderOf = ({ name, version }) => join(cache, `${name}-${version}`);

/** The Python that can import the program. Undefined if it is not installed. */
export const pythonOf = (program) => {
  const python = join(folderOf(program), 'bin', 'python');
  return existsSync(python) ? python : undefined;
};

/**
 * Installs a program unless it is there. `run(command, args)` resolves with whether the command succeeded. The folder gets
 * its name at the end, so that a broken installation is never taken for a whole one, and two processes may install at once.
 */
export const installPythonProgram = async (program, run) => {
  if (pythonOf(program) !== undefined) return true;
  const building = `${folderOf(program)}.${process.pid}`;
  mkdirSync(cache, { recursive: true });
  try {
    if (!(await run('python3', ['-m', 'venv', building]))) return false;
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...program.requirements];
    const python = join(building, 'bin', 'python');
    // Once more: a registry may be out of reach for a moment.
    if (!(await run(python, install)) && !(await run(python, install))) return false;
    try {
      renameSync(building, folderOf(program));
    } catch (error) {
      // Another process has installed it meanwhile.
      if (pythonOf(program) === undefined) throw error;
    }
    return true;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
};
