/** The styles of second factors and of the account pages: a part of the style sheet. */
export const accountStyles = `
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
#passkey{gap:.625rem}form+#passkey{margin-top:1rem}#passkey .message{margin:0}
.cancel{display:flex;justify-content:center}
.ways{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.5rem 1.25rem}
@media(max-width:30rem){.facts{grid-template-columns:1fr;gap:0}.facts dd+dt{margin-top:.5rem}}
@media print{header,footer,form,.button,.fine{display:none}main{border:0;box-shadow:none}.recovery-codes,.caution{background:none;border:1px solid}}
`;
