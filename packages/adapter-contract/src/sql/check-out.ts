import type { RunOptions } from './commit.ts';
import { NotSentError } from './deadline.ts';

/** The connection that a pool opens for a call. One that is free only after the timeout goes to the next call. */
export const checkOut = async <Connection extends { release(): void }>(
  connected: Promise<Connection>,
  { deadline, isAwaited = () => true }: RunOptions,
): Promise<Connection> => {
  const releaseLate = () =>
    void connected.then(
      (late) => late.release(),
      () => {},
    );
  const connection = await deadline.within(connected, releaseLate);
  if (isAwaited()) return connection;
  connection.release();
  throw new NotSentError('The call has ended already.');
};
