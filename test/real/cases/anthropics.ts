// Cases from anthropics/skills: reports, packages, forms, slides, and a server that is started for a command.
import { json, lines, type RealCase } from '../../support/real/case.ts';

const CREATOR = 'anthropics+skills/skills/skill-creator';
const PDF = 'anthropics+skills/skills/pdf';
const PPTX = 'anthropics+skills/skills/pptx';
const DOCX = 'anthropics+skills/skills/docx';
const WEBAPP = 'anthropics+skills/skills/webapp-testing';

const note = (...front: readonly string[]) => lines('---', ...front, '---', '# Notes', '', 'Keep them short.');

const field = (description: string, label: readonly number[], entry: readonly number[]) => ({
  page_number: 1,
  description,
  label_bounding_box: label,
  entry_bounding_box: entry,
  entry_text: { text: 'Ann', font_size: 10 },
});

const grading = (passed: number) => json({ summary: { pass_rate: passed / 4, passed, failed: 4 - passed, total: 4 } });

const BENCHMARK = {
  'bench/eval-1/with_skill/run-1/grading.json': grading(4),
  'bench/eval-1/with_skill/run-1/timing.json': json({ total_duration_seconds: 12.5, total_tokens: 900 }),
  'bench/eval-1/with_skill/run-2/grading.json': grading(3),
  'bench/eval-1/without_skill/run-1/grading.json': grading(1),
  'bench/eval-1/without_skill/run-2/grading.json': '{"summary": ',
  'bench/eval-1/eval_metadata.json': json({ eval_id: 7, prompt: 'Sum up the week' }),
};

const LOOP = json({
  holdout: 0.5,
  original_description: 'Sums up a week',
  best_description: 'Sums up a week of notes',
  history: [
    {
      iteration: 1,
      description: 'Sums up a week',
      train_passed: 1,
      train_total: 2,
      passed: 1,
      total: 2,
      results: [
        { query: 'how was my week?', should_trigger: true, pass: true, triggers: 2, runs: 3 },
        { query: 'what is <b>7 & 8</b>?', should_trigger: false, pass: false, triggers: 3, runs: 3 },
      ],
    },
  ],
});

const DECK = {
  'deck/[Content_Types].xml': '<?xml version="1.0"?>\n<Types>\n</Types>\n',
  'deck/ppt/presentation.xml':
    '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>\n',
  'deck/ppt/_rels/presentation.xml.rels':
    '<Relationships>\n  <Relationship Id="rId1" Target="slides/slide1.xml"/>\n</Relationships>\n',
  'deck/ppt/slides/slide1.xml': '<p:sld><a:t>Willkommen, 你好</a:t></p:sld>\n',
  'deck/ppt/slides/_rels/slide1.xml.rels':
    '<Relationships>\n  <Relationship Id="rId9" Type="http://x/notesSlide" Target="../n.xml"/>\n</Relationships>\n',
  'deck/ppt/slideLayouts/slideLayout2.xml': '<p:sldLayout/>\n',
};

const SERVE = 'exec python3 -m http.server 18765 --bind 127.0.0.1';
const ASK = 'import urllib.request as u; print(u.urlopen("http://127.0.0.1:18765/site/hello.txt").read().decode())';

