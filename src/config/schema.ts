// The settings file as people write it. Loaded only when there is one: zod is not free.
import { z } from 'zod';
import { isRecord } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import { nearest, visible } from '../base/text.ts';
import { PROVIDER_NAMES } from '../model/provider/providers.ts';
import { LABEL } from '../store/queue.ts';
import { TOOL_NAMES, TOOLS } from '../tools/list.ts';
import { SEVERITIES } from './severity.ts';
import { VET_ANSWERS } from './vet-policy.ts';

const tool = z.enum([...TOOL_NAMES, 'network']);
const GRAVER_TOOLS = TOOLS.flatMap(({ name, asksWith }) =>
  asksWith === undefined ? [] : [`${asksWith} covers ${name}`],
);
const path = z.string().min(1).max(4096);
const amount = z.int().positive();
const days = z.int().nonnegative();
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable is expected');
const label = z.string().regex(LABEL, 'letters, digits, dots, - and _ are expected');
const PACKS = /^(?:\/|~\/|https:\/\/|http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|$))/;
const index = z.url({ protocol: /^https?$/ }).refine(isSafeIndex, 'https is expected, or an address of this machine');
const program = z.string().regex(/^[A-Za-z0-9._+-]+$/, 'the name of a program without a path is expected');

const model = z.strictObject({
  provider: z.string().min(1).describe(PROVIDER_NAMES.join(', ')),
  name: z.string().min(1).describe('the model, as its provider calls it'),
  base_url: z.url({ protocol: /^https?$/ }),
  key_env: variable.describe('the environment variable that holds the key; the key itself never stands here'),
  params: z.record(z.string(), z.json()).describe('handed to the model as they are'),
  timeout_seconds: amount,
  retries: z.int().nonnegative(),
  input_price: z.number().nonnegative().describe('US dollars for a million tokens'),
  output_price: z.number().nonnegative().describe('US dollars for a million tokens'),
});

const execution = z.strictObject({
  default: z.enum(['ask', 'deny']).describe('what happens to an effect that nothing allows'),
  require_approval_for: z.array(tool).describe(`tools that ask; ${GRAVER_TOOLS.join(', ')}`),
  enabled: z.array(tool).describe('tools that may still be asked for where the default is deny'),
  denied: z.array(tool),
  programs: z
    .array(program)
    .describe('only these programs and interpreters are ever started, by whatever tool; any program unless given'),
  ask: z
    .enum(['each', 'effects'])
    .describe('each: every call that needs a yes is asked about; effects: what stays in sandbox and layer is not'),
});

const limits = z.strictObject({
  memory_mib: amount,
  processes: amount,
  file_mib: amount,
  open_files: z.int().min(16),
  timeout_seconds: amount.describe('the longest a skill, or a person by --timeout, may ask for'),
  script_seconds: amount.describe('for a script or an action that asks for no other limit'),
  command_seconds: amount.describe('for a command; a skill may only ask for less'),
  project_files: amount.describe(
    'files and folders of a project that are searched for secrets; a larger one is refused',
  ),
  layer_files: amount.describe('files and folders a call may write into its layer'),
  layer_mib: amount.describe('what a call may write into its layer'),
  copy_files: amount.describe('files and folders of a project that is copied, where no layer can be mounted'),
  copy_mib: amount.describe('the size of a project that is copied, where no layer can be mounted'),
});

const budgets = z.strictObject({
  turns: amount,
  tool_calls: amount,
  script_runs: z.int().nonnegative(),
  tokens: amount,
  seconds: amount,
  cost: z.number().nonnegative().describe('US dollars'),
  catalog_tokens: amount.describe('the share of the context that lists skills'),
});

const serverFacts = {
  tools: z.array(z.string().min(1)).optional().describe('only these of its tools; all of them unless given'),
  timeout_seconds: amount.optional().describe('for a call; script_seconds unless given'),
};
const server = z.union([
  z.strictObject({
    command: z.array(z.string().min(1)).min(1).describe('a program and its words, started in the sandbox'),
    variables: z.array(variable).default([]).describe('variables of your environment that it gets'),
    hosts: z.array(z.string().min(1)).default([]).describe('hosts that it may reach: host or host:port'),
    read: z.array(path).default([]).describe('folders outside the project that it may read, such as its own'),
    ...serverFacts,
  }),
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }).refine(isSafeIndex, 'https is expected, or an address of this machine'),
    token_env: variable.optional().describe('the variable whose value is sent as a bearer token'),
    ...serverFacts,
  }),
]);

