import type { ShownFactor } from '@carnet/accounts';
import type { FactorKind } from '../factors/sign-in-step.ts';
import { LinkLine } from '../page/link-line.tsx';
import type { View } from '../page/view.ts';
import { dateText } from './dates.ts';
import { Item, OverviewSection } from './overview-section.tsx';

export interface FactorSectionsProps {
  readonly view: View;
  readonly factors: readonly ShownFactor[];
  /** The kinds that are on. */
  readonly kinds: readonly FactorKind[];
}

const query = (id: string): string => new URLSearchParams({ id }).toString();

function FactorItem({ view, factor }: { readonly view: View; readonly factor: ShownFactor }) {
  const { account, factors } = view.text;
  const { id, kind, label, createdAt, lastUsedAt } = factor;
  const links = [{ label: account.remove, href: `/account/factors/remove?${query(id)}` }];
  if (kind === 'totp' || kind === 'hotp') {
    links.unshift({ label: account.resync, href: `/account/factors/resync?${query(id)}` });
  }
  return (
    <Item
      title={label || factors.kinds[kind]}
      name={label || factors.kinds[kind]}
      details={[
        label !== '' && label !== factors.kinds[kind] && factors.kinds[kind],
        account.added(dateText(view.language, createdAt)),
        lastUsedAt && account.lastUsed(dateText(view.language, lastUsedAt)),
      ]}
      links={links}
    />
  );
}

function FactorList({ view, factors }: { readonly view: View; readonly factors: readonly ShownFactor[] }) {
  if (factors.length === 0) return null;
  return (
    <ul className="items">
      {factors.map((factor) => (
        <FactorItem key={factor.id} view={view} factor={factor} />
      ))}
    </ul>
  );
}

function AddLink({ kind, label }: { readonly kind: FactorKind; readonly label: string }) {
  return <LinkLine id={`add-${kind}`} href={`/account/factors/add?kind=${kind}`} label={label} />;
}

function RecoveryCodes({ view, factor }: { readonly view: View; readonly factor: ShownFactor | undefined }) {
  const { account } = view.text;
  const left = new Intl.NumberFormat(view.language).format(factor?.remaining ?? 0);
  return (
    <OverviewSection id="recovery-codes" title={account.recoveryCodes}>
      <p>{factor === undefined ? account.noCodes : account.codesLeft(left)}</p>
      <LinkLine id="new-codes" href="/account/factors/recovery-codes" label={account.newCodes} />
    </OverviewSection>
  );
}

/** The sections of second factors, passkeys and recovery codes. */
export function FactorSections({ view, factors, kinds }: FactorSectionsProps) {
  const { account } = view.text;
  const passkeys = factors.filter(({ kind }) => kind === 'passkey');
  const codes = factors.filter(({ kind }) => kind === 'totp' || kind === 'hotp' || kind === 'pin');
  const hasCodes = kinds.includes('totp') || kinds.includes('hotp') || codes.length > 0;
  return (
    <>
      {hasCodes && (
        <OverviewSection id="factors" title={account.factors} text={account.factorsText}>
          <FactorList view={view} factors={codes} />
          {kinds.includes('totp') && <AddLink kind="totp" label={account.addApp} />}
          {kinds.includes('hotp') && <AddLink kind="hotp" label={account.addToken} />}
        </OverviewSection>
      )}
      {(kinds.includes('passkey') || passkeys.length > 0) && (
        <OverviewSection id="passkeys" title={account.passkeys} text={account.passkeysText}>
          <FactorList view={view} factors={passkeys} />
          {kinds.includes('passkey') && <AddLink kind="passkey" label={account.addPasskey} />}
        </OverviewSection>
      )}
      {kinds.includes('recovery_code') && (
        <RecoveryCodes view={view} factor={factors.find(({ kind }) => kind === 'recovery_code')} />
      )}
    </>
  );
}
