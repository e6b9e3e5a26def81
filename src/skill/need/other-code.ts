// Needs of code in languages that are read by patterns alone: Ruby, Perl, PHP, Go, Rust, R, PowerShell and others.
import type { FoundNeed } from './code-host.ts';
import { hostIn } from './host.ts';
import { isOwnVariable } from './variable.ts';

const READS =
  /(?:\bENV(?:\.fetch\()?\s*[[(]?\s*['"]|\$ENV\{\s*['"]?|\bgetenv\(\s*['"]|\bGetenv\(\s*"|\bLookupEnv\(\s*"|\benv::var(?:_os)?\(\s*"|\bSys\.getenv\(\s*['"]|\$env:|\$_(?:ENV|SERVER)\[\s*['"]|ENV\[\s*['"]|GetEnvironmentVariable\(\s*["'])([A-Za-z_]\w{1,80})/g;
const ADDRESS = /(['"`])((?:https?|wss?):\/\/[^'"`\s]{1,500})\1/g;
const CONNECTS =
  /Net::HTTP|open-uri|Faraday|HTTParty|LWP::|HTTP::Tiny|http\.(?:Get|Post|NewRequest|Client)|reqwest|ureq|httr::|curl_|Invoke-(?:WebRequest|RestMethod)|file_get_contents|Guzzle|WebClient|HttpClient|download\.file/;
const SAYS = /^\s*(?:#|\/\/|--|\*|puts|print|echo|say|fmt\.Print|println|Write-(?:Host|Output)|log)/;

export function readOtherCode(text: string): FoundNeed[] {
  const connects = CONNECTS.test(text);
  return text.split('\n').flatMap((line, at): FoundNeed[] => {
    if (line.length > 2000 || /^\s*(?:#|\/\/|\*)/.test(line)) return [];
    const variables = [...line.matchAll(READS)].flatMap(([, name = '']) => (isOwnVariable(name) ? [name] : []));
    const hosts = connects && !SAYS.test(line) ? [...line.matchAll(ADDRESS)].map(([, , address = '']) => address) : [];
    return [
      ...variables.map(
        (name): FoundNeed => ({ kind: 'variable', name, line: at + 1, sure: 'literal', how: 'environment' }),
      ),
      ...hosts.flatMap((address): FoundNeed[] => {
        const host = hostIn(address);
        return host ? [{ kind: 'host', ...host, line: at + 1, sure: 'likely', how: 'string' }] : [];
      }),
    ];
  });
}
