/** Shows the password while the button is pressed in, and hides it again when the form is sent. Runs in the browser. */
export const passwordToggle = (): void => {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-shows]')) {
    const input = document.getElementById(button.dataset.shows ?? '');
    if (!(input instanceof HTMLInputElement)) continue;
    const show = (isShown: boolean): void => {
      input.type = isShown ? 'text' : 'password';
      button.setAttribute('aria-pressed', String(isShown));
    };
    button.hidden = false;
    button.addEventListener('click', () => show(input.type === 'password'));
    // A password manager or the browser's list of former inputs keeps no text field.
    input.form?.addEventListener('submit', () => show(false));
  }
};
