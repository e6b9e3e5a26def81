// Cases with Node, from JimLiu/baoyu-skills and coreyhaines31/marketingskills, and scripts that plugins keep beside their skills.
import { json, lines, type RealCase } from '../../support/real/case.ts';

const BAOYU = 'JimLiu+baoyu-skills/skills';
const CLIS = 'coreyhaines31+marketingskills/tools/clis';
const C_REVIEW = 'trailofbits+skills/plugins/c-review/scripts';
const TIMING = 'trailofbits+skills/plugins/constant-time-analysis/ct_analyzer';
const IMPROVER = 'trailofbits+skills/plugins/skill-improver/scripts';

const ARTICLE = lines(
  '---',
  'title: A walk',
  'cover_image: img/sea.png',
  '---',
  '# A walk',
  '',
  'It was **late**, the [sea](https://example.org) quiet.',
  '',
  '![the sea](img/sea.png)',
  '',
  '- one',
  '- two',
);

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

export const COMMAND_LINES: RealCase[] = [
  {
    name: 'baoyu-image-gen: no words, no provider, no prompt file',
    skill: `${BAOYU}/baoyu-image-gen`,
    steps: [
      { script: 'scripts/main.ts' },
      { script: 'scripts/main.ts', args: ['--prompt', 'a cat', '--image', 'cat.png'] },
      { script: 'scripts/main.ts', args: ['--promptfiles', 'none.md', '--image', 'cat.png', '--json'] },
    ],
  },
  {
    name: 'baoyu-compress-image: by whatever compressor there is, then a file that is not there',
    skill: `${BAOYU}/baoyu-compress-image`,
    files: { 'img/dot.png': PIXEL },
    varies: [/tIME[\s\S]{11}/g, /date:(?:create|modify|timestamp)[\s\S]{32}/g],
    steps: [
      { script: 'scripts/main.ts', args: ['img/dot.png', '--json'] },
      { script: 'scripts/main.ts', args: ['none.png'] },
    ],
  },
  {
    name: 'baoyu-post-to-x md-to-html: an article with an image',
    skill: `${BAOYU}/baoyu-post-to-x`,
    files: { 'walk.md': ARTICLE, 'img/sea.png': PIXEL },
    steps: [
      { script: 'scripts/md-to-html.ts', args: ['walk.md'] },
      { script: 'scripts/md-to-html.ts', args: ['walk.md', '--save-html', 'out.html'] },
    ],
  },
  {
    name: 'baoyu-post-to-wechat: an article without credentials, a clipboard that is not there',
    skill: `${BAOYU}/baoyu-post-to-wechat`,
    // It has npx fetch bun for every article.
    needsNetwork: true,
    files: { 'walk.md': ARTICLE, 'img/sea.png': PIXEL },
    steps: [
      { script: 'scripts/wechat-api.ts', args: ['none.md'] },
      { script: 'scripts/wechat-article.ts', args: ['--markdown', 'none.md'] },
      { script: 'scripts/copy-to-clipboard.ts', args: ['image', 'none.png'] },
    ],
  },
  {
    name: 'baoyu-slide-deck merge-to-pdf: needs pdf-lib',
    skill: `${BAOYU}/baoyu-slide-deck`,
    files: { 'deck/01-slide.png': PIXEL },
    steps: [{ script: 'scripts/merge-to-pdf.ts', args: ['deck'] }],
  },
  {
    name: 'marketingskills command lines: without a key',
    skill: CLIS,
    steps: ['plausible.js', 'mailchimp.js', 'klaviyo.js', 'ga4.js'].map((script) => ({ script, args: ['stats'] })),
  },
  {
    name: 'marketingskills utm, zapier and buffer: words without a command',
    skill: CLIS,
    steps: ['zapier.js', 'buffer.js', 'dub.js'].map((script) => ({ script })),
  },
  {
    name: 'c-review generate_sarif: an empty run, then no run',
    skill: C_REVIEW,
    files: { 'run/context.md': '# run\n' },
    steps: [
      { script: 'generate_sarif.py', args: ['run'] },
      { script: 'generate_sarif.py', args: ['none', '--output', 'x.sarif'] },
    ],
  },
  {
    name: 'c-review build_run_plan and validate_artifacts: words that are missing',
    skill: C_REVIEW,
    files: { 'plan.json': json({ workers: [] }) },
    steps: [{ script: 'build_run_plan.py' }, { script: 'validate_artifacts.py', args: ['plan.json'] }],
  },
  {
    name: 'constant-time-analysis: C through gcc, a listing, and the list of machines',
    skill: TIMING,
    files: { 'mod.c': 'int rest(int a, int b) { if (b == 3) return a / b; return a % b; }\n' },
    steps: [
      { script: 'analyzer.py', args: ['--list-arch', 'x'] },
      { script: 'analyzer.py', args: ['mod.c', '--compiler', 'gcc', '--warnings'] },
      { script: 'analyzer.py', args: ['mod.c', '-c', 'gcc', '-O', 'O0', '--json'] },
    ],
  },
  {
    name: 'constant-time-analysis: Python and JavaScript, each through its own interpreter',
    skill: TIMING,
    files: {
      'mod.py': 'def rest(a, b):\n    return a % b\n',
      'mod.js': 'function rest(a, b) { return a % b }\nrest(1, 2)\n',
    },
    steps: [
      { script: 'analyzer.py', args: ['mod.py', '--json'] },
      { script: 'analyzer.py', args: ['mod.js'] },
    ],
    varies: [/0x[0-9a-f]+/g],
  },
  {
    name: 'skill-improver setup: a skill that is not there',
    skill: IMPROVER,
    steps: [
      { script: 'setup-skill-improver.sh' },
      { script: 'setup-skill-improver.sh', args: ['none', '--max-iterations', 'x'] },
      { script: 'cancel-skill-improver.sh' },
    ],
  },
  {
    name: 'skill-improver: set up in the project, then cancelled',
    skill: IMPROVER,
    guarded: true,
    files: { 'tidy/SKILL.md': '---\nname: tidy\ndescription: x\n---\n' },
    steps: [
      { script: 'setup-skill-improver.sh', args: ['tidy', '--max-iterations', '3'] },
      { script: 'cancel-skill-improver.sh' },
    ],
    varies: [/\d{14}-[0-9a-f]+/g, /\d{4}-\d\d-\d\dT[\d:]+Z/g],
  },
  {
    name: 'c-review build_run_plan: a whole plan, the output folder made before',
    skill: 'trailofbits+skills/plugins/c-review',
    files: { 'src/a.c': 'int main(void) { return 0; }\n', 'out/.keep': '' },
    steps: [
      {
        script: 'scripts/build_run_plan.py',
        args: [
          ...['--plugin-root', '.agent/skills/c-review', '--output-dir', 'out', '--threat-model', 'REMOTE'],
          ...['--severity-filter', 'all', '--scope-subpath', 'src', '--is-cpp', 'false', '--is-posix', 'true'],
          ...['--is-windows', 'false'],
        ],
      },
      { script: 'scripts/validate_artifacts.py', args: ['out/plan.json'] },
      { script: 'scripts/generate_sarif.py', args: ['out'] },
    ],
  },
  {
    name: 'marketingskills validate-skills: every skill of the working folder',
    skill: 'coreyhaines31+marketingskills',
    files: {
      'skills/tidy/SKILL.md': lines('---', 'name: tidy', 'description: Tidies. Use when untidy.', '---', '# Tidy'),
      'skills/other/SKILL.md': lines('---', 'name: wrong', '---', '# Other'),
      'skills/empty/README.md': 'nothing\n',
    },
    steps: [{ script: 'validate-skills.sh' }],
  },
  {
    name: 'testing-handbook validate-skills: the working folder itself, with whatever is seen in it',
    skill: 'trailofbits+skills/plugins/testing-handbook-skills/scripts',
    files: { 'été thé/SKILL.md': '---\nname: ete\ntype: tool\ndescription: Été.\n---\n# Été\n' },
    steps: [
      { script: 'validate-skills.py', args: ['--skills-dir', '.', '--verbose'] },
      { script: 'validate-skills.py', args: ['--skills-dir', '.', '--skill', 'été thé', '--json'] },
    ],
  },
  {
    name: 'testing-handbook validate-skills: a folder of skills',
    skill: 'trailofbits+skills/plugins/testing-handbook-skills/scripts',
    files: { 'skills/tidy/SKILL.md': '---\nname: tidy\ntype: tool\ndescription: Tidies.\n---\n# Tidy\n' },
    steps: [{ script: 'validate-skills.py', args: ['--skills-dir', 'skills', '--json'] }],
  },
];
