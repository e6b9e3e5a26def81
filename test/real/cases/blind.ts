// Cases that were chosen blindly: every seventeenth script with an argument parser that no other case starts.
import { json, lines, type RealCase } from '../../support/real/case.ts';

const MONKEY = 'kouko+monkey-skills';
const INVEST = `${MONKEY}/investing-toolkit/skills`;
const KPI = `${INVEST}/analysis-kpi`;
const RALPH = 'jscraik+Agent-Skills/product/specs/product-spec';

const model = (...header: readonly string[]) => lines('/*', '---', ...header, '---', '*/', 'select 1 as cups');

const point = (period: string, value: string, asOf: string) =>
  json({
    ...{ company: 'TEA', kpi_id: 'cups', period, value, unit: 'cups', as_of: asOf },
    ...{ source_accession: `0001-${asOf}`, source_table_id: 't1', source_cell_ref: 'B2' },
  });

const pack = (ticker: string, pe: number, sector = 'Technology') =>
  json({
    pack: 'comps-multiples',
    ticker,
    data: { trailingPE: pe, forwardPE: pe - 2, evEbitda: pe / 2, priceToSales: 3, priceToBook: 4 },
    info: { sector, industry: 'Tea' },
    trailingPE: pe,
  });

const ISSUES = lines(
  '# 茶葉',
  ...['事實摘要', '時間軸', 'Issue 矩陣', '構成要件涵攝', '反事實', '風險分級', 'Disclaimer'].flatMap((name) => [
    `## §${name}`,
    '',
    '| 要件 | 事實 | 涵攝 | 結論 |',
    '|---|---|---|---|',
    `| 一 | ${'茶'.repeat(60)} | 是 | ⚠️ |`,
    '',
  ]),
);

