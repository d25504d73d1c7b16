export const frameworks = ['express', 'koa', 'fastify', 'next', 'standalone'] as const;
export const stores = ['sqlite', 'postgres'] as const;
export const pageKinds = ['own', 'bundled'] as const;

export type Framework = (typeof frameworks)[number];
export type Store = (typeof stores)[number];
export type PageKind = (typeof pageKinds)[number];

/** The answers that decide the files of a project. */
export interface Choices {
  /** The folder to create, relative to the current one. */
  readonly folder: string;
  readonly framework: Framework;
  readonly store: Store;
  readonly pages: PageKind;
  /** Whether the project is also an authorization server for MCP servers, with one MCP server. */
  readonly mcp: boolean;
  /** The URL of the Postgres database. Undefined: the project brings a compose file with one. */
  readonly databaseUrl?: string;
}

/** The answers of the flags. An absent member is a question that is still open. */
export type Flags = Partial<Choices> & {
  /** Whether the default is the answer to every open question. */
  readonly yes: boolean;
  readonly install?: boolean;
  readonly help: boolean;
};

export const defaults: Choices = {
  folder: 'my-provider',
  framework: 'express',
  store: 'sqlite',
  pages: 'own',
  mcp: false,
};

/** The user of the command has to change something. The message says what. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
