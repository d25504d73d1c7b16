// The software bill of materials of the image (CycloneDX), from the lockfile and from the packages in the build of the pages.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `next@16.4.6`, of a folder of the virtual store. */
const versionOf = (folder) => folder.replace('+', '/').replace(/[_(].*$/, '');

const isPages = (ref) => ref.startsWith('pkg:npm/%40carnet/consent-ui@');

/** The packages whose files are in the build of the pages: Next.js, React. They are dependencies of no package in the image. */
const bundledWithPages = (app) => {
  const folder = join(app, 'node_modules', '@carnet', 'consent-ui', 'dist', 'app', 'node_modules');
  const names = readdirSync(folder).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map((each) => `${name}/${each}`) : [name],
  );
  return names.map((fullName) => {
    const { version, license } = JSON.parse(readFileSync(join(folder, fullName, 'package.json'), 'utf8'));
    const [name, group] = fullName.split('/').reverse();
    const purl = `pkg:npm/${fullName.replace('@', '%40')}@${version}`;
    return {
      type: 'library',
      name,
      ...(group && { group }),
      version,
      purl,
      'bom-ref': purl,
      licenses: [{ license: { id: license } }],
    };
  });
};

/** Writes the bill of the packages that are still there after the pruning. */
export const writeBillOfMaterials = (app, text) => {
  const bill = JSON.parse(text);
  const present = new Set(readdirSync(join(app, 'node_modules', '.pnpm')).map(versionOf));
  const isPresent = ({ group, name, version }) =>
    group === '@carnet' || present.has(`${group ? `${group}/` : ''}${name}@${version}`);
  const bundled = bundledWithPages(app);
  const components = [...bill.components.filter(isPresent), ...bundled];
  const refs = new Set([bill.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: [
        ...dependsOn.filter((each) => refs.has(each)),
        ...(isPages(ref) ? bundled.map((each) => each.purl) : []),
      ],
    }));
  writeFileSync(join(app, 'carnet.cdx.json'), JSON.stringify({ ...bill, components, dependencies }, null, 2));
};
