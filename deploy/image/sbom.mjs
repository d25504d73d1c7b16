// The software bill of materials of the image (CycloneDX), from the lockfile.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `next@16.4.6`, of a folder of the virtual store. */
const versionOf = (folder) => folder.replace('+', '/').replace(/[_(].*$/, '');

/** Writes the bill of the packages that are still there after the pruning. */
export const writeBillOfMaterials = (app, text) => {
  const bill = JSON.parse(text);
  const present = new Set(readdirSync(join(app, 'node_modules', '.pnpm')).map(versionOf));
  const isPresent = ({ group, name, version }) =>
    group === '@carnet' || present.has(`${group ? `${group}/` : ''}${name}@${version}`);
  const components = bill.components.filter(isPresent);
  const refs = new Set([bill.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  writeFileSync(join(app, 'carnet.cdx.json'), JSON.stringify({ ...bill, components, dependencies }, null, 2));
};
