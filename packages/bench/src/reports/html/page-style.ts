/** The page's style: phone, wide screen, dark mode and paper. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fdfcfa; --ink: #23262b; --faint: #5c626b; --rule: #dcd9d2; --wash: #f3f1ec;
  --link: #1d5c8f; --bar: #7ba0b8; --warn: #7a4b00; --warn-wash: #fbf1dc;
  --hue-1: #1f6f9f; --hue-2: #a65300; --hue-3: #2f7d4f; --hue-4: #98447f;
  --hue-5: #8a6a00; --hue-6: #5a55ab; --hue-7: #b23a48; --hue-8: #4d6b6b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181b; --ink: #e3e4e6; --faint: #a3a9b1; --rule: #363b41; --wash: #1f2226;
    --link: #8fc1e8; --bar: #4c7d9b; --warn: #f0c878; --warn-wash: #33290f;
    --hue-1: #6fb6e2; --hue-2: #eb9b52; --hue-3: #73c794; --hue-4: #d98fc3;
    --hue-5: #d3b548; --hue-6: #a7a2ee; --hue-7: #ef8a94; --hue-8: #93b5b5;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 76rem;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", sans-serif;
  overflow-wrap: break-word;
}
@media (min-width: 48rem) { body { padding: 3rem 2.5rem 6rem; } }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 1.75rem; font-weight: 650; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; font-weight: 650; margin: 3rem 0 0.75rem; padding-top: 1.25rem; border-top: 1px solid var(--rule); }
h3 { font-size: 1.05rem; font-weight: 650; margin: 2rem 0 0.25rem; }
p { margin: 0.5rem 0; max-width: 44rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: 0.25rem 0; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--paper); padding: 0.5rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.warning { margin: 1rem 0; padding: 0.75rem 1rem; max-width: 48rem; border-left: 3px solid var(--warn); background: var(--warn-wash); color: var(--warn); }
.warning p { margin: 0; }

.table { margin: 1.5rem 0; }
.fold { margin: 0.25rem 0; }
.table, .fold { container-type: inline-size; }
.scroll { position: relative; overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums lining-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: 0.4rem; }
caption span { position: sticky; left: 0; display: inline-block; max-width: 100cqw; }
th, td { padding: 0.4rem 0.75rem; vertical-align: top; border-bottom: 1px solid var(--rule); text-align: left; }
thead th { font-weight: 600; font-size: 0.82rem; color: var(--faint); vertical-align: bottom; border-bottom: 1px solid var(--faint); }
thead tr:first-child:not(:last-child) > * { border-bottom: 0; padding-bottom: 0; }
thead th.group { color: var(--ink); white-space: nowrap; }
tbody th { font-weight: 500; min-width: 7rem; max-width: 16rem; }
tbody td { max-width: 26rem; }
td.short { white-space: nowrap; }
th.right, td.right { text-align: right; white-space: nowrap; }
thead th.right { white-space: normal; }
td small { display: block; font-size: 0.76rem; color: var(--faint); white-space: nowrap; }
tr.part th { padding-top: 0.9rem; font-weight: 600; font-size: 0.82rem; color: var(--faint); }
tr.part span { position: sticky; left: 0.75rem; }
tbody tr:not(.part) > th, thead tr > :first-child { position: sticky; left: 0; background: var(--paper); z-index: 1; }
@media (max-width: 30rem) {
  tbody th { min-width: 5rem; max-width: 8rem; }
  th, td { padding-inline: 0.4rem; }
}
sup { line-height: 0; }
.notes { font-size: 0.82rem; color: var(--faint); line-height: 1.45; }
.notes p { margin: 0.35rem 0; max-width: 60rem; overflow-wrap: anywhere; }

.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1.5rem 2.5rem; margin: 1.5rem 0 2rem; align-items: start; }
figure { margin: 0; max-width: 30rem; break-inside: avoid; }
figcaption { font-size: 0.85rem; font-weight: 600; margin-bottom: 0.35rem; overflow-wrap: anywhere; }
figure svg { display: block; width: 100%; height: auto; overflow: visible; }

details { max-width: 100%; }
summary { cursor: pointer; padding: 0.35rem 0; }
.fold > summary, .settings > summary { color: var(--link); font-size: 0.9rem; }
pre { margin: 0.25rem 0 1rem; padding: 0.75rem 1rem; background: var(--wash); border-radius: 4px; font: 0.8rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }

.search { position: sticky; top: 0; z-index: 2; padding: 0.75rem 0; background: var(--paper); max-width: 44rem; }
.search label { display: block; font-size: 0.85rem; font-weight: 600; margin-bottom: 0.25rem; }
.search input { width: 100%; padding: 0.55rem 0.7rem; font: inherit; color: inherit; background: var(--wash); border: 1px solid var(--faint); border-radius: 4px; }
.search output { display: block; min-height: 1.3rem; font-size: 0.82rem; color: var(--faint); }
.answer { max-width: 52rem; border-bottom: 1px solid var(--rule); }
.answer[hidden] { display: none; }
.answer summary { padding: 0.55rem 0; }
.tag { display: inline-block; margin-right: 0.35rem; padding: 0 0.45rem; border: 1px solid var(--rule); border-radius: 1rem; font-size: 0.76rem; color: var(--faint); }
.answer dl { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: 0.35rem 1rem; margin: 0.25rem 0 1rem; font-size: 0.92rem; }
.answer dt { color: var(--faint); }
.answer dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
.answer ol, .answer blockquote { margin: 0; padding-left: 1.4rem; white-space: pre-line; }
@media (max-width: 30rem) {
  .answer dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .answer dd { margin-bottom: 0.5rem; }
}

@media print {
  @page { size: A4; margin: 14mm; }
  :root {
    color-scheme: light;
    --paper: #fff; --ink: #000; --faint: #444; --rule: #bbb; --wash: #f5f5f5; --link: #000;
    --bar: #7ba0b8; --warn: #5a3800; --warn-wash: #fff;
    --hue-1: #1f6f9f; --hue-2: #a65300; --hue-3: #2f7d4f; --hue-4: #98447f;
    --hue-5: #8a6a00; --hue-6: #5a55ab; --hue-7: #b23a48; --hue-8: #4d6b6b;
  }
  body { padding: 0; max-width: none; font-size: 9.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  nav, .search, .skip { display: none; }
  h1, h2, h3, caption, figcaption { break-after: avoid; }
  h2 { margin-top: 1.5rem; }
  .scroll { overflow: visible; }
  table { font-size: 7.2pt; }
  th, td { padding: 2pt 4pt; }
  thead th { font-size: 6.8pt; }
  tbody th { min-width: 4rem; max-width: 9rem; }
  tbody tr:not(.part) > th, thead tr > :first-child, caption span, tr.part span { position: static; }
  .table, .fold { container-type: normal; }
  caption span { max-width: none; }
  td small { font-size: 6.2pt; }
  tr.part th { font-size: 7pt; padding-top: 6pt; break-after: avoid; }
  .notes { font-size: 7.5pt; }
  section:has(> .answers):not(:has(.answer[open])), .answers:not(:has(.answer[open])) { display: none; }
  tr, figure, pre { break-inside: avoid; }
  .plots { grid-template-columns: 1fr 1fr; gap: 1rem 1.5rem; }
  .answer:not([open]), .fold:not([open]), .settings:not([open]) { display: none; }
}
`
