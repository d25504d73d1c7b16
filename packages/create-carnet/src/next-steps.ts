import type { Choices } from './choices/choices.ts';
import type { PackageManager } from './package-manager.ts';

const signInText = ({ pages }: Choices): string =>
  pages === 'own'
    ? 'Sign in as demo@example.com. The password is DEMO_PASSWORD in the file .env.'
    : 'Sign in as demo@example.com with the password carnet-demo, or create an account. The demo user exists in development only.';

/** The commands that are left to run. */
export const nextSteps = (choices: Choices, packageManager: PackageManager, isInstalled: boolean): string => {
  const { folder, framework, store, databaseUrl } = choices;
  const commands = [
    ...(folder === '.' ? [] : [`cd ${/\s/.test(folder) ? JSON.stringify(folder) : folder}`]),
    ...(isInstalled ? [] : [`${packageManager} install`]),
    ...(store === 'postgres' && databaseUrl === undefined ? ['docker compose up --detach   # Postgres'] : []),
    framework === 'next' ? `${packageManager} run dev` : `${packageManager} start`,
  ];
  const test = packageManager === 'bun' ? 'bun run test' : `${packageManager} test`;
  return `
Next:

${commands.map((command) => `  ${command}`).join('\n')}

Then open http://localhost:3000. ${signInText(choices)}
\`${test}\` signs a user in. README.md says what to do before production.
`;
};
