// The example files for operators: valid for the programs that read them, and about metrics that exist.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { load } from 'js-yaml';
import { z } from 'zod';
import { JOB_METRICS } from '../../../src/jobs/metric.ts';
import { repository } from '../../support/support.ts';

const FOLDER = path.join(repository, 'docs/examples/telemetry');
const read = (name: string) => readFileSync(path.join(FOLDER, name), 'utf8');

const source = z.object({ type: z.literal('prometheus'), uid: z.literal('$' + '{datasource}') });
const Dashboard = z.object({
  uid: z.string().regex(/^[\w-]{1,40}$/),
  title: z.string().min(1),
  schemaVersion: z.int().min(36),
  time: z.object({ from: z.string(), to: z.string() }),
  templating: z.object({
    list: z.array(z.object({ name: z.string(), type: z.enum(['datasource', 'query']), query: z.string() })),
  }),
  panels: z
    .array(
      z.object({
        id: z.int().positive(),
        type: z.enum(['timeseries', 'stat']),
        title: z.string().min(1),
        gridPos: z.object({ x: z.int().min(0), y: z.int().min(0), w: z.int().min(1).max(24), h: z.int().min(1) }),
        datasource: source,
        fieldConfig: z.object({ defaults: z.object({ unit: z.string() }), overrides: z.array(z.unknown()) }),
        options: z.object({}),
        targets: z.array(z.object({ refId: z.string(), expr: z.string().min(1), datasource: source })).min(1),
      }),
    )
    .min(1),
});

/** As the collector names them for Prometheus: units in words, counters with `_total`, histograms in three parts. */
function prometheusNames({ kind, name, unit }: (typeof JOB_METRICS)[keyof typeof JOB_METRICS]): string[] {
  const plain = `${name.replaceAll('.', '_')}${unit === 's' ? '_seconds' : ''}`;
  if (kind === 'counter') return [`${plain}_total`];
  return kind === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${plain}_${part}`) : [plain];
}

const METRICS = Object.values(JOB_METRICS);
const NAMES = new Set(METRICS.flatMap(prometheusNames));
const LABELS = new Set(
  ['skillwright.skill.name', 'skillwright.job.left', 'skillwright.job.state', 'skillwright.schedule.trouble'].map(
    (name) => name.replaceAll('.', '_'),
  ),
);

function checkWords(expression: string, where: string): void {
  const words = expression.match(/\bskillwright_\w+/g) ?? [];
  assert.ok(words.length > 0, where);
  for (const word of words) assert.ok(NAMES.has(word) || LABELS.has(word), `${where}: ${word}`);
}

test('dashboards are what Grafana takes, and every metric on them is one of ours', () => {
  const files = globSync('dashboard-*.json', { cwd: FOLDER });
  assert.equal(files.length, 2);
  const shown = files.map((file) => {
    const { panels, templating } = Dashboard.parse(JSON.parse(read(file)));
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length, file);
    for (const { gridPos, targets, title } of panels) {
      assert.ok(gridPos.x + gridPos.w <= 24, title);
      assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title);
    }
    const variables = new Set(templating.list.map(({ name }) => name));
    const expressions = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
    for (const { title, expr } of expressions) {
      checkWords(expr, `${file}: ${title}`);
      for (const [, name = ''] of expr.matchAll(/\$(?!__)(\w+)/g)) assert.ok(variables.has(name), `${file}: ${name}`);
    }
    for (const { type, query } of templating.list) if (type === 'query') checkWords(query, file);
    return expressions.map(({ expr }) => expr).join();
  });
  for (const metric of METRICS) {
    const isShown = prometheusNames(metric).some((name) => shown.join().includes(name));
    assert.ok(isShown, `no dashboard shows ${metric.name}`);
  }
});

test('collector and Prometheus fit each other and the defaults of OTLP, and alerts are about metrics of ours', () => {
  const Pipeline = z.object({
    receivers: z.array(z.string()),
    processors: z.array(z.string()),
    exporters: z.array(z.string()),
  });
  const collector = z
    .object({
      receivers: z.object({ otlp: z.object({ protocols: z.object({ http: z.object({ endpoint: z.string() }) }) }) }),
      processors: z.record(z.string(), z.unknown()),
      exporters: z.record(z.string(), z.object({ endpoint: z.string() })),
      service: z.object({ pipelines: z.object({ traces: Pipeline, metrics: Pipeline }) }),
    })
    .parse(load(read('collector.yaml')));
  assert.equal(collector.receivers.otlp.protocols.http.endpoint, '127.0.0.1:4318');
  for (const { receivers, processors, exporters } of Object.values(collector.service.pipelines)) {
    assert.deepEqual(receivers, ['otlp']);
    for (const name of processors) assert.ok(name in collector.processors, name);
    for (const name of exporters) assert.ok(name in collector.exporters, name);
  }
  const prometheus = z
    .object({
      rule_files: z.array(z.string()),
      scrape_configs: z.array(z.object({ static_configs: z.array(z.object({ targets: z.array(z.string()) })) })),
    })
    .parse(load(read('prometheus.yaml')));
  const [scraped] = prometheus.scrape_configs.flatMap((one) => one.static_configs.flatMap(({ targets }) => targets));
  assert.equal(scraped, collector.exporters.prometheus?.endpoint);
  const Rule = z.object({ alert: z.string(), expr: z.string(), annotations: z.object({ summary: z.string() }) });
  for (const file of prometheus.rule_files) {
    const { groups } = z.object({ groups: z.array(z.object({ rules: z.array(Rule) })) }).parse(load(read(file)));
    for (const { alert, expr } of groups.flatMap(({ rules }) => rules)) checkWords(expr, alert);
  }
});

test('docs/telemetry.md names every metric and every variable that is read', () => {
  const page = readFileSync(path.join(repository, 'docs/telemetry.md'), 'utf8');
  for (const { name } of METRICS) assert.ok(page.includes(`\`${name}\``), name);
  const settings = readFileSync(path.join(repository, 'src/telemetry/settings.ts'), 'utf8');
  for (const [, name = ''] of settings.matchAll(/'(OTEL_[A-Z_]+[A-Z])'/g)) assert.ok(page.includes(name), name);
});
