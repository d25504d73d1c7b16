/** Called by Next.js once, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { startUp } = await import('./startup.ts');
    startUp();
  }
}
