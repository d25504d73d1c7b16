/**
 * Runs the ceremony (WebAuthn Level 3, section 5.1) of each `form[data-passkey]`, puts the result into the field `response`
 * and posts the form. In browsers without passkeys the forms stay hidden. Runs in the browser.
 */
export const passkeys = (): void => {
  const kind = window.PublicKeyCredential;
  if (!kind?.parseRequestOptionsFromJSON) return;
  let running: AbortController | undefined;
  const run = async (form: HTMLFormElement, mediation?: CredentialMediationRequirement): Promise<void> => {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const failure = form.querySelector<HTMLElement>('[role=alert]');
    const show = (isShown: boolean): void => {
      if (failure) failure.hidden = !isShown;
    };
    show(false);
    try {
      const { options = '', passkey } = form.dataset;
      const json = JSON.parse(options);
      const found = await (passkey === 'create'
        ? navigator.credentials.create({ publicKey: kind.parseCreationOptionsFromJSON(json), signal })
        : navigator.credentials.get({ publicKey: kind.parseRequestOptionsFromJSON(json), mediation, signal }));
      const box = document.querySelector<HTMLInputElement>('#remember');
      const fields = form.elements as unknown as Record<string, HTMLInputElement>;
      if (box && fields.remember) fields.remember.value = box.checked ? '1' : '';
      if (fields.response) fields.response.value = JSON.stringify(found);
      form.submit();
    } catch {
      show(!signal.aborted && !mediation);
    }
  };
  for (const text of document.querySelectorAll<HTMLElement>('[data-without-passkeys]')) text.hidden = true;
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void run(form);
    });
    if (form.dataset.autofill === undefined) continue;
    void kind.isConditionalMediationAvailable?.().then((isAvailable) => {
      if (isAvailable) void run(form, 'conditional');
    });
  }
};
