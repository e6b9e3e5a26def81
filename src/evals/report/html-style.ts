// Style and the one script of the HTML report: readable in light and dark, usable by keyboard, nothing loaded.

export const STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --panel: #f6f8fa; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0;
  --good: #116329; --good-soft: #dafbe1; --bad: #a40e26; --bad-soft: #ffebe9; --odd: #7d4e00; --odd-soft: #fff3c4;
  --bar: #0757ba; --bar-soft: #b6d7ff; --solid-good: #2da44e; --solid-bad: #cf222e; --solid-odd: #d4a72c; --solid-none: #8c959f; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --panel: #151b23; --ink: #e6edf3; --soft: #9ea7b3; --line: #30363d;
  --good: #56d364; --good-soft: #12301c; --bad: #ff9a92; --bad-soft: #42161a; --odd: #e3b341; --odd-soft: #352a10;
  --bar: #79b8ff; --bar-soft: #1d4377; --solid-good: #2ea043; --solid-bad: #da3633; --solid-odd: #bb8009; --solid-none: #6e7681; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0 auto; max-width: 68rem; padding: 2rem clamp(1rem, 4vw, 2.5rem) 5rem; background: var(--ground); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: .1rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.75rem 0 .6rem; } h2:focus { outline: none; }
h3 { font-size: .95rem; margin: 1.25rem 0 .35rem; } h4 { font-size: .85rem; margin: .8rem 0 .3rem; color: var(--soft); }
p { margin: .3rem 0; } ul { margin: .4rem 0; padding-left: 1.3rem; }
.soft { color: var(--soft); font-weight: 400; font-size: .9em; }
.code, pre, kbd { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono CJK SC", monospace; font-size: .86em; }
.skip { position: absolute; left: -999rem; } .skip:focus { left: 1rem; top: .5rem; padding: .4rem .8rem; background: var(--ground); }
a { color: var(--bar); }
:is(a, summary, input, select, .scroll):focus-visible { outline: 3px solid var(--bar); outline-offset: 2px; border-radius: .3rem; }
.badge { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; font-size: .82rem; font-weight: 600; line-height: 1.6; white-space: nowrap; vertical-align: middle; }
.passed, .improved, .success, .better { color: var(--good); } .badge:is(.passed, .improved) { background: var(--good-soft); }
.failed, .regressed, .suspect, .worse, .denied { color: var(--bad); } .badge:is(.failed, .regressed, .suspect) { background: var(--bad-soft); }
.error, .skipped, .incomplete, .inconclusive, .interrupted, .pending, .partial, .timeout { color: var(--odd); }
.badge:is(.error, .skipped, .incomplete, .inconclusive) { background: var(--odd-soft); }
.states { display: flex; gap: 3px; height: .75rem; } .states .part { border-radius: .2rem; min-width: 4px; }
.part.passed { background: var(--solid-good); } .part.failed { background: var(--solid-bad); } .part.error { background: var(--solid-odd); } .part.skipped { background: var(--solid-none); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; padding: 0; margin: .5rem 0 0; }
.note { border-left: 4px solid currentColor; padding: .1rem 1rem .5rem; margin-top: 2rem; background: var(--panel); } .note h2 { margin: .5rem 0 .2rem; font-size: 1rem; }
.note li { color: var(--ink); overflow-wrap: anywhere; }
.chart { display: grid; gap: .5rem; margin: .8rem 0; }
.row { display: grid; grid-template-columns: 7rem minmax(8rem, 1fr) 15.5rem; gap: 1rem; align-items: center; }
.track { position: relative; display: block; height: 1rem; border-radius: .25rem; background: linear-gradient(90deg, var(--line) 1px, transparent 1px) 0 0 / 25% 100%, var(--panel); border-right: 1px solid var(--line); }
.track i { position: absolute; } .band { top: .2rem; height: .6rem; min-width: 2px; border-radius: .2rem; background: var(--bar-soft); }
.mark { top: -.1rem; height: 1.2rem; width: 4px; margin-left: -2px; border-radius: 2px; background: var(--bar); } .zero { top: -.2rem; height: 1.4rem; width: 1px; background: var(--ink); }
.axis { display: flex; justify-content: space-between; color: var(--soft); font-size: .75rem; font-variant-numeric: tabular-nums; }
.change { max-width: 34rem; margin: .9rem 0 1.2rem; } .change .track { background: var(--panel); border: 0; }
.change.regressed .mark { background: var(--bad); } .change.regressed .band { background: var(--solid-bad); opacity: .4; } .change.improved .mark { background: var(--good); } .change.improved .band { background: var(--solid-good); opacity: .4; }
.powers { display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; }
.number { font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; margin: .5rem 0; } .narrow .scroll { max-width: 34rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .4rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { font-size: .82rem; color: var(--soft); vertical-align: bottom; } tbody th { font-weight: 500; overflow-wrap: anywhere; min-width: 8rem; }
th.number, td.number { text-align: right; white-space: nowrap; }
td { overflow-wrap: anywhere; } tbody tr:last-child > * { border-bottom: 0; }
.meter { display: inline-block; width: 3.2rem; height: .4rem; margin-right: .5rem; border-radius: .2rem; background: var(--line); vertical-align: middle; overflow: hidden; }
td .rate { display: inline-block; min-width: 3.6rem; } .row b { display: inline-block; min-width: 3.9rem; text-align: right; margin-right: .4rem; }
.meter i { display: block; height: 100%; background: var(--bar); }
td.hit { background: var(--good-soft); color: var(--good); font-weight: 600; } td.theft { background: var(--bad-soft); color: var(--bad); font-weight: 600; }
.filter:not([hidden]) { display: flex; gap: .8rem 1rem; flex-wrap: wrap; align-items: end; margin: .5rem 0 1rem; }
.filter label { display: grid; gap: .15rem; font-size: .85rem; color: var(--soft); } .filter label:first-child { flex: 1 1 16rem; grid-template-columns: auto 1fr; column-gap: .5rem; justify-items: start; }
.filter label:first-child input { grid-column: 1 / -1; width: 100%; } .filter .check { display: flex; align-items: center; gap: .4rem; padding: .4rem 0; }
kbd { padding: 0 .35rem; border: 1px solid var(--line); border-radius: .25rem; } #shown { padding: .4rem 0; margin-left: auto; font-variant-numeric: tabular-nums; }
input, select { font: inherit; font-size: .95rem; padding: .35rem .55rem; color: var(--ink); background: var(--ground); border: 1px solid var(--soft); border-radius: .35rem; }
input::placeholder { color: var(--soft); opacity: 1; }
.cases { border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; } details + details { border-top: 1px solid var(--line); } details[hidden] { display: none; }
summary { display: grid; grid-template-columns: .8rem 7rem minmax(0, 1fr) auto; gap: .75rem; align-items: center; padding: .55rem .9rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; } summary::before { content: "▸"; color: var(--soft); } details[open] > summary::before { content: "▾"; }
summary:hover, details[open] > summary { background: var(--panel); } summary:focus-visible { outline-offset: -3px; } summary .badge { justify-self: start; }
.name { display: grid; } .name b { font-weight: 600; overflow-wrap: anywhere; } .name .soft { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.inside { padding: .4rem 1.1rem 1.2rem 2.4rem; border-top: 1px solid var(--line); }
.chip { padding: 0 .45rem; border: 1px solid var(--line); border-radius: 1rem; } .place { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; padding: .6rem .8rem; border-radius: .35rem; background: var(--panel); line-height: 1.5; }
.reasons li { overflow-wrap: anywhere; } .reasons b { color: var(--bad); }
td.status { white-space: nowrap; } tr.mark td { position: static; background: var(--bad-soft); } td.code { min-width: 7rem; } td.args { min-width: 9rem; }
.diff { list-style: none; padding: .5rem .8rem; border-radius: .35rem; background: var(--panel); font: .86em/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.diff li { white-space: pre-wrap; overflow-wrap: anywhere; } .diff .before { color: var(--bad); } .diff .after { color: var(--good); }
@media (max-width: 44rem) { .row { grid-template-columns: 1fr auto; gap: .1rem .6rem; } .row .track, .row .axis { grid-column: 1 / -1; grid-row: 2; } .row > :last-child { text-align: right; }
  summary { grid-template-columns: .8rem minmax(0, 1fr) auto; } summary .badge { grid-column: 2; } summary .name { grid-column: 2 / -1; grid-row: 2; } summary > .number { grid-row: 1; grid-column: 3; }
  .name .soft { white-space: normal; } .inside { padding-left: 1.1rem; } th, td { padding: .35rem .5rem; } }
@media print { .filter, .skip { display: none !important; } details { break-inside: avoid; } }
`;

/** Hides cases that do not match the filter, which is shown only where scripts run; "/" focuses it. */
export const SCRIPT = `
const find = (id) => document.getElementById(id);
const words = find('words'), state = find('state'), changed = find('changed');
const cases = [...document.querySelectorAll('[data-case]')];
function filter() {
  const wanted = words.value.trim().toLowerCase().split(/\\s+/);
  let count = 0;
  for (const one of cases) {
    const { dataset } = one;
    const fits = (state.value === '' || dataset.state === state.value) && !(changed?.checked && dataset.changed === undefined)
      && wanted.every((word) => dataset.case.includes(word));
    one.hidden = !fits;
    if (fits) count++;
  }
  find('shown').textContent = count + ' / ' + cases.length;
  find('nothing').hidden = count > 0;
}
const form = words.form;
form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, select')) return;
  event.preventDefault();
  words.focus();
});
filter();
`;
