/** How the login page looks: one column, the reader's own colour scheme and fonts. */
export const loginPageStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f5f7, #16181d);
  --card: light-dark(#ffffff, #1f2229);
  --ink: light-dark(#1b1e24, #eceef2);
  --quiet: light-dark(#5b6270, #a2a9b7);
  --line: light-dark(#868d9b, #7b8393);
  --accent: light-dark(#1f55c4, #8fb4ff);
  --on-accent: light-dark(#ffffff, #10182b);
  --alert: light-dark(#8f1d1d, #ffb3ab);
  --alert-page: light-dark(#fdeeee, #3a2022);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0;
  min-height: 100vh;
  min-height: 100dvh;
  display: flex;
  flex-direction: column;
  align-items: center;
  padding: clamp(1rem, 8vh, 6rem) 1rem 1rem;
  background: var(--page);
  color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
}
main {
  width: 100%;
  max-width: 25rem;
  padding: clamp(1.25rem, 5vw, 2rem);
  border-radius: 0.75rem;
  background: var(--card);
  box-shadow: 0 1px 2px rgb(0 0 0 / 0.12), 0 8px 24px rgb(0 0 0 / 0.08);
}
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; overflow-wrap: anywhere; }
h1:focus { outline: none; }
.site { display: inline-block; max-width: 100%; }
p { margin: 0.5rem 0 0; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); font-size: 0.875rem; }
footer { max-width: 25rem; margin-top: 1.25rem; text-align: center; }
#until { margin-top: 1.25rem; }
#problem {
  margin-top: 1rem;
  padding: 0.75rem 0.875rem;
  border-radius: 0.5rem;
  background: var(--alert-page);
  color: var(--alert);
}
#status:empty { margin: 0; }
#status.busy { display: flex; align-items: center; gap: 0.625rem; margin-top: 1rem; }
#status.busy::before {
  content: "";
  flex: none;
  width: 1.125rem;
  height: 1.125rem;
  border: 2px solid var(--line);
  border-top-color: var(--accent);
  border-radius: 50%;
  animation: turn 1s linear infinite;
}
@keyframes turn { to { rotate: 1turn; } }
@media (prefers-reduced-motion: reduce) { #status.busy::before { animation-duration: 4s; } }
form { margin-top: 1rem; }
.field { margin-top: 1rem; }
label { display: block; font-weight: 600; }
.control { position: relative; margin-top: 0.25rem; }
input {
  width: 100%;
  padding: 0.625rem 0.75rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: transparent;
  color: inherit;
  font: inherit;
}
input.hideable { padding-right: 4.5rem; }
input.code { letter-spacing: 0.12em; }
.field .quiet { margin-top: 0.25rem; }
button {
  display: block;
  width: 100%;
  padding: 0.625rem 1rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: transparent;
  color: inherit;
  font: inherit;
  cursor: pointer;
}
button.main {
  margin-top: 1.25rem;
  border-color: var(--accent);
  background: var(--accent);
  color: var(--on-accent);
  font-weight: 600;
}
button.choice { margin-top: 0.625rem; text-align: left; }
button.choice strong { display: block; font-weight: 600; }
button.show {
  position: absolute;
  inset: 0.25rem 0.25rem 0.25rem auto;
  width: auto;
  padding: 0 0.75rem;
  border: 0;
  color: var(--accent);
  font-size: 0.875rem;
}
button:hover { text-decoration: underline; }
button:disabled { opacity: 0.6; cursor: default; text-decoration: none; }
:is(input, button):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.choices { margin-top: 1.25rem; }
.or { display: flex; align-items: center; gap: 0.75rem; margin-top: 1.25rem; color: var(--quiet); font-size: 0.875rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); opacity: 0.5; }
`;
