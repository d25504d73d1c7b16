import type { LawOf } from '@carnet/adapter-contract/kit';
import type { Directory } from '../port.ts';

/** A user that a fixture puts into its directory. */
export interface LawUser {
  /** Normalised. */
  readonly login: string;
  readonly password: string;
  /** The claim `name`. */
  readonly name: string;
  /** The claim `email`. */
  readonly email: string;
  /** Default: the user may sign in. */
  readonly state?: 'locked' | 'disabled';
}

/** A directory's real server, file or database, in a test. */
export interface DirectoryFixture {
  /** Replaces all users of the server by these, and opens one more directory on it. The laws close it. */
  open(users: readonly LawUser[]): Promise<Directory>;
  /** Begins an outage of the server. Open directories remain open. */
  stop(): Promise<void>;
  /** Ends the outage. The users are the same. */
  start(): Promise<void>;
}

/** An operation that a directory need not have. */
export type OptionalOperation = 'changePassword' | 'authenticate';

/** One law of the directory port. `needs` is the optional operation that the law is about. */
export type Law = LawOf<DirectoryFixture, OptionalOperation>;
