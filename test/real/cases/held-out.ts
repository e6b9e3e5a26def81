// Cases from repositories nobody looked at while the product was written: diagrams, claims, wikis, specs, sites, books.
import { json, lines, type RealCase } from '../../support/real/case.ts';

const MONKEY = 'kouko+monkey-skills';
const AGENT = 'jscraik+Agent-Skills';
const GRAPH = `${MONKEY}/ascii-graph-toolkit/skills/ascii-graph`;
const CITE = `${MONKEY}/research-toolkit/skills/cite-check`;
const WIKI_INIT = `${MONKEY}/dbt-wiki/skills/init`;
const WIKI_PACK = `${MONKEY}/dbt-wiki/skills/pack`;
const NEWS = `${MONKEY}/obsidian/skills/daily-news-digest`;
const DESIGN = `${AGENT}/product/design/ui-ux-creative-coding`;
const SPEC = `${AGENT}/product/specs/product-spec`;
const SEO = `${AGENT}/frontend/seo/seo-optimizer`;
const RECON = `${AGENT}/utilities/recon-workbench`;
const BOOK = 'oyi77+1ai-skills/core/book-to-skill';

const page = (title: string, ...body: readonly string[]) =>
  lines('<!doctype html>', `<html lang="en"><head><title>${title}</title></head>`, '<body>', ...body, '</body></html>');

const SHOP = {
  'site/index.html': page('Tea shop', '<h1>Tea</h1>', '<img src="cup.png">', '<a href="about.html">About</a>'),
  'site/about.html': page('About us', '<h2>Who we are</h2>', '<p>Two people and a kettle.</p>'),
  'site/blog/first brew.html': page('First brew', '<h1>茶</h1>'),
  'site/package.json': json({ name: 'tea-shop', version: '1.0.0', dependencies: { next: '15.0.0' } }),
  'site/app/page.tsx': 'export default function Page() { return <main className="bg-[#aabbcc]">Tea</main>; }\n',
  'site/app/blog/[slug]/page.tsx': 'export const metadata = { title: "Post" };\nexport default () => null;\n',
};

const PRD = lines(
  '# Tea reminders',
  '',
  '## Problem',
  '',
  'People forget their tea, and it gets cold.',
  '',
  'Evidence: interviews.md, survey.csv',
  '',
  '## Template Metadata',
  '',
  '- name: reminder',
  '- description: Reminds of a cup',
  '- title_template: Remind {person}',
  '- acceptance_criteria:',
  '  - A bell rings',
  '  - It stops',
  '- priority: high',
  '- variables: [person]',
  '- metadata: {}',
);

const BOOK_TEXT = lines(
  '# The small book of tea',
  '',
  '## Table of Contents',
  '',
  'Chapter 1: Water',
  'Chapter 2: Leaves',
  '',
  '## Chapter 1: Water',
  '',
  ...Array.from({ length: 40 }, (_, at) => `Water of kind ${at} boils at its own pace.`),
  '',
  '## Chapter 2: Leaves',
  '',
  ...Array.from({ length: 60 }, (_, at) => `Leaf ${at} opens slowly, 慢慢地.`),
);

const claim = (text: string, importance: string, sourceQuality: string) => ({ claim: text, importance, sourceQuality });

const KNOWLEDGE = {
  'wiki/index.md': '# Wiki\n\n- Knowledge pages: none yet\n\n## Entities\n\nold\n\n## Metrics\n\n## Concepts\n',
  'wiki/entities/customer.md': lines('---', 'title: Customer', 'summary: Who buys tea', '---', '# Customer'),
  'wiki/metrics/cups-sold.md': lines('---', 'title: Cups sold', '---', '# Cups sold'),
};

