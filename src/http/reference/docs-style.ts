/** The style of the reference page, which stands in the page itself. */
export const stylesheet = `
:root { color-scheme: light dark; --ink: #1c2126; --paper: #fff; --soft: #5b6670; --line: #d5dbe0; --code: #f3f5f7; --accent: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --paper: #14181c; --soft: #9aa5b0; --line: #333b43; --code: #1d2329; --accent: #7db8f5; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; color: var(--ink); background: var(--paper); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); } h3 { margin-top: 2rem; font-size: 1.05rem; }
a { color: var(--accent); } p, li { max-width: 45rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; background: var(--code); border-radius: .25rem; }
code { padding: .1em .3em; } pre { padding: .75rem; overflow-x: auto; overflow-wrap: normal; } pre code { padding: 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: normal; }
th { color: var(--soft); font-weight: 600; } td:last-child { min-width: 12rem; } .soft { color: var(--soft); }
`
