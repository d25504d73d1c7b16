import { type Command, exitCodes, onlyOperand } from '../command.ts';
import { issuerOptions } from '../config/command-line.ts';
import { outputOptions, show } from '../output.ts';
import { withDirectories } from './with-directories.ts';

/** A user of a directory, for both commands that find one. */
interface Found {
  readonly subject: string;
  readonly directory: string;
  readonly realm?: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

const shownUser = ({ subject, directory, realm, claims }: Found) => ({
  body: { subject, directory, ...(realm !== undefined && { realm }), claims },
  headers: ['SUBJECT', 'DIRECTORY', 'REALM', ...Object.keys(claims).map((name) => name.toUpperCase())],
  rows: [[subject, directory, realm ?? '', ...Object.values(claims).map((value) => String(value))]],
  ids: [subject],
});

export const directoryFind: Command = {
  name: 'directory find',
  summary: 'Find a user by login name, and show the subject, the directory and the claims.',
  operands: '<login>',
  options: { ...issuerOptions, ...outputOptions },
  examples: ['carnet directory find ada --config carnet.yaml'],
  run: async (values, surface, operands) => {
    const login = onlyOperand(operands, 'login name');
    const user = await withDirectories(values, surface, (directories) => directories.find(login));
    if (user === undefined) {
      surface.err(
        `carnet: no directory has a user ${login}. Run \`carnet directory check\` to see whether all directories answer.`,
      );
      return exitCodes.failed;
    }
    await show(values, surface, shownUser(user));
    return exitCodes.ok;
  },
};

const passwordIn = (text: string): string => text.replace(/\r?\n$/, '');

export const directoryVerify: Command = {
  name: 'directory verify',
  summary: 'Check the password of a user. The command reads the password from the standard input.',
  operands: '<login>',
  options: { ...issuerOptions, ...outputOptions },
  examples: ['carnet directory verify ada --config carnet.yaml < password.txt'],
  run: async (values, surface, operands) => {
    const login = onlyOperand(operands, 'login name');
    // An argument would be visible in the list of processes and in the history of the shell.
    const password = passwordIn((await surface.in?.()) ?? '');
    if (password === '') {
      surface.err('carnet: the standard input has no password. Pipe it: `carnet directory verify ada < password.txt`.');
      return exitCodes.usage;
    }
    const verdict = await withDirectories(values, surface, (directories) => directories.authenticate(login, password));
    if (!verdict.accepted) {
      const subject = verdict.account === undefined ? '' : ` (subject ${verdict.account.subject})`;
      surface.err(`carnet: refused: ${verdict.reason}${subject}. A user sees the same message for every reason.`);
      return exitCodes.failed;
    }
    await show(values, surface, shownUser(verdict.account));
    return exitCodes.ok;
  },
};
