import { type Command, onlyOperand, UsageError } from '../command.ts';

/** The command `completion`: a script that completes the commands and options of `carnet` in a shell. */
export const createCompletion = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'Print the completion script of a shell: source <(carnet completion bash).',
  options: {},
  operands: '<bash|zsh|fish>',
  examples: ['carnet completion bash', 'carnet completion zsh', 'carnet completion fish'],
  run: async (_values, { out }, operands) => {
    const shell = onlyOperand(operands, 'shell: bash, zsh or fish');
    const [{ candidatesOf }, { scripts }, { topics }] = await Promise.all([
      import('./candidates.ts'),
      import('./scripts.ts'),
      import('../help/topics.ts'),
    ]);
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined) throw new UsageError('Name a shell: bash, zsh or fish.');
    const helpTopics = topics.map(({ name, summary }) => ({ word: name, summary }));
    out(script(candidatesOf(commands(), helpTopics)).trimEnd());
  },
});
