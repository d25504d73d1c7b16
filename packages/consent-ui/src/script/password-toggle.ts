/** Shows the password while the button is in the pressed state, and hides it when the form is sent. Runs in the browser. */
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
    // The field must be a password field when it is sent: otherwise the browser would remember the text.
    input.form?.addEventListener('submit', () => show(false));
  }
};
