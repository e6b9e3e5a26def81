// Looks and the one behaviour of the HTML report: readable in light and dark, usable by keyboard, nothing loaded.

export const STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --panel: #f6f8fa;
  --good: #116329; --bad: #b3261e; --odd: #7d4e00; --bar: #0969da; --barsoft: #b6d4f5; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --ink: #e6edf3; --soft: #9ea7b3; --line: #30363d;
  --panel: #161b22; --good: #56d364; --bad: #ff8f86; --odd: #e3b341; --bar: #58a6ff; --barsoft: #1f4a7a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 1.5rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; } .soft { color: var(--soft); }
.verdict { display: inline-block; padding: 0 .6rem; border: 2px solid currentColor; border-radius: 1rem; font-weight: 600; }
.passed, .improved, .success, .better { color: var(--good); } .failed, .regressed, .suspect, .worse, .denied { color: var(--bad); }
.error, .skipped, .incomplete, .inconclusive, .interrupted { color: var(--odd); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } td.number { text-align: right; font-variant-numeric: tabular-nums; } td.hit { background: var(--panel); }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg .range { fill: var(--barsoft); } svg .value { fill: var(--bar); }
svg .frame { fill: var(--panel); }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .3rem 0; background: var(--panel); }
summary { cursor: pointer; padding: .4rem .7rem; } summary:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid var(--bar); outline-offset: 1px; }
.inside { padding: .2rem .9rem .8rem; overflow-x: auto; } pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; font: 13px/1.45 ui-monospace, monospace; }
.mark td { outline: 1px solid var(--bad); outline-offset: -1px; }
.filter { display: flex; gap: .6rem; flex-wrap: wrap; align-items: end; } .filter label { display: grid; gap: .1rem; }
input, select { font: inherit; padding: .25rem .4rem; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: .3rem; }
[hidden] { display: none; }
`;

/** Hides what does not fit the words and the state; without it every case is shown. */
export const SCRIPT = `
const words = document.getElementById('words'), state = document.getElementById('state'), shown = document.getElementById('shown');
const cases = [...document.querySelectorAll('[data-case]')];
function filter() {
  const wanted = words.value.trim().toLowerCase();
  let count = 0;
  for (const one of cases) {
    const fits = (state.value === '' || one.dataset.state === state.value) && one.dataset.case.includes(wanted);
    one.hidden = !fits;
    if (fits) count++;
  }
  shown.textContent = count + ' / ' + cases.length;
}
words.addEventListener('input', filter);
state.addEventListener('change', filter);
filter();
`;
