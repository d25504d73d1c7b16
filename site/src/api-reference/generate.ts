import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application, type ProjectReflection, ReflectionKind } from 'typedoc';
import { root, urlOf } from '../repository.ts';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>> | string>>;
}

/** A module that applications import. */
interface PublicModule {
  /** As it is imported: `@carnet/provider/keys`. */
  readonly name: string;
  /** The source, relative to the root of the repository. */
  readonly file: string;
}

/** Every entry of every published package that has types. */
const publicModules = (): readonly PublicModule[] =>
  globSync('packages/*/package.json', { cwd: root })
    .toSorted()
    .flatMap((path) => {
      const manifest: Manifest = JSON.parse(readFileSync(join(root, path), 'utf8'));
      if (manifest.private) return [];
      return Object.entries(manifest.exports ?? {}).flatMap(([subpath, conditions]) => {
        const source = typeof conditions === 'object' ? conditions['@carnet/source'] : undefined;
        if (source === undefined || !source.endsWith('.ts')) return [];
        return [{ name: join(manifest.name, subpath), file: join(path, '..', source) }];
      });
    });

/** The name of a module's page: `provider-keys`. */
const pageOf = (name: string): string => name.replace('@carnet/', '').replaceAll('/', '-');

/** Each module has the name of its page. Otherwise typedoc makes folders of the parts of a name. */
const nameModules = (project: ProjectReflection, modules: readonly PublicModule[]): void => {
  const names = new Map(modules.map(({ name, file }) => [join(root, file), pageOf(name)]));
  for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
    module.name = names.get(module.sources?.[0]?.fullFileName ?? '') ?? module.name;
  }
};

/** The heading of each page is the name by which the module is imported. */
const writeHeadings = (folder: string, modules: readonly PublicModule[]): void => {
  for (const { name } of modules) {
    const file = join(folder, `${pageOf(name)}.md`);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^# .*$/m, `# ${name}`));
  }
  const list = modules.map(({ name }) => `- [${name}](${pageOf(name)}.md)`).join('\n');
  writeFileSync(
    join(folder, 'index.md'),
    `# API of the packages\n\nThe functions and types that an app imports.\n\n${list}\n`,
  );
};

/** Writes the API reference of all public modules as Markdown: one page for each module. @throws Error if that fails */
export const writeApiReference = async (folder: string): Promise<void> => {
  const modules = publicModules();
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    outputs: [{ name: 'markdown', path: folder }],
    tsconfig: join(root, 'site/tsconfig.json'),
    entryPoints: modules.map(({ file }) => join(root, file)),
    skipErrorChecking: true,
    readme: 'none',
    groupOrder: ['Functions', 'Interfaces', 'Type Aliases', 'Classes', 'Variables'],
    excludePrivate: true,
    excludeExternals: true,
    disableGit: true,
    basePath: root,
    sourceLinkTemplate: `${urlOf('{path}')}#L{line}`,
    logLevel: 'Warn',
    // Options of typedoc-plugin-markdown, which the types of typedoc do not know.
    ...({
      outputFileStrategy: 'modules',
      entryFileName: 'index',
      hidePageHeader: true,
      hideBreadcrumbs: true,
      useCodeBlocks: true,
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      typeDeclarationFormat: 'table',
      tableColumnSettings: { hideInherited: true, hideSources: true, hideModifiers: true, hideDefaults: true },
    } as object),
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc found no modules');
  nameModules(project, modules);
  await app.generateOutputs(project);
  writeHeadings(folder, modules);
};