export const HELD_OUT: RealCase[] = [
  {
    name: 'monkey ascii-graph generate: every shape from standard input, and one there is not',
    skill: GRAPH,
    steps: [
      [
        'table',
        {
          headers: ['Sorte', '数量'],
          rows: [
            ['Grüner Tee', '12'],
            ['烏龍', '3'],
          ],
        },
      ] as const,
      ['flow', { steps: ['Boil', 'Pour', 'Wait'] }] as const,
      [
        'bar',
        {
          pairs: [
            ['green', 12],
            ['black', 7],
          ],
          width: 10,
        },
      ] as const,
      ['arch', { layers: [{ name: 'Shop', components: ['till', 'shelf'] }] }] as const,
      ['pie', {}] as const,
    ].map(([shape, payload]) => ({ script: 'scripts/generate.py', args: [shape], input: json(payload) })),
  },
  {
    name: 'monkey ascii-graph align: a file with a drift, a clean one from standard input',
    skill: GRAPH,
    files: { 'art/box.txt': lines('┌────┐', '│茶茶茶 │', '└────┘') },
    steps: [
      { script: 'scripts/align.py', args: ['art/box.txt'] },
      { script: 'scripts/align.py', args: ['-'], input: lines('┌────┐', '│ ab │', '└────┘') },
      { script: 'scripts/align.py', args: ['art/none.txt'] },
    ],
  },
  {
    name: 'monkey cite-check: sources without repetitions, claims of a folder ranked, a quorum',
    skill: CITE,
    files: {
      'claims/b.json': json([claim('Tea cools', 'tangential', 'blog'), claim('Water boils', 'central', 'primary')]),
      'claims/a.json': json([claim('Leaves float', 'supporting', 'forum')]),
      'broken/x.json': '[',
    },
    steps: [
      {
        script: 'scripts/dedup.py',
        input: json({
          results: [
            { url: 'https://www.example.org/tea/', relevance: 'high' },
            { url: 'http://example.org/tea', relevance: 'low' },
          ],
          fetch_slots: 1,
        }),
      },
      { script: 'scripts/rank.py', args: ['--claims-dir', 'claims'] },
      { script: 'scripts/rank.py', args: ['--claims-dir', './broken'] },
      { script: 'scripts/rank.py', args: ['quorum'], input: '[{"refuted": false}, {"refuted": true}, null]' },
    ],
  },
  {
    name: 'monkey deep-read chunker: a long text through a pipe',
    skill: `${MONKEY}/research-toolkit/skills/deep-read`,
    steps: [{ script: 'scripts/chunker.py', input: BOOK_TEXT.repeat(200) }, { script: 'scripts/chunker.py' }],
  },
  {
    name: 'monkey fact-check: a verdict, and words that are none',
    skill: `${MONKEY}/research-toolkit/skills/fact-check`,
    steps: [
      { script: 'scripts/factcheck.py', args: ['verdict', '--solo'], input: '[]' },
      { script: 'scripts/factcheck.py', args: ['verdict', 'more'], input: '[]' },
      { script: 'scripts/factcheck.py', args: ['guess'] },
    ],
  },
  {
    name: 'monkey dbt-wiki extract_sql_comments: one model, a folder of them, started through uv or python',
    skill: WIKI_INIT,
    files: {
      'models/orders.sql': lines('-- all orders', 'select * /* every', 'column */ from raw', '{# later #}'),
      'models/mart/cups.sql': 'select 1 -- 一杯\n',
      'models/bad.sql': Uint8Array.of(0x2d, 0x2d, 0xff, 0x0a),
    },
    steps: [
      { script: 'assets/extract_sql_comments.py', args: ['models/orders.sql'] },
      { script: 'assets/extract_sql_comments.py', args: ['--batch', 'models'] },
      { script: 'assets/extract_sql_comments.py', args: ['--batch', 'nowhere'] },
    ],
  },
  {
    name: 'monkey dbt-wiki build_index_knowledge: the index in place, twice, then a folder without one',
    skill: WIKI_INIT,
    files: KNOWLEDGE,
    steps: ['wiki', 'wiki/', 'wiki/entities'].map((it) => ({ script: 'assets/build_index_knowledge.py', args: [it] })),
  },
  {
    name: 'monkey dbt-wiki flatten_links: pages rewritten in place, a link that stays broken',
    skill: WIKI_PACK,
    files: {
      'bundle/customer.md': '# Customer\n\nSee [cups](../metrics/cups-sold.md) and [model](../../models/orders.md).\n',
      'bundle/cups-sold.md': '# Cups\n\nSee [none](missing.md) and [web](https://example.org/a.md).\n',
    },
    steps: [
      { script: 'assets/flatten_links.py', args: ['bundle'] },
      { script: 'assets/flatten_links.py', args: ['bundle'] },
    ],
  },
  {
    name: 'monkey daily-news-digest: a diagram from a file, then a digest with a dead link',
    skill: NEWS,
    files: {
      'web.json': json({ type: 'pie' }),
      'vault/News.md': lines('# News', '', '### Tea is dear', '', 'See [[Prices]] and [[Nowhere]].'),
      'vault/Prices.md': '# Prices\n',
    },
    steps: [
      { script: 'scripts/cot_mermaid.py', args: ['web.json'] },
      { script: 'scripts/cot_mermaid.py', input: '{"type": ' },
      { script: 'scripts/digest_check.py', args: ['vault/News.md', '--skip-mermaid'] },
    ],
  },
  {
    name: 'monkey legal-incident-response classify_path: a description, with the words of the skill itself',
    skill: `${MONKEY}/legal-toolkit/skills/legal-incident-response`,
    files: { 'words.yml': lines('pii-breach:', '  high_confidence_keywords: [leak, 個資]') },
    steps: [{ script: 'scripts/classify_path.py', args: ['A Leak of 個資 happened', 'words.yml'] }],
  },
  {
    name: 'Agent-Skills scaffold_component: a component beside others, then again over it',
    skill: DESIGN,
    files: { 'src/ui/Other.tsx': 'export const Other = 1;\n' },
    steps: ['TeaButton', 'TeaButton', 'teaButton'].map((it) => ({
      script: 'scripts/scaffold_component.mjs',
      args: [it, 'src/ui'],
    })),
  },
  {
    name: 'Agent-Skills design tokens: a theme from a file of the project, the contrast of the tokens it brings',
    skill: DESIGN,
    files: { 'tokens.json': json({ colors: { brand: { 600: '#123456' } }, radius: { md: '6px' } }) },
    steps: [
      { script: 'scripts/tokens_to_tailwind_theme.mjs', args: ['tokens.json', 'theme.css'] },
      { script: 'scripts/contrast_check.mjs' },
      { script: 'scripts/skill_lint.mjs', args: ['.agent/skills/ui-ux-creative-coding/SKILL.md'] },
    ],
  },
  {
    name: 'Agent-Skills design tokens: by default the theme is written over the one in the skill itself',
    skill: DESIGN,
    guarded: true,
    steps: [{ script: 'scripts/tokens_to_tailwind_theme.mjs' }],
  },
  {
    name: 'Agent-Skills product-spec: evidence added in place, mapped, exported, checked',
    skill: SPEC,
    files: { 'spec-output.md': PRD },
    steps: [
      { script: 'scripts/evidence-map.py', args: ['--input', 'spec-output.md', '--append-missing', '--in-place'] },
      { script: 'scripts/evidence-map.py', args: ['--input', 'spec-output.md', '--update-map', '--in-place'] },
      { script: 'scripts/spec-export.py', args: ['spec-output.md', '--out', 'template.json'] },
      { script: 'scripts/spec-export.py', args: ['spec-output.md', '--validate'] },
      { script: 'scripts/spec-lint.py', args: ['spec-output.md', '--type', 'prd'] },
    ],
  },
  {
    name: 'Agent-Skills ralph: stories of a specification as JSON',
    skill: SPEC,
    files: { 'prd.md': lines('# Tea', '', '## User Stories', '', '### US-1: Remind me', '', '- A bell rings') },
    steps: [{ script: 'assets/ralph/scripts/generate-prd-json-from-prd.py', args: ['prd.md', 'out.json'] }],
  },
  {
    name: 'Agent-Skills seo-optimizer: a site looked at, its sitemap beside it and elsewhere',
    skill: SEO,
    files: SHOP,
    steps: [
      { script: 'scripts/analyze_seo.py', args: ['site', '--json'] },
      { script: 'scripts/generate_sitemap.py', args: ['./site', '--domain', 'https://tea.example'] },
      {
        script: 'scripts/generate_sitemap.py',
        args: ['site', '--domain', 'https://tea.example', '--output', 'map.xml'],
      },
      { script: 'scripts/generate_sitemap.py', args: ['site'] },
    ],
  },
  {
    name: 'Agent-Skills og-image-creator analyze_codebase: the working folder and one below, a file left in each',
    skill: `${AGENT}/frontend/graphics/og-image-creator`,
    files: SHOP,
    steps: [{ script: 'scripts/analyze_codebase.py', args: ['site'] }, { script: 'scripts/analyze_codebase.py' }],
  },
  {
    name: 'Agent-Skills app-store-release-notes: the commits of a repository',
    skill: `${AGENT}/product/content/app-store-release-notes`,
    files: { 'README.md': '# Tea\n', 'src/cup.swift': 'let cup = 1\n' },
    git: true,
    steps: [{ script: 'scripts/collect_release_changes.sh' }],
  },
  {
    name: 'Agent-Skills recon-workbench scaffold_repo: what it would do, and a folder that is not there',
    skill: RECON,
    anyOrder: true,
    files: { 'repo/README.md': 'Mine, not to be overwritten.\n' },
    steps: [
      { script: 'scripts/scaffold_repo.sh', args: ['--repo', 'repo', '--dry-run'] },
      { script: 'scripts/scaffold_repo.sh', args: ['--repo', 'nowhere'] },
    ],
  },
  {
    name: 'Agent-Skills recon-workbench scaffold_repo: a relative folder lands in the skill itself',
    skill: RECON,
    guarded: true,
    files: { 'repo/README.md': 'Mine.\n' },
    steps: [{ script: 'scripts/scaffold_repo.sh', args: ['--repo', 'repo'] }],
  },
  {
    name: 'Agent-Skills docs-expert check_readability: prose, too hard, nothing',
    skill: `${AGENT}/product/docs/docs-expert`,
    files: { 'a.md': '# Tea\n\nTea is hot. Tea is good. We drink it.\n', 'b.md': '```\ncode\n```\n' },
    steps: [['a.md'], ['a.md', '--no-range'], ['b.md']].map((args) => ({
      script: 'scripts/check_readability.py',
      args,
    })),
  },
  {
    name: '1ai book-to-skill: the skill checked, a text measured, one without chapters',
    skill: BOOK,
    files: { 'book.txt': BOOK_TEXT, 'flat.txt': 'Nothing but words.\n' },
    steps: [
      { script: 'tools/validate_skill.py', args: ['.agent/skills/book-to-skill/SKILL.md', '--lens', 'copilot'] },
      { script: 'tools/scan_generated_skill.py', args: ['.agent/skills/book-to-skill'] },
      { script: 'tools/discovery_tax.py', args: ['--full-text', 'book.txt', '--target-chapter', '2'] },
      { script: 'tools/discovery_tax.py', args: ['--full-text', 'flat.txt'] },
    ],
  },
  {
    name: '1ai book-to-skill extract: the text is left in the temporary folder, of which through exec a copy is kept',
    skill: BOOK,
    files: { 'book.md': BOOK_TEXT },
    steps: [{ script: 'scripts/extract.py', args: ['book.md', '--install-missing', 'no'] }],
  },
];
