import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { installPythonProgram, type PythonProgram, pythonOf } from '../../../scripts/python-programs.mjs';

const succeeds = (command: string, args: readonly string[]): Promise<boolean> =>
  promisify(execFile)(command, args).then(
    () => true,
    (error: Error) => {
      console.error(error.message);
      return false;
    },
  );

/** The Python that can import the program, which is installed once on a machine. */
export const findPython = async (program: PythonProgram): Promise<string> => {
  const { name, version } = program;
  if (pythonOf(program) === undefined) console.log(`Installing ${name} ${version}, once on a machine.`);
  if (!(await installPythonProgram(program, succeeds))) {
    throw new Error(
      `The tests need ${name}: install Python 3 with venv (Debian: \`python3-venv\`), and run \`npm test\`.`,
    );
  }
  return pythonOf(program) as string;
};
