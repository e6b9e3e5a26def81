// Cases from the other skills of trailofbits/skills: reports merged, graphs compared, repositories looked at.
import { json, lines, type RealCase } from '../../support/real/case.ts';

const PLUGINS = 'trailofbits+skills/plugins';
const CODEQL = `${PLUGINS}/static-analysis/skills/codeql`;
const SEMGREP = `${PLUGINS}/static-analysis/skills/semgrep`;
const SARIF = `${PLUGINS}/static-analysis/skills/sarif-parsing`;
const GOAL = `${PLUGINS}/goal-prompt/skills/goal-prompt`;
const SUPPLY = `${PLUGINS}/supply-chain-risk-auditor/skills/supply-chain-risk-auditor`;
const OPEN = `${PLUGINS}/open-sourcing/skills/open-sourcing`;
const GRAPH = `${PLUGINS}/trailmark/skills/graph-evolution`;
const FATE = `${PLUGINS}/let-fate-decide/skills/let-fate-decide`;

const finding = (ruleId: string, level: string, uri: string, startLine: number) => ({
  ruleId,
  level,
  message: { text: `${ruleId} – careful` },
  locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine } } }],
});

const report = (...results: readonly unknown[]) =>
  json({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint', rules: [{ id: 'eval' }] } }, results }] });

const REPORTS = {
  'raw/a.sarif': report(finding('eval', 'error', 'a.py', 3), finding('eval', 'error', 'a.py', 3)),
  'raw/b.sarif': report(finding('open', 'warning', 'src/b.py', 9)),
  'raw/c.sarif': '{"runs": [',
};

const node = (name: string, complexity: number) => ({
  name,
  kind: 'function',
  cyclomatic_complexity: complexity,
  location: { file_path: 'a.py', start_line: 1, end_line: complexity },
  parameters: [{ name: 'x' }],
});

const REPOSITORY = {
  'README.md': '# Tool\n',
  LICENSE: 'MIT\n',
  '.gitignore': 'dist\n',
  '.github/workflows/test.yml': 'on: push\n',
  'src/app_test.py': 'def test(): pass\n',
};

export const TRAIL: RealCase[] = [
  {
    name: 'trailofbits semgrep merge_sarif: two reports and a broken one',
    skill: SEMGREP,
    files: REPORTS,
    steps: [
      { script: 'scripts/merge_sarif.py', args: ['raw', 'out/results.sarif'] },
      { script: 'scripts/merge_sarif.py', args: ['raw', 'out/important.sarif', '--important'] },
      { script: 'scripts/merge_sarif.py', args: ['nowhere', 'x.sarif'] },
    ],
  },
  {
    name: 'trailofbits semgrep merge_sarif, then a summary of it by another script of that plugin',
    skill: SARIF,
    files: { 'results.sarif': REPORTS['raw/a.sarif'] },
    steps: [
      { script: 'resources/sarif_helpers.py', args: ['results.sarif'] },
      { script: 'resources/sarif_helpers.py' },
    ],
  },
  {
    name: 'trailofbits semgrep run-scans: only what it would run, and words that cannot be',
    skill: SEMGREP,
    files: { 'rules.json': json({ baseline: ['p/ci'], python: ['p/python'], third_party: [] }), 'src/a.py': 'x = 1\n' },
    steps: [
      {
        script: 'scripts/run-scans.sh',
        args: [
          '--target',
          '/tmp',
          '--output-dir',
          '/tmp/o',
          '--mode',
          'run-all',
          '--rulesets',
          'rules.json',
          '--dry-run',
        ],
      },
      { script: 'scripts/run-scans.sh', args: ['--mode', 'some'] },
    ],
  },
  {
    name: 'trailofbits codeql find_databases and verify_query_suite: without codeql',
    skill: CODEQL,
    files: { 'suite.qls': '- queries: .\n' },
    steps: [
      { script: 'scripts/find_databases.sh', args: ['.'] },
      { script: 'scripts/verify_query_suite.py', args: ['suite.qls'] },
    ],
  },
  {
    name: 'trailofbits codeql build_log: a log in the working folder',
    skill: CODEQL,
    steps: [{ script: 'scripts/build_log.sh' }],
  },
  {
    name: 'trailofbits codeql check_db_quality and generate_suite: no database, no language',
    skill: CODEQL,
    files: { 'db/codeql-database.yml': 'primaryLanguage: python\n' },
    steps: [
      { script: 'scripts/check_db_quality.py', args: ['db', '--format', 'json'] },
      { script: 'scripts/check_db_quality.py', args: ['none'] },
      { script: 'scripts/generate_suite.sh', args: ['run-all'] },
      { script: 'scripts/generate_suite.sh', args: ['all'] },
    ],
  },
  {
    name: 'trailofbits goal-prompt: from stdin, from a file, too long, not there',
    skill: GOAL,
    files: { 'draft.txt': lines('  /goal  Move every   test', '', 'to the new runner, or stop after 20 turns. ') },
    steps: [
      { script: 'scripts/format_goal_prompt.py', input: 'Make the build green\n' },
      { script: 'scripts/format_goal_prompt.py', args: ['draft.txt', '--fenced'] },
      { script: 'scripts/format_goal_prompt.py', args: ['draft.txt', '--objective-only', '--max-chars', '10'] },
      { script: 'scripts/format_goal_prompt.py', args: ['none.txt'] },
    ],
  },
  {
    name: 'trailofbits graph-evolution graph_diff: two graphs',
    skill: GRAPH,
    files: {
      'before.json': json({
        nodes: { a: node('a', 3), b: node('b', 2) },
        edges: [{ source: 'a', target: 'b', kind: 'calls' }],
      }),
      'after.json': json({
        nodes: { a: node('a', 9), c: node('c', 1) },
        edges: [{ source: 'a', target: 'c', kind: 'calls' }],
      }),
    },
    steps: [
      { script: 'scripts/graph_diff.py', args: ['--before', 'before.json', '--after', 'after.json'] },
      { script: 'scripts/graph_diff.py', args: ['--before', 'none.json', '--after', 'after.json', '--indent', '0'] },
    ],
  },
  {
    name: 'trailofbits supply-chain-risk-auditor: collected offline, then rendered',
    skill: SUPPLY,
    files: {
      'app/package.json': json({ name: 'app', dependencies: { 'left-pad': '^1.3.0' } }),
      'app/requirements.txt': 'requests==2.31.0\n',
      'app/pyproject.toml': '[project]\nname = "app"\ndependencies = ["rich>=13"]\n',
    },
    steps: [
      { script: 'scripts/collect.py', args: ['app', '--offline', '--json', 'findings.json'] },
      { script: 'scripts/render.py', args: ['findings.json', '--out', 'report.md'] },
      { script: 'scripts/collect.py', args: ['nowhere'] },
    ],
    varies: [/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)?/g],
  },
  {
    name: 'trailofbits open-sourcing: a repository that is nearly ready',
    skill: OPEN,
    files: REPOSITORY,
    git: true,
    steps: [{ script: 'scripts/check_readiness.sh' }, { script: 'scripts/detect_org.sh' }],
  },
  {
    name: 'trailofbits open-sourcing: no repository',
    skill: OPEN,
    files: REPOSITORY,
    steps: [{ script: 'scripts/check_readiness.sh' }, { script: 'scripts/detect_org.sh' }],
  },
  {
    name: 'trailofbits open-sourcing: a repository with files that look like secrets',
    skill: OPEN,
    files: { ...REPOSITORY, '.env': 'KEY=1\n', 'credentials.json': '{}\n', '.env.example': 'KEY=\n' },
    git: true,
    steps: [{ script: 'scripts/check_readiness.sh' }],
  },
  {
    name: 'trailofbits let-fate-decide: wrong counts',
    skill: FATE,
    steps: [['5'], ['--legacy', 'x'], ['--legacy', '99']].map((args) => ({ script: 'scripts/draw_cards.py', args })),
  },
  {
    name: 'trailofbits let-fate-decide: every card, whichever order',
    skill: FATE,
    steps: [{ script: 'scripts/draw_cards.py', args: ['--legacy', '3'] }],
    varies: [/"(?:card|name|suit|arcana|file|card_file|position|reversed|card_id)": [^\n]*/g],
  },
  {
    name: 'trailofbits culture-index check_deps: names what is missing',
    skill: `${PLUGINS}/culture-index/skills/interpreting-culture-index`,
    steps: [{ script: 'scripts/check_deps.py' }],
  },
  {
    name: 'trailofbits yara-rule-authoring yara_lint: needs yara-x',
    skill: `${PLUGINS}/yara-authoring/skills/yara-rule-authoring`,
    files: { 'a.yar': 'rule a { condition: true }\n' },
    steps: [{ script: 'scripts/yara_lint.py', args: ['a.yar'] }],
  },
  {
    name: 'trailofbits burpsuite burp-search: no such project, then no Burp',
    skill: `${PLUGINS}/burpsuite-project-parser/skills/burpsuite-project-parser`,
    files: { 'a.burp': 'x' },
    steps: [['none.burp', 'auditItems'], ['a.burp', 'auditItems'], []].map((args) => ({
      script: 'scripts/burp-search.sh',
      args,
    })),
  },
  {
    name: 'trailofbits crypto-protocol-diagram: its example',
    skill: `${PLUGINS}/trailmark/skills/crypto-protocol-diagram`,
    steps: [{ script: 'examples/simple-handshake/protocol.py' }],
  },
  {
    name: 'trailofbits devcontainer-setup post_install: settings under home, which is thrown away',
    skill: `${PLUGINS}/devcontainer-setup/skills/devcontainer-setup`,
    steps: [{ script: 'resources/post_install.py' }],
  },
  {
    name: 'trailofbits devcontainer-setup install: help and a template copied into the project',
    skill: `${PLUGINS}/devcontainer-setup/skills/devcontainer-setup`,
    files: { 'box/README.md': '# Box\n' },
    guarded: true,
    steps: [
      { script: 'resources/install.sh', args: ['help'] },
      { script: 'resources/install.sh', args: ['template', 'box'] },
    ],
  },
];
