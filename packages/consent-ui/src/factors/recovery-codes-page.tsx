import type { ReactNode } from 'react';
import { Caution } from '../page/caution.tsx';
import { Page } from '../page/page.tsx';
import type { View } from '../page/view.ts';

export interface RecoveryCodesPageProps {
  readonly view: View;
  readonly codes: readonly string[];
  /** The form or link that continues. */
  readonly children: ReactNode;
}

/** The page that shows new recovery codes, once. It can be printed, and the codes can be saved as a file without a script. */
export function RecoveryCodesPage({ view, codes, children }: RecoveryCodesPageProps) {
  const { recoveryCodes } = view.text;
  const file = `${view.brand.name}\n${recoveryCodes.title}\n\n${codes.join('\n')}\n`;
  return (
    <Page view={view} title={recoveryCodes.title} text={recoveryCodes.text}>
      <ul className="recovery-codes" aria-label={recoveryCodes.list} dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Caution>{recoveryCodes.once}</Caution>
      <p className="fine">
        <a
          id="download"
          download={`${view.brand.name}-recovery-codes.txt`}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
        >
          {recoveryCodes.download}
        </a>
      </p>
      {children}
    </Page>
  );
}