export const BLIND: RealCase[] = [
  {
    name: 'monkey validate_header: a folder of models, one with faults, a glob, a manifest that is none',
    skill: `${MONKEY}/dev-workflow/skills/dbt-model-style`,
    files: {
      'models/stg_cups.sql': model('title: Cups', 'summary: all', 'grain: one a cup', 'sources: [raw]'),
      'models/marts/mart_tea.sql': model('title: Tea', 'summary: all', 'grain: ""', 'sources: [raw]'),
      'models/open.sql': '/* never closed\nselect 1\n',
      'broken.json': '{',
    },
    steps: [['models'], ['models/stg_*.sql'], ['--manifest', 'broken.json', 'models'], ['none'], []].map((args) => ({
      script: 'scripts/validate_header.py',
      args,
    })),
  },
  {
    name: 'monkey kpi_store: points from standard input and from a file, kept in the home, asked for in the same one',
    skill: KPI,
    keepsHome: true,
    files: { 'points/q2.json': point('2025Q2', '140', '2025-08-01'), 'points/bad.json': '{"company": "TEA"}' },
    steps: [
      { script: 'scripts/kpi_store.py', args: ['append'], input: point('2025Q1', '120', '2025-05-01') },
      { script: 'scripts/kpi_store.py', args: ['append', '--file', 'points/q2.json'] },
      { script: 'scripts/kpi_store.py', args: ['append', '--file', 'points/bad.json'] },
      { script: 'scripts/kpi_store.py', args: ['list-series'] },
      {
        script: 'scripts/kpi_store.py',
        args: ['query', '--company', 'TEA', '--kpi-id', 'cups', '--period', '2025Q2', '--latest'],
      },
      { script: 'scripts/kpi_store.py', args: ['dump', '--company', 'TEA'] },
    ],
  },
  {
    name: 'monkey comps_compute: an anchor among its peers, a sector forced, a peer that is not there',
    skill: `${INVEST}/analysis-comps`,
    files: { 'a.json': pack('TEA', 20), 'b.json': pack('CUP', 15), 'c.json': pack('POT', 30, 'Energy') },
    steps: [
      { script: 'scripts/comps_compute.py', args: ['--anchor', 'a.json', '--peers', 'b.json,c.json'] },
      {
        script: 'scripts/comps_compute.py',
        args: ['--anchor', 'a.json', '--peers', 'b.json', '--mode', 'compute', '--anchor-base', 'b.json'],
      },
      {
        script: 'scripts/comps_compute.py',
        args: ['--anchor', 'a.json', '--peers', 'b.json', '--sector-override', 'tea'],
      },
      { script: 'scripts/comps_compute.py', args: ['--anchor', 'a.json', '--peers', 'none.json'] },
    ],
    varies: [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g],
  },
  {
    name: 'monkey grade_issue_spot: two papers, one without what it must have',
    skill: `${MONKEY}/legal-toolkit/skills/legal-issue-spot`,
    files: { 'issues.md': ISSUES, 'business.md': '# 業務\n\n🟡 {{name}}\n' },
    steps: [
      { script: 'scripts/grade_issue_spot.py', args: ['--issues', 'issues.md', '--business', 'business.md'] },
      { script: 'scripts/grade_issue_spot.py', args: ['--issues', 'issues.md', '--business', 'none.md'] },
    ],
  },
  {
    name: 'monkey mode_route: its schema, a prompt, a stance from standard input, a word that is none',
    skill: `${MONKEY}/research-toolkit/skills/deep-deep-research`,
    steps: [
      { script: 'scripts/mode_route.py', args: ['schema'] },
      {
        script: 'scripts/mode_route.py',
        args: ['classify-prompt', '--question', 'Is tea hot?', '--confirmed-block', 'It is 茶', '--killed-block', ''],
      },
      { script: 'scripts/mode_route.py', args: ['stance'], input: '{"mode_binary": "unsettled"}' },
      { script: 'scripts/mode_route.py', args: ['stance'], input: '{"mode_binary": 1}' },
      { script: 'scripts/mode_route.py', args: ['brew'] },
    ],
  },
  {
    name: 'monkey multi_judge: three judges who agree, who do not, and none',
    skill: `${MONKEY}/skill-dev-toolkit/skills/skill-refactor`,
    files: Object.fromEntries(
      [
        ['yes', ['equivalent', 'equivalent', 'equivalent']],
        ['no', ['equivalent', 'not_equivalent', 'uncertain']],
        ['none', []],
      ].map(([name, verdicts]) => [
        `judges/${String(name)}.json`,
        json({
          judges: [...(verdicts ?? [])].map((verdict, at) => ({
            judge_id: at + 1,
            frame: 'utility',
            verdict,
            reason: 'x',
          })),
        }),
      ]),
    ),
    steps: ['yes', 'no', 'none', 'gone'].map((name) => ({
      script: 'scripts/multi_judge.py',
      args: ['--ensemble', `judges/${name}.json`],
    })),
  },
  {
    name: 'cc-skills sanitize_sessions: a folder of sessions, into folders of its own choice and another',
    skill: 'terrylica+cc-skills/plugins/devops-tools/skills/session-chronicle',
    files: {
      'claude-sessions-export-raw/a.jsonl': lines(
        JSON.stringify({
          uuid: '0f5b1b1e-0000-4000-8000-000000000001',
          text: 'call +1 604-555-0100, mail a@example.org',
        }),
        JSON.stringify({ text: 'token ghp_0123456789012345678901234567890123456789', url: 'https://x.example/?k%3Dv' }),
        'no json',
      ),
      'in/b.jsonl': lines(JSON.stringify({ message: { content: 'host 100.64.0.1 on box.ts.net' } })),
    },
    steps: [
      { script: 'scripts/sanitize_sessions.py' },
      {
        script: 'scripts/sanitize_sessions.py',
        args: ['--input', 'in', '--output', 'out', '--report', 'out/report.txt'],
      },
      { script: 'scripts/sanitize_sessions.py', args: ['--input', 'nowhere'] },
    ],
  },
  {
    name: 'cc-skills build-nav: a site gets its map and its rails in place, twice',
    skill: 'terrylica+cc-skills/plugins/html-showcase/skills/page-template',
    files: {
      'site/index.html': '<!doctype html><html><head><title>Tea</title></head><body><h1>Tea</h1></body></html>\n',
      'site/2025-01-02-cups/index.html': '<html><head><title>Cups</title></head><body><h1>杯</h1></body></html>\n',
      'site/2025-01-02-cups/b.html': '<html><head></head><body>no title</body></html>\n',
      'site/pots/index.html': '<html><head><title>Pots &amp; lids</title></head><body></body></html>\n',
    },
    steps: [
      { script: 'scripts/build-nav.py', args: ['--root', 'site'] },
      { script: 'scripts/build-nav.py', args: ['--root', 'site', '--asset-version', '2'] },
      { script: 'scripts/build-nav.py', args: ['--root', 'nowhere'] },
    ],
    varies: [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g],
  },
  {
    name: 'Agent-Skills run_skill_evals: a skill without evals, a runner that is not there',
    skill: 'jscraik+Agent-Skills/utilities/skill-creator',
    files: {
      'one/SKILL.md': '---\nname: one\ndescription: Makes tea.\n---\n',
      'two/SKILL.md': '---\nname: two\ndescription: Makes tea.\n---\n',
      'two/references/evals.yaml': 'cases:\n  - name: hot\n    prompt: Make tea\n    expect: [tea]\n',
    },
    steps: [['one'], ['two', '--claude-bin', './none'], ['nowhere']].map((args) => ({
      script: 'scripts/run_skill_evals.py',
      args,
    })),
  },
  {
    name: 'Agent-Skills ralph-codex: how it is used, an option that is none, a loop without the program it drives',
    skill: RALPH,
    files: { 'RALPH_TASK.md': lines('# Tea', '', '- [ ] Boil water') },
    git: true,
    steps: [['--help'], ['--brew'], ['-n', '1', '--commit', 'never']].map((args) => ({
      script: 'assets/ralph/scripts/ralph/ralph-codex.sh',
      args,
    })),
  },
];
