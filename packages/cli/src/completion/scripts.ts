import type { Candidate, Candidates } from './candidates.ts';

const wordsOf = (candidates: readonly Candidate[]): string => candidates.map(({ word }) => word).join(' ');

/** Text in single quotes, for all three shells. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’').replaceAll('\\', '/')}'`;

const flagsOf = ({ values }: Candidates, kind: 'file' | 'text'): string =>
  [...values]
    .filter(([, of]) => of === kind)
    .map(([flag]) => flag)
    .join('|');

const choicesOf = ({ values }: Candidates): readonly (readonly [string, readonly string[]])[] =>
  [...values].flatMap(([flag, kind]) => (typeof kind === 'string' ? [] : [[flag, kind] as const]));

/** Longer names first, so that `keys list` is found before `keys`. */
const byLength = <T>(entries: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
  [...entries].toSorted(([one], [other]) => other.length - one.length);

/** The cases of a `case` statement over the words before the cursor. bash and zsh share the syntax. */
const cases = (candidates: Candidates, variable: string) => ({
  next: [...candidates.next]
    .map(([words, all]) => `      ${quoted(words)}) ${variable}=${quoted(wordsOf(all))} ;;`)
    .join('\n'),
  options: byLength(candidates.options)
    .map(([name, all]) => `      ${quoted(`${name} `)}*) ${variable}=${quoted(wordsOf(all))} ;;`)
    .join('\n'),
  choices: choicesOf(candidates)
    .map(([flag, words]) => `    ${flag}) ${variable}=${quoted(words.join(' '))} ;;`)
    .join('\n'),
});

/** For bash 3.2 and later: `source <(carnet completion bash)`. */
const bash = (candidates: Candidates): string => {
  const { next, options, choices } = cases(candidates, 'found');
  return `# bash completion of carnet. Generated: source <(carnet completion bash)
_carnet() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" found=''
  local line="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  COMPREPLY=()
  case "$prev" in
    ${flagsOf(candidates, 'file')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    ${flagsOf(candidates, 'text')}) return ;;
${choices}
  esac
  if [[ -n $found ]]; then
    :
  elif [[ $cur == -* ]]; then
    case "$line " in
${options}
    esac
  else
    case "$line" in
${next}
      *) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$found" -- "$cur"))
}
complete -o filenames -F _carnet carnet
`;
};

/** For zsh: `source <(carnet completion zsh)`, or a file `_carnet` in a folder of `fpath`. */
const zsh = (candidates: Candidates): string => {
  const { next, options, choices } = cases(candidates, 'found');
  return `#compdef carnet
# zsh completion of carnet. Generated: source <(carnet completion zsh)
_carnet() {
  local cur="\${words[CURRENT]}" prev="\${words[CURRENT-1]}" found=''
  local line="\${(j: :)words[2,CURRENT-1]}"
  case "$prev" in
    ${flagsOf(candidates, 'file')}) _files; return ;;
    ${flagsOf(candidates, 'text')}) return ;;
${choices}
  esac
  if [[ -n $found ]]; then
    :
  elif [[ $cur == -* ]]; then
    case "$line " in
${options}
    esac
  else
    case "$line" in
${next}
      *) _files; return ;;
    esac
  fi
  compadd -- \${=found}
}
if [[ $funcstack[1] == _carnet ]]; then _carnet "$@"; else compdef _carnet carnet; fi
`;
};

const fishLine = (condition: string, { word, summary }: Candidate): string => {
  const described = summary === '' ? '' : ` -d ${quoted(summary)}`;
  return `complete -c carnet -f -n ${quoted(condition)} -a ${quoted(word)}${described}`;
};

/** For fish: `carnet completion fish | source`. */
const fish = (candidates: Candidates): string => {
  const list = (words: string): string => (words === '' ? '' : ` ${words}`);
  const lines = [
    ...[...candidates.next].flatMap(([words, all]) => all.map((one) => fishLine(`__carnet_at${list(words)}`, one))),
    ...[...candidates.options].flatMap(([name, all]) => all.map((one) => fishLine(`__carnet_in ${name}`, one))),
    ...[...candidates.values].map(([flag, kind]) => {
      const files = kind === 'file' ? '-F' : '-f';
      const words = typeof kind === 'string' ? '' : ` -a ${quoted(kind.join(' '))}`;
      return `complete -c carnet ${files} -n ${quoted(`__carnet_value ${flag}`)}${words}`;
    }),
  ];
  return `# fish completion of carnet. Generated: carnet completion fish | source
# The words before the cursor are exactly these.
function __carnet_at
  set -l words (commandline -opc)
  test "$words[2..-1]" = "$argv"
end
# The words before the cursor begin with this command, and the current word with a hyphen.
function __carnet_in
  set -l words (commandline -opc)
  string match -q -- '-*' (commandline -ct); and string match -q -- "$argv *" "$words[2..-1] "
end
# The word before the cursor is this option.
function __carnet_value
  test (commandline -opc)[-1] = $argv[1]
end
${lines.join('\n')}
`;
};

/** The completion script of each shell. */
export const scripts: Readonly<Record<string, (candidates: Candidates) => string>> = { bash, zsh, fish };