export const ANTHROPICS: RealCase[] = [
  {
    name: 'anthropics skill-creator quick_validate: a good skill, a bad name, a folder without one',
    skill: CREATOR,
    files: {
      'mine/good/SKILL.md': note('name: good', 'description: Sums up notes.'),
      'mine/bad/SKILL.md': note('name: Bad Name', 'description: Sums up notes.'),
      'mine/none/README.md': 'nothing\n',
    },
    steps: ['mine/good', 'mine/bad', 'mine/none'].map((it) => ({ script: 'scripts/quick_validate.py', args: [it] })),
  },
  {
    name: 'anthropics skill-creator quick_validate: the skill itself, where it lies',
    skill: CREATOR,
    steps: [{ script: 'scripts/quick_validate.py', args: ['.agent/skills/skill-creator'] }],
  },
  {
    name: 'anthropics skill-creator aggregate_benchmark: default output beside the input, one file broken',
    skill: CREATOR,
    files: BENCHMARK,
    steps: [{ script: 'scripts/aggregate_benchmark.py', args: ['bench', '--skill-name', 'week'] }],
    varies: [/\d{4}-\d\d-\d\dT[\d:]+Z?/g],
  },
  {
    name: 'anthropics skill-creator aggregate_benchmark, then the review of it',
    skill: CREATOR,
    files: {
      ...BENCHMARK,
      'bench/eval-1/with_skill/run-1/outputs/week.md': '# Week\n\nAll went well.\n',
      'bench/eval-1/with_skill/run-1/outputs/dot.bin': Uint8Array.of(0, 1, 2, 255),
    },
    steps: [
      { script: 'scripts/aggregate_benchmark.py', args: ['bench', '-o', 'out.json'] },
      {
        script: 'eval-viewer/generate_review.py',
        args: ['bench', '--benchmark', 'out.json', '--static', 'review/index.html'],
      },
    ],
    varies: [/\d{4}-\d\d-\d\dT[\d:]+Z?/g],
  },
  {
    name: 'anthropics skill-creator generate_review: no runs',
    skill: CREATOR,
    files: { 'empty/README.md': 'x\n' },
    steps: [{ script: 'eval-viewer/generate_review.py', args: ['empty', '--static', 'a.html'] }],
  },
  {
    name: 'anthropics skill-creator generate_report: to stdout, to a file, from stdin',
    skill: CREATOR,
    files: { 'loop.json': LOOP },
    steps: [
      { script: 'scripts/generate_report.py', args: ['loop.json'] },
      { script: 'scripts/generate_report.py', args: ['loop.json', '-o', 'report.html', '--skill-name', 'week'] },
      { script: 'scripts/generate_report.py', args: ['-', '-o', 'again.html'], input: LOOP },
    ],
  },
  {
    name: 'anthropics skill-creator generate_report: a page of a megabyte on stdout',
    skill: CREATOR,
    files: {
      'long.json': json({
        history: [
          {
            iteration: 1,
            description: 'Sums up a week',
            results: Array.from({ length: 3000 }, (_, at) => ({
              query: `question ${at}: ${'word '.repeat(30)}`,
              should_trigger: at % 2 === 0,
              pass: at % 3 === 0,
              triggers: at % 4,
              runs: 3,
            })),
          },
        ],
      }),
    },
    steps: [{ script: 'scripts/generate_report.py', args: ['long.json'] }],
  },
  {
    name: 'anthropics skill-creator generate_review: the working folder itself, names with spaces',
    skill: CREATOR,
    files: {
      'eval 1/run ä/outputs/a note.md': '# Hello\n',
      'eval 1/run ä/outputs/table.csv': 'a,b\n1,2\n',
      'eval 1/run ä/transcript.md': '## Eval Prompt\n\nSay hello\n',
    },
    steps: [{ script: 'eval-viewer/generate_review.py', args: ['.', '-n', 'hello', '--static', 'review.html'] }],
  },
  {
    name: 'anthropics skill-creator generate_report: a file that is not there',
    skill: CREATOR,
    steps: [{ script: 'scripts/generate_report.py', args: ['missing.json'] }],
  },
  {
    name: 'anthropics skill-creator package_skill: as a file, which its imports do not allow',
    skill: CREATOR,
    files: { 'good/SKILL.md': note('name: good', 'description: x') },
    steps: [{ script: 'scripts/package_skill.py', args: ['good'] }],
  },
  {
    name: 'anthropics pdf check_bounding_boxes: fine, then overlapping',
    skill: PDF,
    files: {
      'fields.json': json({ form_fields: [field('name', [0, 0, 50, 20], [60, 0, 200, 20])] }),
      'worse.json': json({
        form_fields: [field('name', [0, 0, 80, 20], [60, 0, 200, 8]), field('town', [10, 5, 90, 20], [100, 5, 120, 9])],
      }),
    },
    steps: ['fields.json', 'worse.json', ''].map((it) => ({
      script: 'scripts/check_bounding_boxes.py',
      args: it === '' ? [] : [it],
    })),
  },
  {
    name: 'anthropics pdf extract_form_field_info: needs pypdf',
    skill: PDF,
    files: { 'a.pdf': '%PDF-1.4\n' },
    steps: [{ script: 'scripts/extract_form_field_info.py', args: ['a.pdf', 'info.json'] }],
  },
  {
    name: 'anthropics pptx add_slide: a copy of a slide, then one from a layout, in place',
    skill: PPTX,
    files: DECK,
    steps: [
      { script: 'scripts/add_slide.py', args: ['deck/', 'slide1.xml'] },
      { script: 'scripts/add_slide.py', args: ['deck/', 'slideLayout2.xml'] },
      { script: 'scripts/add_slide.py', args: ['deck/', 'slideLayout9.xml'] },
    ],
  },
  {
    name: 'anthropics docx unpack: needs defusedxml',
    skill: DOCX,
    files: { 'a.docx': 'PK' },
    steps: [{ script: 'scripts/office/unpack.py', args: ['a.docx', 'unpacked/'] }],
  },
  {
    name: 'anthropics docx accept_changes: a document that is not there',
    skill: DOCX,
    steps: [{ script: 'scripts/accept_changes.py', args: ['a.docx', 'b.docx'] }],
  },
  {
    name: 'anthropics slack-gif-creator easing: a library started as a program',
    skill: 'anthropics+skills/skills/slack-gif-creator',
    steps: [{ script: 'core/easing.py' }],
  },
  {
    name: 'anthropics webapp-testing with_server: a server on loopback, asked by the command',
    skill: WEBAPP,
    files: { 'site/hello.txt': 'hello\n' },
    steps: [
      {
        script: 'scripts/with_server.py',
        args: ['--server', SERVE, '--port', '18765', '--timeout', '9', '--', 'python3', '-c', ASK],
      },
    ],
  },
  {
    name: 'anthropics webapp-testing with_server: the exit code of the command, and what it writes',
    skill: WEBAPP,
    steps: [
      {
        script: 'scripts/with_server.py',
        args: [
          '--server',
          SERVE,
          '--port',
          '18765',
          '--timeout',
          '9',
          '--',
          'bash',
          '-c',
          'echo done > done.txt; exit 7',
        ],
      },
      { script: 'scripts/with_server.py', args: ['--server', 'true', '--port', '18766', '--timeout', '1', 'true'] },
    ],
  },
  {
    name: 'anthropics webapp-testing with_server: the command is of the same Python, with its packages',
    skill: WEBAPP,
    steps: [
      {
        script: 'scripts/with_server.py',
        args: [
          ...['--server', 'exec python3 -m http.server 18767 --bind 127.0.0.1', '--port', '18767', '--timeout', '9'],
          ...['--', 'python3', '-c', 'import sys, networkx; print(sys.version, networkx.__version__)'],
        ],
      },
    ],
  },
  {
    name: 'anthropics web-artifacts-builder bundle-artifact: not in an artifact',
    skill: 'anthropics+skills/skills/web-artifacts-builder',
    files: { 'README.md': 'no package here\n' },
    steps: [{ script: 'scripts/bundle-artifact.sh' }],
  },
];
