/** Password hashes: `createPasswordHashing` of `@carnet/directory`. `owner` is whose password it is: owners take turns. */
export interface PasswordHashing {
  /** A hash with the current parameters. */
  hash(password: string, owner: string): Promise<string>;
  /** Whether the password belongs to the hash. False for a hash of an unknown format. */
  verify(encoded: string, password: string, owner: string): Promise<boolean>;
  /** Whether the hash has other parameters, or another format, than `hash` makes. */
  needsRehash(encoded: string): boolean;
  /** A hash that no password has, of the cost of those that `hash` makes. */
  readonly decoy: string;
}
