/** The values of a client that its code needs. */
export interface CodeValues {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** Absent: the client has none. */
  readonly postLogoutRedirectUri: string | undefined;
  readonly scopes: readonly string[];
  readonly hasSecret: boolean;
}

/** A library of clients, with the code that makes it a client of Carnet. */
export interface Library {
  readonly id: string;
  readonly name: string;
  /** The clients that it is for. `server`: with a secret. `browser`: without one. */
  readonly runs: 'server' | 'browser' | 'anywhere';
  /** The path of the redirect URI, where the library chooses it. */
  readonly redirectPath?: string;
  readonly render: (values: CodeValues) => string;
}

/** A value as a literal of JavaScript, Go and YAML: JSON without characters that a terminal or an editor would hide. */
export const literal = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, (character) => {
    const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${hex}`;
  });
