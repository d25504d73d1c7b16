import { Notice } from './notice.tsx';
import { respond } from './respond.ts';

/** GET /: for whoever comes here by hand. */
export const showHome = (): Promise<Response> => {
  const text =
    'Applications send you here to sign in, and to decide what they may do. ' +
    'Open the application that you want to use: it brings you here when it needs to.';
  return respond(<Notice title="Nothing to do here" text={text} />);
};
