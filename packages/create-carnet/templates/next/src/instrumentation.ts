//@if bundled
/** Next.js calls this once, when it starts: the admin API opens for the pages. */
export const register = async (): Promise<void> => {
  if (process.env.NEXT_RUNTIME === 'nodejs') await import('./admin.ts');
};
//@end
