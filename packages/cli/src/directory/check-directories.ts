import { type Command, exitCodes, type Surface, UsageError } from '../command.ts';
import { issuerOptions } from '../config/command-line.ts';
import { withDirectories } from './with-directories.ts';

/** One step of a check, as a directory reports it. */
export interface Step {
  readonly target: string;
  readonly step: string;
  readonly ok: boolean;
  readonly ms: number;
  readonly detail?: string | undefined;
}

/** The remedy of a step that failed. */
const remedies: Readonly<Record<string, string>> = {
  connect: 'Check the URL and the firewall, and whether the server is running.',
  tls: 'Check the certificate of the server, and caFile of the directory.',
  bind: 'Check bindDn and bindPassword of the directory.',
  search: 'Check base and filter of the directory, and whether bindDn may read below base.',
  read: 'Check the path, and whether this user may read the file.',
};

/** The remedy of a failed step. */
export const remedyOf = ({ step }: Step): string =>
  remedies[step] ?? 'See the answer of the server, and docs/guides/directories.md.';

const show = (step: Step, out: Surface['out']): void => {
  const { target, step: name, ok, ms, detail } = step;
  out(`  ${ok ? 'ok  ' : 'fail'}  ${target}  ${name}  ${ms.toFixed(1)} ms${detail === undefined ? '' : `  ${detail}`}`);
  if (!ok) out(`        -> ${remedyOf(step)}`);
};

export const directoryCheck: Command = {
  name: 'directory check',
  summary: 'Check the connection to the user directories, and show the answer of each server to each step.',
  operands: '[name]',
  options: issuerOptions,
  examples: ['carnet directory check --config carnet.yaml', 'carnet directory check staff --config carnet.yaml'],
  run: async (values, surface, operands) => {
    const [only, ...more] = operands;
    if (more.length > 0) throw new UsageError('Name one directory, or none to check all.');
    const checked = await withDirectories(values, surface, (directories) => directories.check());
    const shown = checked.filter(({ directory }) => only === undefined || directory === only);
    if (shown.length === 0) {
      throw new UsageError(
        `There is no directory ${only}. Configured: ${checked.map((one) => one.directory).join(', ')}.`,
      );
    }
    for (const { directory, steps } of shown) {
      surface.out(directory);
      for (const step of steps) show(step, surface.out);
    }
    return shown.every(({ steps }) => steps.every(({ ok }) => ok)) ? exitCodes.ok : exitCodes.failed;
  },
};
