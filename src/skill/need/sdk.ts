// Packages with a host and a key of their own, as facts: what importing one means for the network and the environment.

export interface Sdk {
  readonly hosts: readonly string[];
  /** What it reads by itself where code hands it no key. */
  readonly variables: readonly string[];
}

// module | hosts | variables; a name that ends in `*` stands for all that begin so.
const PYTHON = `
openai|api.openai.com|OPENAI_API_KEY
anthropic|api.anthropic.com|ANTHROPIC_API_KEY
google.generativeai|generativelanguage.googleapis.com|GOOGLE_API_KEY
google.genai|generativelanguage.googleapis.com|GEMINI_API_KEY
google.cloud*|*.googleapis.com oauth2.googleapis.com|GOOGLE_APPLICATION_CREDENTIALS
googleapiclient*|www.googleapis.com oauth2.googleapis.com|
boto3|*.amazonaws.com|AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
huggingface_hub|huggingface.co|HF_TOKEN
replicate|api.replicate.com|REPLICATE_API_TOKEN
stripe|api.stripe.com|
slack_sdk*|slack.com|
notion_client|api.notion.com|
github|api.github.com|
gitlab|gitlab.com|
cohere|api.cohere.com|CO_API_KEY
mistralai|api.mistral.ai|MISTRAL_API_KEY
groq|api.groq.com|GROQ_API_KEY
together|api.together.xyz|TOGETHER_API_KEY
elevenlabs*|api.elevenlabs.io|ELEVENLABS_API_KEY
deepgram|api.deepgram.com|DEEPGRAM_API_KEY
assemblyai|api.assemblyai.com|ASSEMBLYAI_API_KEY
tavily|api.tavily.com|TAVILY_API_KEY
exa_py|api.exa.ai|
firecrawl|api.firecrawl.dev|FIRECRAWL_API_KEY
serpapi|serpapi.com|
pinecone|api.pinecone.io|PINECONE_API_KEY
fal_client|fal.run queue.fal.run|FAL_KEY
wandb|api.wandb.ai|WANDB_API_KEY
discord|discord.com gateway.discord.gg|
telegram|api.telegram.org|
telethon|*.telegram.org|
twilio*|api.twilio.com|
sendgrid|api.sendgrid.com|
resend|api.resend.com|
kaggle|www.kaggle.com|KAGGLE_USERNAME KAGGLE_KEY
yfinance|query1.finance.yahoo.com query2.finance.yahoo.com|
arxiv|export.arxiv.org|
praw|www.reddit.com oauth.reddit.com|
tweepy|api.twitter.com|
edge_tts|speech.platform.bing.com|
gtts|translate.google.com|
youtube_transcript_api|www.youtube.com|
apify_client|api.apify.com|
dashscope|dashscope.aliyuncs.com|DASHSCOPE_API_KEY
zhipuai|open.bigmodel.cn|ZHIPUAI_API_KEY
akshare||
tushare|api.tushare.pro|
modal|api.modal.com|
`;

const JAVASCRIPT = `
openai|api.openai.com|OPENAI_API_KEY
@anthropic-ai/sdk|api.anthropic.com|ANTHROPIC_API_KEY
@anthropic-ai/claude-agent-sdk|api.anthropic.com|
@google/genai|generativelanguage.googleapis.com|GEMINI_API_KEY
@google/generative-ai|generativelanguage.googleapis.com|
@ai-sdk/openai|api.openai.com|OPENAI_API_KEY
@ai-sdk/anthropic|api.anthropic.com|ANTHROPIC_API_KEY
@ai-sdk/google|generativelanguage.googleapis.com|GOOGLE_GENERATIVE_AI_API_KEY
replicate|api.replicate.com|REPLICATE_API_TOKEN
stripe|api.stripe.com|
@slack/web-api|slack.com|
@notionhq/client|api.notion.com|
@octokit/rest|api.github.com|
@octokit/core|api.github.com|
octokit|api.github.com|
@linear/sdk|api.linear.app|
resend|api.resend.com|
@mendable/firecrawl-js|api.firecrawl.dev|
@aws-sdk/*|*.amazonaws.com|AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
@fal-ai/client|fal.run queue.fal.run|FAL_KEY
@huggingface/inference|router.huggingface.co|
@huggingface/transformers|huggingface.co|
elevenlabs|api.elevenlabs.io|ELEVENLABS_API_KEY
@elevenlabs/elevenlabs-js|api.elevenlabs.io|ELEVENLABS_API_KEY
groq-sdk|api.groq.com|GROQ_API_KEY
cohere-ai|api.cohere.com|CO_API_KEY
@mistralai/mistralai|api.mistral.ai|
twilio|api.twilio.com|
@sendgrid/mail|api.sendgrid.com|
exa-js|api.exa.ai|
@tavily/core|api.tavily.com|
googleapis|www.googleapis.com oauth2.googleapis.com|
@pinecone-database/pinecone|api.pinecone.io|PINECONE_API_KEY
youtube-transcript|www.youtube.com|
apify-client|api.apify.com|
`;

