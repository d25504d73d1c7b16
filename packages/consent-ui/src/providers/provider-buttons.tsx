import type { ShownProvider } from '@carnet/accounts/client';
import type { ReactNode } from 'react';
import { Button, Form, type FormTarget } from '../page/form.tsx';
import type { View } from '../page/view.ts';

export interface ProviderButtonsProps {
  readonly view: View;
  readonly target: FormTarget;
  readonly providers: readonly ShownProvider[];
  /** The line above the buttons. */
  readonly children: ReactNode;
}

/**
 * A button for each provider, without its logo: the marks are not under a licence that this package could pass on. The form is
 * not that of the password, so that no password that the browser has filled in is sent with it. The script of the page copies
 * whether the user wants to stay signed in.
 */
export function ProviderButtons({ view, target, providers, children }: ProviderButtonsProps) {
  const { providers: text } = view.text;
  return (
    <Form {...target} id="provider-form">
      {children}
      {providers.map(({ name, label }) => (
        <Button
          key={name}
          id={`provider-${name}`}
          label={text.continueWith(label)}
          name="provider"
          value={name}
          isPlain
        />
      ))}
    </Form>
  );
}
