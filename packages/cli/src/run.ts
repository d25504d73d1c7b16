import { clientCommands } from './clients/client-commands.ts';
import { importClient } from './clients/import-client.ts';
import type { Command, ExitCode, Surface } from './command.ts';
import { createCompletion } from './completion/completion.ts';
import { configPrint } from './config-commands/print.ts';
import { configSchemaCommand } from './config-commands/schema.ts';
import { demo } from './demo/demo.ts';
import { directoryCheck } from './directory/check-directories.ts';
import { directoryFind, directoryVerify } from './directory/find-user.ts';
import { directoryPurge } from './directory/purge-cache.ts';
import { doctor } from './doctor/doctor.ts';
import { configFromHydra } from './from-hydra/config-from-hydra.ts';
import { health } from './health/health.ts';
import { createHelp } from './help/help.ts';
import { init } from './init/init.ts';
import { issuersDelete } from './issuers/delete.ts';
import { issuersExport } from './issuers/export.ts';
import { issuersImport } from './issuers/import.ts';
import { issuersList } from './issuers/list.ts';
import { jwkCommands } from './jwks/jwk-commands.ts';
import { keysGenerate } from './keys/generate.ts';
import { keysImport } from './keys/import.ts';
import { keysList } from './keys/list.ts';
import { keysRotate } from './keys/rotate.ts';
import { keysUnseal } from './keys/unseal.ts';
import { performCommands } from './perform/perform-commands.ts';
import { parseWith, runCommandLine } from './run-command-line.ts';
import { serve } from './serve/serve.ts';
import { migrateDown, migrateStatus, migrateUpCommand } from './stores/migrate.ts';
import { sweep } from './stores/sweep.ts';
import { tokenCommands } from './tokens/token-commands.ts';
import { importTrustedIssuer } from './trust/import-trusted-issuer.ts';
import { ui } from './ui/ui.ts';
import { groupCommands } from './users/group-commands.ts';
import { usersImport } from './users/import.ts';
import { servedUserCommands } from './users/server-commands.ts';
import { userCommands } from './users/user-commands.ts';
import { versionCommand } from './version.ts';
import { webhookCommands } from './webhooks/webhook-commands.ts';

const help = createHelp(() => commands);
const completion = createCompletion(() => commands);

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  ui,
  demo,
  health,
  init,
  migrateUpCommand,
  migrateStatus,
  migrateDown,
  sweep,
  doctor,
  directoryCheck,
  directoryFind,
  directoryVerify,
  directoryPurge,
  keysGenerate,
  keysImport,
  keysList,
  keysRotate,
  keysUnseal,
  issuersList,
  issuersExport,
  issuersImport,
  issuersDelete,
  ...userCommands,
  ...servedUserCommands,
  usersImport,
  ...groupCommands,
  configPrint,
  configSchemaCommand,
  configFromHydra,
  ...clientCommands,
  importClient,
  ...tokenCommands,
  ...performCommands,
  ...jwkCommands,
  importTrustedIssuer,
  ...webhookCommands,
  completion,
  versionCommand,
  help,
];

/** The command of a command line with its options and operands. @throws UsageError if the command line is wrong */
export const parseCommandLine = (argv: readonly string[]) => parseWith(argv, { commands, help });

/** Runs one command line and returns the exit code. Never throws. */
export const run = (argv: readonly string[], surface: Surface): Promise<ExitCode> =>
  runCommandLine(argv, surface, { commands, help });