/** Programs that reach a host by themselves. */
const PROGRAMS: ReadonlyMap<string, { readonly hosts: readonly string[]; readonly when: RegExp }> = new Map([
  ['npx', { hosts: ['registry.npmjs.org'], when: /./ }],
  ['bunx', { hosts: ['registry.npmjs.org'], when: /./ }],
  [
    'npm',
    {
      hosts: ['registry.npmjs.org'],
      when: /^(?:i|install|ci|add|view|info|exec|create|init|update|audit|outdated|publish)$/,
    },
  ],
  ['pnpm', { hosts: ['registry.npmjs.org'], when: /^(?:i|install|add|dlx|update|audit|create|exec)$/ }],
  ['yarn', { hosts: ['registry.yarnpkg.com'], when: /^(?:install|add|dlx|upgrade|create|)$/ }],
  ['bun', { hosts: ['registry.npmjs.org'], when: /^(?:i|install|add|x|update|create)$/ }],
  ['pip', { hosts: ['pypi.org', 'files.pythonhosted.org'], when: /^(?:install|download|wheel|index)$/ }],
  ['pip3', { hosts: ['pypi.org', 'files.pythonhosted.org'], when: /^(?:install|download|wheel|index)$/ }],
  ['pipx', { hosts: ['pypi.org', 'files.pythonhosted.org'], when: /^(?:install|run|upgrade|inject)$/ }],
  ['uvx', { hosts: ['pypi.org', 'files.pythonhosted.org'], when: /./ }],
  ['uv', { hosts: ['pypi.org', 'files.pythonhosted.org'], when: /^(?:add|sync|pip|tool|lock)$/ }],
  ['poetry', { hosts: ['pypi.org', 'files.pythonhosted.org'], when: /^(?:install|add|update|lock)$/ }],
  ['gh', { hosts: ['api.github.com'], when: /^(?!auth$|config$|version$|--version$|help$|--help$)/ }],
  ['glab', { hosts: ['gitlab.com'], when: /^(?!auth$|config$|version$|--version$)/ }],
  ['cargo', { hosts: ['index.crates.io', 'static.crates.io'], when: /^(?:install|add|update|fetch|search|publish)$/ }],
  ['go', { hosts: ['proxy.golang.org', 'sum.golang.org'], when: /^(?:install|get|mod)$/ }],
  ['gem', { hosts: ['rubygems.org'], when: /^install$/ }],
  ['brew', { hosts: ['formulae.brew.sh', 'ghcr.io'], when: /^(?:install|update|upgrade|tap)$/ }],
  ['docker', { hosts: ['registry-1.docker.io', 'auth.docker.io'], when: /^(?:pull|run|build|push)$/ }],
  ['playwright', { hosts: ['cdn.playwright.dev'], when: /^install/ }],
  ['claude', { hosts: ['api.anthropic.com'], when: /(?:)/ }],
  ['codex', { hosts: ['api.openai.com'], when: /(?:)/ }],
  ['gemini', { hosts: ['generativelanguage.googleapis.com'], when: /(?:)/ }],
  ['huggingface-cli', { hosts: ['huggingface.co'], when: /./ }],
  ['hf', { hosts: ['huggingface.co'], when: /./ }],
]);

/** In front of a command that they bring first: `npx -y name …`, `python -m name …`. */
const BRINGS = /^(?:npx|bunx|uvx)$/;
const PYTHON_NAME = /^python[\d.]*$/;

/** Hosts that a command reaches by what it is, and by the command it wraps. */
export function hostsOfWords([program = '', ...rest]: readonly string[]): string[] {
  const at = rest.findIndex((word) => !word.startsWith('-'));
  const known = PROGRAMS.get(program);
  const own = known?.when.test(rest[at] ?? '') ? known.hosts : [];
  if (BRINGS.test(program) && at >= 0) return [...own, ...hostsOfWords(rest.slice(at))];
  return PYTHON_NAME.test(program) && rest[0] === '-m' ? [...own, ...hostsOfWords(rest.slice(1))] : [...own];
}

interface Table {
  readonly exact: ReadonlyMap<string, Sdk>;
  readonly prefixes: readonly (readonly [string, Sdk])[];
}

function readTable(text: string): Table {
  const rows = text
    .trim()
    .split('\n')
    .map((row): [string, Sdk] => {
      const [name = '', hosts = '', variables = ''] = row.split('|');
      return [name, { hosts: hosts.split(' ').filter(Boolean), variables: variables.split(' ').filter(Boolean) }];
    });
  const isPrefix = ([name]: readonly [string, Sdk]) => name.endsWith('*');
  return {
    exact: new Map(rows.filter((row) => !isPrefix(row))),
    prefixes: rows.filter(isPrefix).map(([name, sdk]) => [name.slice(0, -1), sdk] as const),
  };
}

const TABLES = { python: readTable(PYTHON), javascript: readTable(JAVASCRIPT) };

/** The SDK that an import brings. */
export function sdkOf(module: string, language: keyof typeof TABLES): Sdk | undefined {
  const { exact, prefixes } = TABLES[language];
  const names = language === 'python' ? parentsOf(module) : [module, /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? ''];
  const found = names.map((name) => exact.get(name)).find(Boolean);
  return found ?? prefixes.find(([prefix]) => module.startsWith(prefix))?.[1];
}

/** `a.b.c`, `a.b`, `a`. */
function parentsOf(module: string): string[] {
  const parts = module.split('.').slice(0, 6);
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('.'));
}
