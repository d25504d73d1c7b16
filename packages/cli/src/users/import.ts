import { type Command, exitCodes, onlyOperand } from '../command.ts';
import { configOptions } from '../config/command-line.ts';
import { linesOf } from '../read-lines.ts';
import { withUsers } from './users-database.ts';

const progressEvery = 5_000;

export const usersImport: Command = {
  name: 'users import',
  summary:
    'Import users from JSON lines: {"id", "email", "username", "email_verified", "password_hash", "state", "claims"}. Exit code 1 when a line was refused.',
  options: {
    'dry-run': { type: 'boolean', summary: 'Check the lines, and store nothing.' },
    ...configOptions,
  },
  operands: '<file, or - for the standard input>',
  examples: [
    'carnet users import users.jsonl --dry-run --config accounts.yaml',
    'carnet users import users.jsonl --config accounts.yaml',
  ],
  run: async (values, surface, operands) => {
    const lines = linesOf(onlyOperand(operands, 'file'), surface);
    const isTrial = values['dry-run'] === true;
    let announced = 0;
    const { read, imported, refused } = await withUsers(values, surface, ({ users }) =>
      users.importLines({
        lines,
        isTrial,
        onProblem: ({ line, message }) => surface.err(`line ${line}: ${message}`),
        onProgress: (counts) => {
          if (counts.read < announced + progressEvery) return;
          announced = counts.read;
          surface.err(`${counts.read} lines ...`);
        },
      }),
    );
    surface.out(`${read} lines: ${imported} ${isTrial ? 'can be imported' : 'imported'}, ${refused} refused`);
    return refused === 0 ? exitCodes.ok : exitCodes.failed;
  },
};
