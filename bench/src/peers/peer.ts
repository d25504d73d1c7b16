import type { Scenario } from '../scenarios/scenario.ts';
import type { RunningTarget, Target } from '../targets/target.ts';

export interface PeerOptions {
  /** Processes of a server that has workers, and `GOMAXPROCS` of a server in Go. */
  readonly workers: number;
}

export interface PeerLogin extends Scenario {
  /** How the server verifies the user's password. */
  readonly password: string;
}

/** A server whose logins the study `peers` measures. */
export interface Peer {
  readonly name: string;
  /** Installs the server if it is not yet installed, and starts it with a new database. */
  start(options: PeerOptions): Promise<RunningTarget>;
  /** The logins that are measured, each as one row. */
  readonly logins: readonly PeerLogin[];
}

/** Users at once, as in Carnet's own scenarios. */
export const loginsAtOnce = 64;

/** Users at once where a password hash takes most of the time: with more, the last ones would wait for seconds. */
export const passwordsAtOnce = 16;

interface Steps extends Pick<PeerLogin, 'name' | 'title' | 'password' | 'connections'> {
  /** Opens connections to the server; returns the steps of one login, which throw for any answer but the right one. */
  open(target: Target): Promise<() => Promise<unknown>>;
}

/** The login of a server with a script of its own. */
export const peerLogin = ({ open, ...login }: Steps): PeerLogin => ({
  ...login,
  amount: 1_500,
  async prepare(target) {
    const run = await open(target);
    await run();
    return { kind: 'journeys', run: async () => void (await run()) };
  },
});
