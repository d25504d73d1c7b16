/** Called by Next.js once, before the first request. */
export const register = async (): Promise<void> => {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { startUp } = await import('./startup.ts');
    await startUp();
  }
};
