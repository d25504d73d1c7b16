/**
 * The style sheet, without the colors of `brand/palette.ts`. Every page contains it, so that a page needs no second request.
 * Sides are logical (`inline-start`), for languages from right to left.
 */
export const stylesheet = `
*{box-sizing:border-box}
html{font:100%/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;gap:1.5rem;padding:1.5rem 1rem;background:var(--ground);color:var(--ink)}
header{margin-top:auto}
footer{margin-bottom:auto;display:grid;gap:.375rem;color:var(--ground-quiet)}
header,footer{max-width:100%}
header :focus-visible,footer :focus-visible{outline-color:var(--ground-ink)}
.links{margin:0;display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem 1.25rem;font-size:.875rem}
.links a{padding:.25rem 0;color:inherit}
main{width:100%;max-width:26rem;padding:2.25rem;background:var(--paper);border:1px solid var(--line);border-radius:1rem;box-shadow:0 1px 2px rgb(0 0 0/.04),0 12px 32px -12px rgb(0 0 0/.12)}
.brand{display:flex;align-items:center;gap:.6rem;margin:0;font-size:1.1875rem;font-weight:650;letter-spacing:.01em;color:var(--ground-brand);overflow-wrap:anywhere}
.brand svg{flex:none;width:2.25rem;height:2.25rem;display:block}
.logo img{display:block;max-width:min(16rem,100%);max-height:3rem}
h1{margin:0;font-size:1.5rem;line-height:1.25;letter-spacing:-.015em;font-weight:650;text-wrap:balance}
p{margin:.5rem 0 0;text-wrap:pretty}
.lead{color:var(--quiet)}
strong{color:var(--ink);font-weight:600;overflow-wrap:anywhere}
main form{margin-top:1.75rem;display:grid;gap:1.125rem}
.field{display:grid;gap:.375rem}
.field label{font-weight:550;font-size:.9375rem}
.field input{width:100%;min-height:2.875rem;padding:.5rem .8rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:.625rem}
.field input[aria-invalid=true]{border-color:var(--alarm)}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
.field input:focus-visible{outline-offset:-1px;outline-width:2px;border-color:var(--brand)}
.check{display:flex;gap:.7rem;align-items:flex-start;cursor:pointer}
.check input{flex:none;width:1.125rem;height:1.125rem;margin:.1875rem 0 0;accent-color:var(--brand)}
.check span{min-width:0;overflow-wrap:anywhere}
.check .links{justify-content:flex-start}
.check small{display:block;color:var(--quiet);font-size:.875rem}
.check.given{cursor:default}
.check.given svg{flex:none;width:1.25rem;height:1.25rem;margin:.125rem -.0625rem 0;color:var(--brand)}
.client-logo{display:block;max-width:min(8rem,100%);max-height:3.5rem;margin-bottom:1rem;border-radius:.5rem}
fieldset{margin:0;padding:0;border:1px solid var(--line);border-radius:.75rem;min-width:0}
fieldset .check{padding:.5rem 1rem}
fieldset .check+.check{border-top:1px solid var(--line)}
legend{float:inline-start;width:100%;padding:.5rem 1rem;font-size:.875rem;font-weight:550;color:var(--quiet);border-bottom:1px solid var(--line)}
legend+*{clear:both}
.person{display:flex;align-items:center;gap:.7rem;margin-top:1.25rem;padding:.7rem .9rem;background:var(--tint);border-radius:.75rem;overflow-wrap:anywhere;line-height:1.35}
.person i{flex:none;display:grid;place-items:center;width:2.25rem;height:2.25rem;border-radius:50%;background:var(--brand);color:var(--on-brand);font-style:normal;font-weight:650}
.person small{display:block;color:var(--quiet);font-size:.875rem}
.accounts{list-style:none;margin:0;padding:0;border:1px solid var(--line);border-radius:.75rem;overflow:clip}
.accounts li{display:flex;align-items:stretch}
.accounts li+li{border-top:1px solid var(--line)}
.accounts button{border-radius:0;font-weight:500}
.accounts .plain{flex:1;min-width:0;justify-content:flex-start;gap:.75rem;padding:.7rem .9rem;border:0;text-align:start;overflow-wrap:anywhere;line-height:1.35}
.accounts .icon{flex:none;width:3rem;padding:0;background:transparent;color:var(--quiet)}
.accounts .icon:hover{background:var(--tint);color:var(--ink)}
.accounts :focus-visible{outline-offset:-3px}
.accounts i{flex:none;display:grid;place-items:center;width:2.25rem;height:2.25rem;border-radius:50%;background:var(--tint);color:var(--brand);font-style:normal;font-weight:650}
.accounts small{display:block;color:var(--quiet);font-size:.875rem}
.actions{display:grid;gap:.625rem;margin-top:.25rem}
button,.button{display:flex;align-items:center;justify-content:center;min-height:2.875rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;border:1px solid transparent;border-radius:.625rem;cursor:pointer;background:var(--brand);color:var(--on-brand)}
button:hover,.button:hover{background:var(--brand-deep)}
.password{position:relative}
.password input{padding-right:3.25rem}
.password .icon{position:absolute;top:0;right:0;width:2.875rem;min-height:2.875rem;padding:0;background:transparent;color:var(--quiet);border-radius:.625rem}
.password .icon[hidden]{display:none}
.password .icon:hover{color:var(--ink);background:transparent}
.icon svg{width:1.375rem;height:1.375rem}
.icon[aria-pressed=false] .slash{display:none}
button.plain{background:transparent;color:var(--ink);border-color:var(--edge)}
button.plain:hover{background:var(--tint)}
.button{margin-top:1.5rem}
.link{width:auto;min-height:0;padding:0;font-weight:inherit;background:transparent;color:var(--brand);border:0;border-radius:.125rem;text-decoration:underline;text-underline-offset:.15em}
.link:hover{background:transparent;color:var(--brand-deep)}
.or{display:flex;align-items:center;gap:.75rem;margin:0;font-size:.875rem;color:var(--quiet)}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.message{margin:1.25rem 0 0;padding:.7rem .9rem;background:var(--alarm-tint);color:var(--alarm);border-inline-start:4px solid var(--alarm);border-radius:.625rem;font-weight:550}
.message a{color:inherit}
.caution{display:flex;gap:.7rem;margin:1.25rem 0 0;padding:.7rem .9rem;background:var(--amber-tint);color:var(--amber);border-inline-start:4px solid var(--amber);border-radius:.625rem}
.caution svg{flex:none;width:1.5rem;height:1.5rem}
.caution p{margin:0;min-width:0}
form .caution{margin:0}
.field .code{font:600 1.375rem/1.3 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;letter-spacing:.2em;text-indent:.2em;text-align:center;text-transform:uppercase}
.field .digits{min-height:3.75rem;font-size:1.875rem;letter-spacing:.4em;text-indent:.4em}
.fine{font-size:.875rem;color:var(--quiet)}
main>.fine{margin-top:1.25rem}
a{color:var(--brand);text-underline-offset:.15em}
.report{margin:1.25rem 0 0;padding:.8rem 1rem;border:1px solid var(--line);border-radius:.75rem;font-size:.875rem}
.report dt{color:var(--quiet)}.report dd{margin:0 0 .5rem;overflow-wrap:anywhere}.report dd:last-child{margin:0}
.report div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;margin:.125rem 0}.report div dd{margin:0;color:var(--ink);font-weight:550}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.languages{font-size:.875rem;color:var(--ground-quiet);text-align:center}
.languages summary{display:inline-block;padding:.375rem .75rem;border-radius:.5rem;cursor:pointer}
.languages summary::-webkit-details-marker{display:none}
.languages summary::after{content:"";display:inline-block;width:.375rem;height:.375rem;margin-inline-start:.5rem;border:solid currentColor;border-width:0 1.5px 1.5px 0;transform:translateY(-.15rem) rotate(45deg)}
.languages[open] summary::after{transform:translateY(.05rem) rotate(225deg)}
.languages form{margin:.5rem 0 0;display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem}
.languages button{min-height:2rem;padding:.125rem .625rem;font-weight:500;background:transparent;color:var(--ground-ink)}
.languages button:hover,.languages button[aria-current]{background:var(--tint);color:var(--ink)}
.languages button[aria-current]{font-weight:650}

[hidden]{display:none!important}
.hint{color:var(--quiet);font-size:.875rem}
main form.second,.others form{margin-top:.875rem}
.others{margin-top:1.5rem;padding-top:1.25rem;border-top:1px solid var(--line)}
h2{margin:0;font-size:1.0625rem;line-height:1.35;font-weight:650}
.others h2{font-size:.9375rem;font-weight:550;color:var(--quiet)}
.choices{display:grid;gap:.625rem}
.choice{flex-direction:column;align-items:flex-start;gap:.125rem;padding:.75rem 1rem;text-align:start}
.choice small{font-weight:400;font-size:.875rem;color:var(--quiet)}
.qr-code{display:block;width:min(13rem,100%);margin:1.25rem auto 0;border-radius:.75rem;background:#fff;forced-color-adjust:none}
.secret{padding:.6rem .9rem;background:var(--tint);border-radius:.625rem;text-align:center}
.secret code,.recovery-codes code{font-size:1rem;user-select:all}
.recovery-codes{margin:1.25rem 0 0;padding:1rem;list-style:none;display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.375rem 1rem;text-align:center;background:var(--tint);border-radius:.75rem}
.notice{margin:1.25rem 0 0;padding:.7rem .9rem;background:var(--tint);border-inline-start:4px solid var(--brand);border-radius:.625rem;font-weight:550}
main.wide{max-width:44rem}
.overview{margin-top:.5rem}
.overview section{padding:1.5rem 0;border-bottom:1px solid var(--line);scroll-margin-top:1rem}
.overview .lead{margin-top:.125rem;font-size:.9375rem}
.facts{margin:.5rem 0 0;display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.25rem 1.25rem}
.facts dt{color:var(--quiet)}.facts dd{margin:0;overflow-wrap:anywhere}
.items{margin:.75rem 0 0;padding:0;list-style:none}
.item{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.25rem;padding:.75rem 0}
.item+.item{border-top:1px solid var(--line)}
.item>span{flex:1 1 14rem;min-width:0;overflow-wrap:anywhere;font-weight:550}
.item small{display:block;font-weight:400;font-size:.875rem;color:var(--quiet)}
.item a,.overview section>p>a{display:inline-block;padding:.25rem 0}
.button.plain{margin:0;background:transparent;color:var(--ink);border-color:var(--edge)}
.button.plain:hover{background:var(--tint)}
.actions .button{margin:0}
.actions.second{margin-top:.875rem}
#passkey,#provider-form{gap:.625rem}form+#passkey,form+#provider-form{margin-top:1rem}#provider-form+#passkey{margin-top:.625rem}#passkey .message{margin:0}
.cancel{display:flex;justify-content:center}
main form.cancel{margin-top:1.25rem}
.ways{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.5rem 1.25rem}
@media(max-width:30rem){.facts{grid-template-columns:1fr;gap:0}.facts dd+dt{margin-top:.5rem}}
@media print{header,footer,form,.button,.fine{display:none}main{border:0;box-shadow:none}.recovery-codes,.caution{background:none;border:1px solid}}
@media(max-width:30rem){header{margin-top:0}main{padding:1.5rem 1.25rem}}
@media(forced-colors:active){.accounts .plain{border:1px solid ButtonText}button,.button,.link{border:1px solid ButtonText}main{border-color:CanvasText}.person i{border:1px solid CanvasText}}
@media(prefers-reduced-motion:no-preference){button,.button,.field input{transition:background-color .12s,border-color .12s}}
`;
