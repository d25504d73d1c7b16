import type { Choices } from '../choices/choices.ts';

/** The folders of `templates/` that a project consists of. A file of a later layer replaces that of an earlier one. */
export const layersOf = ({ framework, store, pages, mcp, databaseUrl }: Choices): readonly string[] => {
  const hasSeveral = framework === 'standalone' || pages === 'bundled' || mcp;
  return [
    'base',
    // The login app and demo client of a stand-alone server are a small Express program.
    ...(framework === 'standalone' ? ['express', 'standalone'] : ['mounted', framework]),
    store,
    ...(store === 'postgres' && databaseUrl === undefined ? ['postgres-compose'] : []),
    pages,
    ...(mcp ? ['mcp'] : []),
    ...(hasSeveral ? ['several-programs', ...(framework === 'next' ? ['next-programs'] : [])] : []),
  ];
};

/** The words that conditions in templates may name. */
export const factsOf = (choices: Choices): ReadonlySet<string> =>
  new Set([
    ...layersOf(choices),
    // The admin API is open for the pages of another process.
    ...(choices.framework === 'standalone' || choices.pages === 'bundled' ? ['admin'] : []),
  ]);