const schema = z
  .strictObject({
    $schema: z.string(),
    skill_roots: z.array(path).describe('replaces the project and user roots, highest first'),
    output_folder: path,
    model: model.partial(),
    execution: execution.partial(),
    security: z
      .strictObject({
        max_skill_body_lines: amount,
        block_angle_brackets_in_frontmatter: z.boolean(),
        vet: z
          .partialRecord(z.enum(SEVERITIES), z.enum(VET_ANSWERS))
          .describe('what findings of a severity mean for an installation; HIGH and above need a person at least'),
      })
      .partial(),
    limits: limits.partial(),
    workspace: z
      .strictObject({
        leave_out: z.array(path).describe('folders of the project, by their paths in it, that calls do not see'),
        mechanism: z
          .enum(['overlay', 'copy'])
          .describe('how calls see the project: a layer over it where this machine can, or always a copy of it'),
      })
      .partial(),
    network: z
      .strictObject({
        ca_file: path.describe('certificates that calls trust, in PEM; in place of those of the machine'),
        upstream_proxy: z
          .url({ protocol: /^http$/ })
          .describe(
            'the way out for consented hosts, where this machine has no other: http://[user:password@]host:port',
          ),
      })
      .partial(),
    interpreters: z.array(program).describe('programs that may run scripts'),
    runtimes: z.strictObject({ venv: path, node_modules: path }).partial(),
    environment: z
      .strictObject({
        python_index: index.describe('where Python packages come from; https://pypi.org/simple unless given'),
        npm_registry: index.describe('where npm packages come from; https://registry.npmjs.org unless given'),
        index_hosts: z.array(z.string().min(1)).describe('further hosts that serve files of these: host or host:port'),
        isolated: z.boolean().describe('scripts see the packages of their environment, and none of the machine'),
        max_mib: amount.describe('what an environment may take up'),
        max_files: amount,
        build_seconds: amount,
      })
      .partial(),
    retention: z.strictObject({ runs_days: days, observations_days: days, trash_days: days }).partial(),
    budgets: budgets.partial(),
    interrupts: z
      .strictObject({
        decide_with: z
          .enum(['person', 'model'])
          .describe('who answers the question of a script; what the model leaves open waits for a person'),
      })
      .partial(),
    store: z
      .strictObject({
        url: z
          .url({ protocol: /^postgres(ql)?$/ })
          .describe(
            `a PostgreSQL server that several machines share; its password as \${NAME} of an environment variable`,
          ),
        name: z
          .string()
          .regex(/^[a-z0-9][a-z0-9_]{0,39}$/, 'small letters, digits and _ are expected')
          .describe('projects of one name share their jobs; the name of the folder when absent'),
      })
      .partial(),
    packs: z
      .string()
      .max(4096)
      .regex(PACKS, 'a folder (/… or ~/…) or an https address is expected')
      .describe('where workers find signed packs of roles whose files they lack'),
    mcp_servers: z
      .record(z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'small letters, digits and - are expected'), server)
      .describe('servers of others by the Model Context Protocol; their tools are mcp:name/tool'),
    labels: z.array(label).describe('what `start` on this machine takes beside plain jobs: those with these labels'),
  })
  .partial();

export type Settings = z.infer<typeof schema>;

export interface SettingsIssue {
  readonly path: readonly PropertyKey[];
  readonly message: Text;
  readonly fix?: Text;
}

export type CheckedSettings = { readonly settings: Settings } | { readonly issues: readonly SettingsIssue[] };

export function checkSettings(value: unknown): CheckedSettings {
  const result = schema.safeParse(withWholeStore(value));
  return result.success
    ? { settings: result.data }
    : { issues: result.error.issues.flatMap((issue) => explain(issue, value)) };
}

/** Without encryption only where nobody is in between. */
function isSafeIndex(written: string): boolean {
  const url = URL.parse(written);
  return url?.protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url?.hostname ?? '');
}

/** For editors and for `skillwright schema config`. */
export function configJsonSchema(): Record<string, unknown> {
  const { properties = {}, ...rest } = z.toJSONSchema(schema);
  const store = { anyOf: [urlOf(properties.store), properties.store] };
  return { ...rest, properties: { ...properties, store }, title: 'Skillwright settings' };
}

/** The address alone says as much as an object with nothing else in it. */
function withWholeStore(value: unknown): unknown {
  return isRecord(value) && typeof value.store === 'string' ? { ...value, store: { url: value.store } } : value;
}

function urlOf(store: unknown): unknown {
  return isRecord(store) && isRecord(store.properties) ? store.properties.url : undefined;
}

function explain(issue: z.core.$ZodIssue, value: unknown): SettingsIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const setting = visible([...issue.path, key].join('.'));
      const message = { en: `unknown setting ${setting}`, zh: `未知配置项 ${setting}` };
      return { path: [...issue.path, key], message, ...keySuggestion(key, knownKeys(issue.path)) };
    });
  }
  const name = visible(issue.path.join('.'));
  const written = valueAt(value, issue.path);
  const choices = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  const why = lowerFirst(issue.message);
  const message = { en: `${name || 'the settings'}: ${why}`, zh: `${name || '配置'}: ${why}` };
  return [{ path: issue.path, message, ...(typeof written === 'string' && suggestion(written, choices)) }];
}

/** Names that other tools use, and what the same thing is called here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  model: 'name',
  api_key: 'key_env',
  key: 'key_env',
  url: 'base_url',
  endpoint: 'base_url',
};

/** Where nothing comes near, all there are. */
function keySuggestion(key: string, known: readonly string[]): { fix?: Text } {
  const other = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
  if (other !== undefined && known.includes(other)) return { fix: didYouMean(other) };
  const near = suggestion(key, known);
  if (near.fix !== undefined || known.length === 0) return near;
  const all = known.join(', ');
  return { fix: { en: `known here: ${all}`, zh: `此处可用: ${all}` } };
}

function suggestion(word: string, known: readonly string[]): { fix?: Text } {
  const [best] = nearest(word, known);
  return best === undefined ? {} : { fix: didYouMean(best) };
}

function didYouMean(word: string): Text {
  return { en: `did you mean ${word}?`, zh: `您是否想写 ${word}？` };
}

function knownKeys(at: readonly PropertyKey[]): string[] {
  let part: unknown = z.toJSONSchema(schema);
  for (const key of at) part = isRecord(part) && isRecord(part.properties) ? part.properties[String(key)] : undefined;
  return isRecord(part) && isRecord(part.properties) ? Object.keys(part.properties) : [];
}

function valueAt(value: unknown, at: readonly PropertyKey[]): unknown {
  let part = value;
  for (const key of at) part = isRecord(part) || Array.isArray(part) ? Reflect.get(part, key) : undefined;
  return part;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
