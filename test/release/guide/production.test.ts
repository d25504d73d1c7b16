import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createFolder, npmInstall, writeFiles } from '../user/folder.ts';

const machine = fileURLToPath(new URL('machine', import.meta.url));
const guide = readFileSync(new URL('../../../docs/operate/production.md', import.meta.url), 'utf8');
const packages = ['cli', 'consent-ui', 'adapter-postgres', 'accounts', 'accounts-sql'].map((name) => `@carnet/${name}`);
const installCommand = `install --ignore-scripts --prefix /opt/carnet ${packages.join(' ')}`;

/** A fence, after the sentence that names the file in which the reader puts it, and its markers. */
const fence =
  /(?:Write `(?<path>\/[^`]+)`:\n\n)?(?<markers>(?:<!-- .* -->\n)*)```(?<language>\w+)\n(?<text>[\s\S]*?)```/g;

/** The commands of the guide in one script, in its order. The token is that of the sign-in before. */
const scriptOf = (text: string): string =>
  [...text.matchAll(fence)]
    .map(({ groups: { path, markers = '', language, text: content = '' } = {} }) => {
      if (path !== undefined) return `cat > ${path} <<'END_OF_FILE'\n${content}END_OF_FILE\n`;
      return language === 'sh' && !markers.includes('snippet: not run') ? content : '';
    })
    .join('\n')
    .replaceAll("'carnet_at_...'", '"$(grep -o "carnet_at_[^ ]*" /run/perform.log)"');

/** Why this machine cannot imitate an empty one; undefined if it can. */
const obstacle = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'needs root';
  if (!existsSync('/usr/bin/pg_ctlcluster')) return 'needs the Postgres of Debian';
  if (!existsSync('/usr/sbin/nginx')) return 'needs nginx';
  try {
    execFileSync('unshare', ['-m', '-n', 'true']);
    return undefined;
  } catch {
    return 'needs namespaces';
  }
};

const reason = obstacle();
if (reason !== undefined) process.stdout.write(`docs/operate/production.md is not run: ${reason}\n`);

test.skipIf(reason !== undefined)(
  'docs/operate/production.md leads from an empty machine to a sign-in by TLS, as it is written',
  async () => {
    const folder = createFolder('guide');
    const installed = createFolder('installed');
    await npmInstall(installed, ['--ignore-scripts', ...packages]);
    const checks = 'curl -s -o /dev/null -w "admin API: %{http_code}\\n" https://id.example.com/admin/clients';
    writeFiles(folder, { 'guide.sh': `set -e\n${scriptOf(guide.split('## Checklist')[0] ?? '')}\n${checks}\n` });
    const env = {
      GUIDE_FOLDER: folder,
      GUIDE_MACHINE: machine,
      GUIDE_NODE: process.execPath,
      GUIDE_INSTALL: installCommand,
      PATH: process.env.PATH,
    };
    execFileSync('mv', [installed, join(folder, 'installed')]);
    const command = ['-m', '-n', '-p', '-f', '--mount-proc', '--kill-child', 'bash', join(machine, 'start.sh')];
    const { stdout } = await promisify(execFile)('unshare', [...command, join(folder, 'guide.sh'), folder], { env });
    expect(stdout).toContain('No problems were found.');
    // Before and after the restart.
    expect(stdout.match(/^ACTIVE +true$/gm)).toHaveLength(2);
    expect(stdout).toContain('admin API: 404');
  },
  480_000,
);
