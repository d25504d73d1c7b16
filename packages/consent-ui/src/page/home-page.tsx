import { Notice } from './notice.tsx';
import { respond } from './respond.ts';

/** GET /: for users who open this address themselves. */
export const showHome = (): Promise<Response> => {
  const text =
    'Applications redirect you to this site to sign in. ' +
    'Open the application that you want to use, and sign in from there.';
  return respond(<Notice title="Nothing to do here" text={text} />);
};
