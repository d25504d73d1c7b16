/** The style sheet. Every page contains it, so that a page needs no second request. The CSP has its hash. */
export const stylesheet = `
:root{color-scheme:light dark;--paper:#fff;--ground:#f3f4f1;--ink:#1b2421;--quiet:#5a6662;--line:#d5dad6;--edge:#87928d;--brand:#14614c;--brand-deep:#0e4a3a;--on-brand:#fff;--tint:#e6f0ec;--alarm:#a3261b;--alarm-tint:#fcedea}
@media(prefers-color-scheme:dark){:root{--paper:#1a211f;--ground:#101513;--ink:#e9eeeb;--quiet:#a1ada8;--line:#313b37;--edge:#6d7a75;--brand:#6cc7a8;--brand-deep:#8bd8bd;--on-brand:#0b1f18;--tint:#20312b;--alarm:#ff9d90;--alarm-tint:#3a201d}}
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:1.25rem;padding:1.25rem 1rem;background:var(--ground);color:var(--ink)}
main{width:100%;max-width:26rem;padding:2.25rem;background:var(--paper);border:1px solid var(--line);border-radius:1rem;box-shadow:0 1px 2px rgb(0 0 0/.04),0 12px 32px -12px rgb(0 0 0/.12)}
.brand{display:flex;align-items:center;gap:.6rem;margin:0;font-weight:650;letter-spacing:.01em;color:var(--brand)}
.brand svg{width:1.75rem;height:1.75rem;display:block}
h1{margin:0;font-size:1.5rem;line-height:1.25;letter-spacing:-.015em;font-weight:650;text-wrap:balance}
p{margin:.5rem 0 0;text-wrap:pretty}
.lead{color:var(--quiet)}
strong{color:var(--ink);font-weight:600;overflow-wrap:anywhere}
form{margin-top:1.75rem;display:grid;gap:1.125rem}
.field{display:grid;gap:.375rem}
.field label{font-weight:550;font-size:.9375rem}
.field input{width:100%;min-height:2.875rem;padding:.5rem .8rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:.625rem}
.field input[aria-invalid=true]{border-color:var(--alarm)}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
.field input:focus-visible{outline-offset:-1px;outline-width:2px;border-color:var(--brand)}
.check{display:flex;gap:.7rem;align-items:flex-start;cursor:pointer}
.check input{flex:none;width:1.125rem;height:1.125rem;margin:.1875rem 0 0;accent-color:var(--brand)}
.check span{min-width:0;overflow-wrap:anywhere}
.check small{display:block;color:var(--quiet);font-size:.875rem}
fieldset{margin:0;padding:0;border:1px solid var(--line);border-radius:.75rem;min-width:0}
fieldset .check{padding:.5rem 1rem}
fieldset .check+.check{border-top:1px solid var(--line)}
legend{float:left;width:100%;padding:.5rem 1rem;font-size:.875rem;font-weight:550;color:var(--quiet);border-bottom:1px solid var(--line)}
legend+*{clear:both}
.person{display:flex;align-items:center;gap:.7rem;margin-top:1.25rem;padding:.7rem .9rem;background:var(--tint);border-radius:.75rem;overflow-wrap:anywhere;line-height:1.35}
.person i{flex:none;display:grid;place-items:center;width:2.25rem;height:2.25rem;border-radius:50%;background:var(--brand);color:var(--on-brand);font-style:normal;font-weight:650}
.person small{display:block;color:var(--quiet);font-size:.875rem}
.actions{display:grid;gap:.625rem;margin-top:.25rem}
button,.button{display:flex;align-items:center;justify-content:center;min-height:2.875rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;border:1px solid transparent;border-radius:.625rem;cursor:pointer;background:var(--brand);color:var(--on-brand)}
button:hover,.button:hover{background:var(--brand-deep)}
button.plain{background:transparent;color:var(--ink);border-color:var(--edge)}
button.plain:hover{background:var(--tint)}
.button{margin-top:1.5rem}
.message{margin:1.25rem 0 0;padding:.7rem .9rem;background:var(--alarm-tint);color:var(--alarm);border-radius:.625rem;font-weight:550}
.caution{margin:1.25rem 0 0;padding:.7rem .9rem;background:var(--tint);border-radius:.625rem}
form .caution{margin:0}
.field .code{font:600 1.375rem/1.3 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;letter-spacing:.12em;text-align:center;text-transform:uppercase}
.fine{font-size:.875rem;color:var(--quiet)}
main>.fine{margin-top:1.25rem}
a{color:var(--brand);text-underline-offset:.15em}
.report{margin:1.25rem 0 0;padding:.8rem 1rem;border:1px solid var(--line);border-radius:.75rem;font-size:.875rem}
.report dt{color:var(--quiet)}.report dd{margin:0 0 .5rem;overflow-wrap:anywhere}.report dd:last-child{margin:0}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.languages{font-size:.875rem;color:var(--quiet);text-align:center}
.languages summary{display:inline-block;padding:.375rem .75rem;border-radius:.5rem;cursor:pointer}
.languages form{margin:.5rem 0 0;display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem}
.languages button{min-height:2rem;padding:.125rem .625rem;font-weight:500;background:transparent;color:var(--ink)}
.languages button:hover{background:var(--tint)}
.languages button[aria-current]{background:var(--tint);font-weight:650}
@media(max-width:30rem){body{justify-content:flex-start;padding:1.25rem .75rem}main{padding:1.5rem 1.25rem}}
@media(forced-colors:active){button,.button{border-color:ButtonText}}
`;
