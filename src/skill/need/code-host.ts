// Hosts that code connects to: addresses that reach a call of the network, or stand where they probably do.
import { COMPARED, type CodeFacts, type CodeString, KEY, RAISED } from './code-facts.ts';
import { lastName, plainName, reachOf } from './flow.ts';
import { bareHost, HOLE, HOLE_START, type HostName, hostIn } from './host.ts';
import type { Need } from './need.ts';

/** A need without its file. */
export type FoundNeed = Omit<Need, 'file'>;

/** Calls that connect to the address they are given. */
const CONNECTS = new Set(
  `urlopen urlretrieve Request fetch nodeFetch fetchWithRetry request goto navigate WebSocket EventSource HTTPSConnection
  HTTPConnection create_connection ws_connect get post put patch delete head stream download axios got ky superagent
  fetchJson fetch_json fetchText openUrl open_url read_html read_csv ServerProxy XMLHttpRequest createBrowserContext
  AsyncClient Client ClientSession OpenAI AsyncOpenAI Anthropic urljoin setBaseURL GraphQLClient newPage loadURL
  from_pretrained load_dataset hf_hub_download clone_from Repo createTab newTab createTarget`.split(/\s+/),
);
/** What starts a program hands it the address. */
const STARTS =
  /^(?:run|call|check_call|check_output|Popen|system|popen|spawn|spawnSync|exec|execSync|execFile|execFileSync|execa|create_subprocess_exec|create_subprocess_shell|run_command|run_cmd|runCommand|_?run_git|git)$/;
const NETWORK_MODULE =
  /^(?:node:)?(?:requests|httpx|aiohttp|urllib\.request|urllib3|urllib|http\.client|http|https|http2|net|tls|undici|axios|got|ky|superagent|node-fetch|cross-fetch|ws|websocket|websockets|websocket-client|playwright.*|puppeteer.*|selenium.*|patchright.*|grpc.*|ftplib|smtplib|imaplib|paramiko|socket|curl_cffi.*|cloudscraper|pycurl|feedparser|bs4|scrapy|ccxt|pandas|chrome-remote-interface|graphql-request)$/;
const NETWORK_CALL = /(?:^|\.)(?:fetch|urlopen|WebSocket|XMLHttpRequest|EventSource|goto|axios)$/;
const SPEAKS =
  /^(?:print|pprint|log|warn|error|info|debug|fail|die|fatal|abort|usage|echo|eprint|exit|console\..*|logger\..*|logging\..*|log\..*|.*Error|.*Exception|.*Warning|@raise|@compare|@key|re\..*|RegExp|webbrowser\..*|.*\.(?:startswith|endswith|startsWith|endsWith|includes|match|test|replace|replaceAll|split|strip|indexOf|search|removeprefix|add_argument|add_parser|add_option|echo|secho|write|writelines|register_namespace|info|warning|debug|exception|error|fail|warn|option|description|setAttribute|createElementNS|findall|find|iter|SubElement|Element)|ArgumentParser|dedent|register_namespace|sys\.exit|describe|it|test|expect|add_hyperlink|open_browser|input|rich\..*|click\..*|typer\..*)$/;
const NOT_SENT =
  /^(?:.*(?:docs?|homepage|home_page|help|licen[cs]e|schema|namespace|xmlns|referr?er|user_?agent|example|description|epilog|usage|comment|website|message|redirect_?ur[il]s?|context|vocab|placeholder|sample|fixture|expected|prefix|prefixes|pattern|regex|permalink|citation|attribution|scopes?|hyperlink|instructions?|prompt|template|footer|header_text|signup_url|docs_url|console_url|dashboard_url)|ns|nsmap|ns_?\w{0,12}|_?NS|\w+_NS|xmlns:\w+|origin|\$schema|@context|@id|@type|link|href|links|canonical|author|maintainer|repository|bugs|readme|iss|http_referer|x-title)$/i;
const GIVEN_ADDRESS =
  /url|uri|api|base|endpoint|host|server|origin|feed|site|source|domain|remote|registry|mirror|proxy/i;

export function hostsInCode(facts: CodeFacts, skillConnects: boolean): FoundNeed[] {
  const reach = reachOf(facts, (callee) => CONNECTS.has(lastName(callee)) || STARTS.test(lastName(callee)));
  const values = uniqueValues(facts);
  const connects = connectsIn(facts);
  return facts.strings.flatMap((one): FoundNeed[] => {
    const host = hostOf(one, values);
    if (!host || isOnlySaid(one)) return [];
    const isSent = (connects || skillConnects) && reach.has(one);
    if (!isSent && !(isKept(one) && (skillConnects || connects))) return [];
    const how = one.call || plainName(one.names.at(-1)) || 'string';
    return [{ kind: 'host', ...host, line: one.line, sure: isSent ? 'literal' : 'likely', how }];
  });
}

const SHOUTED = /^:?[A-Z][A-Z0-9_]{2,}$/;

/** Probably for later use, here or in another file: a constant, or something that is named as an address. */
function isKept({ text, names, call }: CodeString): boolean {
  const nearest = names.at(-1) ?? '';
  const isConstant = names.some((name) => SHOUTED.test(name));
  if (isConstant) return true;
  if (text.includes(HOLE_START) || nearest.startsWith(':')) return false;
  return GIVEN_ADDRESS.test(nearest) || (nearest === '' && call !== '' && !call.startsWith('@'));
}

/** Whether the code can connect to anything. */
export function connectsIn({ imports, calls }: CodeFacts): boolean {
  return imports.some(({ name }) => NETWORK_MODULE.test(name)) || calls.some(({ callee }) => NETWORK_CALL.test(callee));
}

function hostOf({ text, call, names }: CodeString, values: ReadonlyMap<string, string>): HostName | undefined {
  const whole = text.replace(HOLE, (hole) => values.get(hole.slice(1, -1)) ?? hole);
  if (/^(?:https?|wss?):\/\//i.test(whole)) return isScope(whole) ? undefined : hostIn(whole);
  const isNamed = /^(?:hostname|host|_?HOST|API_HOST|domain|servername)$/i.test(plainName(names.at(-1)));
  return isNamed || /HTTPS?Connection$|create_connection$/.test(call) ? bareHost(whole) : undefined;
}

/** A permission of Google's, written as an address. */
function isScope(text: string): boolean {
  return /^https:\/\/www\.googleapis\.com\/auth\//.test(text) || /^https:\/\/mail\.google\.com\/$/.test(text);
}

function isOnlySaid({ call, names, text, at }: CodeString): boolean {
  const nearest = plainName(names.at(-1));
  if (/\s/.test(text.trim())) return true;
  // What an option is when nobody gives it.
  if (/(?:^|\.)(?:add_argument|option|Option)$/.test(call)) return nearest !== 'default' && at < 2;
  if (call === RAISED || call === COMPARED || call === KEY || SPEAKS.test(call)) return true;
  const holder = plainName(names.at(-2));
  return NOT_SENT.test(nearest) || (NOT_SENT.test(holder) && !GIVEN_ADDRESS.test(nearest));
}

/** Names that stand for one text. */
function uniqueValues({ strings }: CodeFacts): Map<string, string> {
  const values = new Map<string, string | undefined>();
  for (const { text, names } of strings) {
    const name = plainName(names.at(-1));
    if (name === '' || text.length > 200) continue;
    values.set(name, values.has(name) && values.get(name) !== text ? undefined : text);
  }
  return new Map([...values].flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}
