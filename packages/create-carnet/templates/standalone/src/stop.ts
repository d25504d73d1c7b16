/** After SIGINT or SIGTERM: lets the requests in progress end. */
export const stopWith = (closeServer: (done: () => void) => void): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => closeServer(() => undefined));
};
