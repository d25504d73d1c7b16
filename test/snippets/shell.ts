/** A command of a shell snippet: its program and arguments, without what they are redirected to. */
export interface ShellCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Assignments before the program: `PORT=1 carnet serve`. */
  readonly env: Readonly<Record<string, string>>;
}

type Token = { readonly word: string } | { readonly end: true };

/** One alternative a kind of token: comment, continued line, end of a command, redirection, word. */
const tokenPattern =
  /(?<comment>(?<=^|\s)#[^\n]*)|(?<skip>\\\n|[ \t]+)|(?<end>&&|\|\||[;|&\n])|(?<redirect>\d?(?:>>|>|<<|<)(?:&\d|\s*[^\s;|&]+)?)|(?<word>(?:"(?:\\.|[^"\\])*"|'[^']*'|\$\((?:[^()]|\([^()]*\))*\)|\\.|[^\s;|&<>"'\\])+)/gy;

const unquoted = (word: string): string =>
  word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs, (_, double?: string, single?: string, escaped?: string) =>
    double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(["\\$`])/g, '$1'),
  );

/** @throws Error for shell syntax that this check does not know */
const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const start = tokenPattern.lastIndex;
    const groups = tokenPattern.exec(text)?.groups;
    if (groups === undefined) throw new Error(`can't read the shell line at "${text.slice(start, start + 30)}"`);
    if (groups.word !== undefined) tokens.push({ word: groups.word });
    else if (groups.end !== undefined) tokens.push({ end: true });
  }
  return [...tokens, { end: true }];
};

const assignment = /^([A-Za-z_]\w*)=(.*)$/s;
/** Words that begin a compound command or end it. The command behind them is checked. */
const keywords = new Set(['for', 'while', 'do', 'done', 'if', 'then', 'else', 'fi', 'export', 'sudo', 'time', '!']);

const commandOf = (words: readonly string[]): ShellCommand | undefined => {
  const [first = '', ...rest] = words;
  const assigned = assignment.exec(first);
  if (assigned !== null) {
    const [, name = '', value = ''] = assigned;
    const command = commandOf(rest) ?? { program: '', args: [], env: {} };
    return { ...command, env: { [name]: unquoted(value), ...command.env } };
  }
  if (first === 'for') return undefined;
  if (keywords.has(first)) return commandOf(rest);
  return first === '' ? undefined : { program: unquoted(first), args: rest.map(unquoted), env: {} };
};

/** The commands of a shell snippet, in their order. Quotes are removed, variables stay. */
export const commandsIn = (text: string): readonly ShellCommand[] => {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  for (const token of tokensOf(text)) {
    if ('word' in token) words.push(token.word);
    else {
      const command = commandOf(words);
      if (command !== undefined) commands.push(command);
      words = [];
    }
  }
  return commands;
};
