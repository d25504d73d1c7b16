import { execFile } from 'node:child_process';
import { scimTester } from '../../../scripts/python-programs.mjs';
import { findPython } from './python-program.ts';

/** The script of the package is bound to the folder in which it was installed first. */
const program = 'from scim2_cli import cli; cli()';

/** The lines of scim2-tester about a SCIM server, a foreign compliance test: those of a failed check follow `ERROR`. */
export const runScimTester = async (server: { readonly url: string; readonly token: string }): Promise<string[]> => {
  const python = await findPython(scimTester);
  const headers = `Authorization: Bearer ${server.token}`;
  const env = { ...process.env, SCIM_CLI_HEADERS: headers };
  return new Promise((resolve) => {
    // It ends with 1 if a check has failed: the lines say which.
    execFile(python, ['-c', program, '-u', server.url, 'test'], { env, timeout: 120_000 }, (_error, out, err) =>
      resolve(`${out}${err}`.split('\n')),
    );
  });
};
