//@if bundled
import { adminServer } from './admin.ts';
//@end
import { carnet } from './provider.ts';

/** After SIGINT or SIGTERM: lets the requests in progress end, then closes the store. */
export const stopWith = (closeServer: (done: () => void) => void): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      //@if bundled
      adminServer.close();
      //@end
      closeServer(() => void carnet.close());
    });
  }
};
